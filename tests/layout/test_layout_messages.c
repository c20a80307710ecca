/* Tests messages with tags whose data have layouts: what is sent by one layout and received by
 * another one, what does not agree, and what is refused. */
#include <kport.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_ROWS 3000 /* 24000 bytes of data: more than is buffered */

static int failed_line;
#define EXPECT(x)                                                                                  \
    do {                                                                                           \
        if (!(x)) {                                                                                \
            failed_line = __LINE__;                                                                \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* --- A column of a matrix, sent and received in several ways --- */

enum way {
    BLOCKING,
    STARTED,
    PROBED,
    EXCHANGED,
    WAYS
};

struct trial {
    size_t rows, width; /* of the matrix */
    enum way way;
};

static double element(size_t row)
{
    return 1.5 * (double)row + 7;
}

/* Sends column 1 of a matrix. */
static int send_column(kp_group *w, const struct trial *t, double *matrix)
{
    kp_layout *column;
    kp_request *r = NULL;
    int status =
        kp_layout_vector(t->rows, 1, (ptrdiff_t)t->width, kp_layout_of(KP_FLOAT64), &column);
    for (size_t i = 0; i < t->rows; i++)
        matrix[i * t->width + 1] = element(i);
    if (status)
        return status;
    if (t->way == STARTED) {
        status = kp_send_layout_start(w, matrix + 1, 1, column, 1, 4, &r);
        kp_layout_free(column); /* the request holds it */
        return status ? status : kp_wait(&r);
    }
    if (t->way == EXCHANGED)
        status =
            kp_exchange_messages_layout(w, matrix + 1, 1, column, 1, 4, NULL, 0, NULL, 1, 4, NULL);
    else
        status = kp_send_layout(w, matrix + 1, 1, column, 1, 4);
    kp_layout_free(column);
    return status;
}

/* Receives the data as every third double, backwards. */
static int receive_column(kp_group *w, const struct trial *t, double *sparse)
{
    kp_layout *backwards;
    kp_request *r;
    kp_message_status found;
    double *end = sparse + 3 * (t->rows - 1);
    int status = kp_layout_vector(t->rows, 1, -3, kp_layout_of(KP_FLOAT64), &backwards);
    if (!status && t->way == PROBED) {
        status = kp_probe(w, KP_ANY_SOURCE, KP_ANY_TAG, &found);
        EXPECT(status || found.bytes == t->rows * sizeof(double));
    }
    if (status)
        return status;
    if (t->way == STARTED) {
        status = kp_receive_layout_start(w, end, 1, backwards, 0, KP_ANY_TAG, &found, &r);
        kp_layout_free(backwards);
        status = status ? status : kp_wait(&r);
    } else {
        status = t->way == EXCHANGED
                     ? kp_exchange_messages_layout(w, NULL, 0, NULL, 0, 4, end, 1, backwards, 0, 4,
                                                   &found)
                     : kp_receive_layout(w, end, 1, backwards, KP_ANY_SOURCE, 4, &found);
        kp_layout_free(backwards);
    }
    EXPECT(!status && found.source == 0 && found.tag == 4);
    EXPECT(found.bytes == t->rows * sizeof(double));
    for (size_t i = 0; i < 3 * t->rows - 2; i++) {
        const size_t row = t->rows - 1 - i / 3;
        EXPECT(i % 3 == 0 ? sparse[i] == element(row) : sparse[i] == -1);
    }
    return 0;
}

static int moves_a_column(kp_proc *self, void *argument)
{
    const struct trial *t = argument;
    kp_group *w = kp_world(self);
    const size_t room = t->rows * (t->width > 3 ? t->width : 3);
    double *memory = malloc(room * sizeof *memory);
    for (size_t i = 0; memory && i < room; i++)
        memory[i] = -1;
    int status = !memory           ? KP_EMEMORY
                 : kp_rank(w) == 0 ? send_column(w, t, memory)
                                   : receive_column(w, t, memory);
    free(memory);
    return status;
}

/* Whether processors share no memory (over_wire.c). */
#ifdef OVER_WIRE
#define OVER_A_WIRE true
#else
#define OVER_A_WIRE false
#endif

static void run(kp_program *program, void *argument, kp_carrier carrier, size_t unreceived)
{
    if (OVER_A_WIRE && carrier == KP_CARRIER_FIBERS)
        return;
    const kp_config config = {.processors = 2,
                              .carrier = carrier,
                              .workers = carrier == KP_CARRIER_FIBERS,
                              .unreceived_bytes = unreceived,
                              .time_limit_ms = 60000};
    kp_report report;
    failed_line = 0;
    if (kp_run(&config, program, argument, &report))
        fail_msg("line %d: %s", failed_line, report.error.sentence);
}

static void on_all(kp_program *program, void *argument)
{
    for (int i = 0; i < 2; i++) {
        run(program, argument, KP_CARRIER_THREADS, i ? KP_UNBUFFERED : 0);
        if (kp_fibers())
            run(program, argument, KP_CARRIER_FIBERS, i ? KP_UNBUFFERED : 0);
    }
}

static void different_layouts_agree(void **state)
{
    static const size_t rows[] = {1, 2, 5, 100, MOST_ROWS};
    (void)state;
    for (enum way way = BLOCKING; way < WAYS; way++) {
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct trial t = {rows[i], 2 + i, way};
            on_all(moves_a_column, &t);
        }
    }
}

/* --- What does not agree --- */

static int wrong_lines[2];

/* The bytes are as many; the elements are not. After the error, the group goes on. */
static int elements_differ(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    kp_layout *doubles, *integers;
    double out[2] = {1, 2};
    int32_t in[4] = {-1, -1, -1, -1};
    kp_message_status found;
    char where[200];
    (void)argument;
    int status = kp_layout_contiguous(2, kp_layout_of(KP_FLOAT64), &doubles);
    status = status ? status : kp_layout_contiguous(4, kp_layout_of(KP_INT32), &integers);
    if (status)
        return status;
    if (kp_rank(w) == 0) {
        wrong_lines[0] = __LINE__ + 1;
        status = kp_send_layout(w, out, 1, doubles, 1, 3);
        status = status ? status : kp_send(w, out, sizeof out, 1, 3);
        status = status ? status : kp_send_layout(w, out, 2, NULL, 1, 3);
    } else {
        wrong_lines[1] = __LINE__ + 1;
        status = kp_receive_layout(w, in, 1, integers, 0, 3, &found);
        const char *sentence = kp_last_error()->sentence;
        EXPECT(status == KP_EMISMATCH && found.bytes == sizeof out && in[0] == -1);
        /* A layout of another process is not known by name. */
        EXPECT(strstr(sentence, OVER_A_WIRE ? "other elements" : "contiguous(2, float64)") &&
               strstr(sentence, "contiguous(4, int32)"));
        for (int i = 0; i < 2; i++) {
            snprintf(where, sizeof where, "%s:%d", __FILE__, wrong_lines[i]);
            EXPECT(strstr(sentence, where + (strlen(where) > 60 ? strlen(where) - 60 : 0)));
        }
        status = kp_receive_layout(w, in, 1, integers, 0, 3, &found);
        EXPECT(status == KP_EMISMATCH && strstr(kp_last_error()->sentence, "which are bytes"));
        /* Bytes are bytes, with a layout or without. */
        status = kp_receive(w, in, sizeof in, 0, 3, &found);
        EXPECT(!status && found.bytes == 2);
    }
    kp_layout_free(doubles);
    kp_layout_free(integers);
    return status;
}

static void unequal_elements_are_a_mismatch(void **state)
{
    (void)state;
    on_all(elements_differ, NULL);
}

/* A receive may have room for more blocks than come, but the blocks that come are whole. */
static int fewer_blocks(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    kp_layout *pair;
    double out[6] = {1, 2, 3, 4, 5, 6}, in[10];
    kp_message_status found;
    (void)argument;
    int status = kp_layout_contiguous(2, kp_layout_of(KP_FLOAT64), &pair);
    if (status)
        return status;
    if (kp_rank(w) == 0) {
        status = kp_send_layout(w, out, 6, kp_layout_of(KP_FLOAT64), 1, 0);
        status = status ? status : kp_send_layout(w, out, 3, kp_layout_of(KP_FLOAT64), 1, 0);
        status = status ? status : kp_send_layout(w, out, 6, kp_layout_of(KP_FLOAT64), 1, 0);
        status = status ? status : kp_send_layout(w, NULL, 0, pair, 1, 0);
    } else {
        status = kp_receive_layout(w, in, 5, pair, 0, 0, &found);
        EXPECT(!status && found.bytes == sizeof out && memcmp(in, out, sizeof out) == 0);
        EXPECT(kp_receive_layout(w, in, 5, pair, 0, 0, &found) == KP_EMISMATCH);
        EXPECT(kp_receive_layout(w, in, 2, pair, 0, 0, &found) == KP_ELENGTH);
        status = kp_receive_layout(w, in, 2, pair, 0, 0, &found);
        EXPECT(!status && found.bytes == 0);
    }
    kp_layout_free(pair);
    return status;
}

static void blocks_come_whole(void **state)
{
    (void)state;
    on_all(fewer_blocks, NULL);
}

/* --- What is refused --- */

static int refusals(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    kp_layout *twice;
    kp_request *r;
    double data[4];
    (void)argument;
    int status = kp_layout_vector(2, 1, 0, kp_layout_of(KP_FLOAT64), &twice);
    if (status)
        return status;
    EXPECT(kp_receive_layout(w, data, 1, twice, 0, 0, NULL) == KP_EARGUMENT);
    EXPECT(strstr(kp_last_error()->sentence, "overlap"));
    EXPECT(kp_send_layout(w, NULL, 2, twice, 0, 0) == KP_EARGUMENT);
    EXPECT(strstr(kp_last_error()->sentence, "data is NULL with 2 blocks"));
    EXPECT(kp_send_layout(w, data, SIZE_MAX, twice, 0, 0) == KP_EARGUMENT);
    EXPECT(strstr(kp_last_error()->sentence, "beyond what memory can hold"));
    EXPECT(kp_send_layout(w, data, 1, twice, 9, 0) == KP_EARGUMENT);
    EXPECT(kp_receive_layout(w, data, 1, NULL, 9, 0, NULL) == KP_EARGUMENT);
    EXPECT(kp_send_layout_start(w, data, 1, twice, 0, 0, NULL) == KP_EARGUMENT);
    EXPECT(kp_receive_layout_start(w, data, 1, NULL, 0, 0, NULL, NULL) == KP_EARGUMENT);
    EXPECT(kp_receive_layout_start(w, data, 1, twice, 0, 0, NULL, &r) == KP_EARGUMENT);
    /* A message to oneself, read where its elements overlap. */
    data[0] = 5;
    status = kp_send_layout_start(w, data, 1, twice, kp_rank(w), 0, &r);
    status = status
                 ? status
                 : kp_receive_layout(w, data + 2, 2, kp_layout_of(KP_FLOAT64), kp_rank(w), 0, NULL);
    status = status ? status : kp_wait(&r);
    kp_layout_free(twice);
    EXPECT(status || (data[2] == 5 && data[3] == 5));
    return status;
}

static void arguments_are_checked(void **state)
{
    (void)state;
    on_all(refusals, NULL);
}

/* A message with a layout that nobody receives is told, and its layout is freed. */
static int nobody_receives(kp_proc *self, void *argument)
{
    kp_group *w = kp_world(self);
    double data[4] = {0};
    kp_layout *layout;
    (void)argument;
    if (kp_rank(w) == 1)
        return kp_barrier(w); /* it has not ended when the message is sent */
    int status = kp_layout_vector(2, 1, 2, kp_layout_of(KP_FLOAT64), &layout);
    status = status ? status : kp_send_layout(w, data, 1, layout, 1, 8);
    kp_layout_free(layout);
    return status ? status : kp_barrier(w);
}

static void a_message_is_left(void **state)
{
    const kp_config config = {.processors = 2};
    kp_report report;
    (void)state;
    assert_int_equal(kp_run(&config, nobody_receives, NULL, &report), KP_EUNTAKEN);
    assert_non_null(strstr(report.error.sentence, "16 bytes"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(different_layouts_agree),
        cmocka_unit_test(unequal_elements_are_a_mismatch), cmocka_unit_test(blocks_come_whole),
        cmocka_unit_test(arguments_are_checked), cmocka_unit_test(a_message_is_left)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
