/* Tests that a schedule which is written to a file and read again is the same: for every algorithm
 * and many n, k, b, roots, targets, types and operators, as text and as JSON. The two schedules are
 * compared message by message and place by place, by functions of this test. */
#include "tests/common/schedule_common.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"
#include "tools/kport/files/read.h"
#include "tools/kport/files/write.h"

/* --- A schedule as a list of numbers --- */

struct numbers {
    int64_t *items;
    size_t count, room;
};

static void add(struct numbers *list, int64_t number)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 4096;
        list->items = realloc(list->items, list->room * sizeof *list->items);
        assert_non_null(list->items);
    }
    list->items[list->count++] = number;
}

/* Adds the place of every unit of the pieces. */
static void add_places(struct numbers *list, const kp_schedule *s, int rank, const kp_piece *pieces,
                       int count)
{
    for (int i = 0; i < count; i++) {
        for (int64_t j = 0; j < pieces[i].count; j++) {
            for (int64_t unit = 0; unit < pieces[i].run; unit++) {
                int64_t at = pieces[i].first + j * pieces[i].stride + unit;
                add(list, pieces[i].space);
                add(list, kp_schedule_place(s, rank, pieces[i].space, at));
            }
        }
    }
    add(list, -1);
}

static void add_message(struct numbers *list, const kp_schedule *s, int rank, const kp_message *m)
{
    add(list, m->port);
    add(list, m->peer);
    add(list, m->combining);
    add(list, m->units);
    add_places(list, s, rank, m->pieces, m->piece_count);
    add_places(list, s, rank, m->operand, m->operand_count);
}

/* Adds the moves of a round, unit by unit: a file may say one move in several. */
static void add_moves(struct numbers *list, const kp_schedule *s, int rank, int round)
{
    for (int i = 0; i < kp_schedule_moves(s, rank, round); i++) {
        kp_move move = kp_schedule_move(s, rank, round, i);
        struct numbers from = {.items = NULL}, to = {.items = NULL};
        add_places(&from, s, rank, &move.from, 1);
        add_places(&to, s, rank, &move.to, 1);
        assert_int_equal(from.count, to.count);
        for (size_t j = 0; j + 1 < from.count; j += 2) {
            add(list, move.combining);
            add(list, from.items[j]);
            add(list, from.items[j + 1]);
            add(list, to.items[j]);
            add(list, to.items[j + 1]);
        }
        free(from.items);
        free(to.items);
    }
    add(list, -2);
}

static struct numbers numbers_of(const kp_schedule *s)
{
    struct numbers list = {.items = NULL};
    const int n = kp_schedule_problem(s)->n;
    for (int space = 0; space < KP_SPACES; space++)
        add(&list, kp_schedule_units(s, (kp_space)space));
    add(&list, kp_schedule_unit_of_block(s));
    add(&list, kp_schedule_rounds(s));
    for (int round = -1; round < kp_schedule_rounds(s); round++) {
        for (int rank = 0; rank < n; rank++) {
            for (int i = 0; i < kp_schedule_sends(s, rank, round); i++) {
                kp_message m = kp_schedule_send(s, rank, round, i);
                add_message(&list, s, rank, &m);
            }
            add(&list, -3);
            for (int i = 0; i < kp_schedule_receives(s, rank, round); i++) {
                kp_message m = kp_schedule_receive(s, rank, round, i);
                add_message(&list, s, rank, &m);
            }
            add_moves(&list, s, rank, round);
        }
    }
    return list;
}

/* --- Round trips --- */

typedef int write_form(const kp_schedule *schedule, FILE *out);
typedef bool read_form(struct schedule_file *file, const char *text, size_t size,
                       struct read_where *where);

static const struct form {
    const char *name;
    write_form *write;
    read_form *read;
} forms[] = {{"text", write_text, read_text}, {"json", write_json, read_json}};

static char *written_as(const struct form *form, const kp_schedule *s, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    assert_non_null(out);
    assert_int_equal(form->write(s, out), 0);
    fclose(out);
    return text;
}

static void same_cost(const kp_problem *problem, const kp_schedule *a, const kp_schedule *b)
{
    kp_cost x = kp_schedule_cost(a, problem->b), y = kp_schedule_cost(b, problem->b);
    assert_int_equal(x.c1, y.c1);
    assert_int_equal(x.c2, y.c2);
    assert_int_equal(x.messages, y.messages);
    assert_int_equal(x.bytes, y.bytes);
    x = kp_schedule_cost_between(a, problem->b);
    y = kp_schedule_cost_between(b, problem->b);
    assert_int_equal(x.c2, y.c2);
    assert_int_equal(x.messages, y.messages);
}

static void same_problem(const kp_problem *a, const kp_problem *b)
{
    assert_int_equal(a->operation, b->operation);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->k, b->k);
    assert_int_equal(a->b, b->b);
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->target, b->target);
    assert_int_equal(a->in_place, b->in_place);
    assert_int_equal(a->per_process, b->per_process);
    assert_int_equal(a->algorithm->length_bytes, b->algorithm->length_bytes);
    assert_int_equal(a->algorithm->pads, b->algorithm->pads);
    if (!kp_operation_reduces(a->operation))
        return;
    assert_int_equal(a->type, b->type);
    assert_ptr_equal(a->op ? a->op : KP_SUM, b->op ? b->op : KP_SUM);
}

static void compare(const struct form *form, const kp_schedule *s, const kp_schedule *again)
{
    const kp_problem *problem = kp_schedule_problem(s);
    kp_error_record error;
    uint64_t c1, c2;
    struct numbers wanted = numbers_of(s), found = numbers_of(again);
    if (wanted.count != found.count ||
        memcmp(wanted.items, found.items, wanted.count * sizeof *wanted.items) != 0)
        fail_msg("%s as %s is read as another schedule", text_of(problem), form->name);
    free(wanted.items);
    free(found.items);
    same_problem(problem, kp_schedule_problem(again));
    same_cost(problem, s, again);
    if (kp_schedule_check(again, &error))
        fail_msg("%s as %s: %s", text_of(problem), form->name, error.sentence);
    const kp_problem *read = kp_schedule_problem(again);
    read->algorithm->stated_cost(read, &c1, &c2);
    kp_cost counted = kp_schedule_cost(again, read->b);
    assert_int_equal(c1, counted.c1);
    assert_int_equal(c2, counted.c2);
}

static void there_and_back(const struct form *form, const kp_schedule *s)
{
    const kp_problem *problem = kp_schedule_problem(s);
    struct read_where where = {.text = ""};
    size_t size, size_again;
    kp_problem asked;
    kp_schedule *again;
    char *text = written_as(form, s, &size);
    struct schedule_file *file = schedule_file_begin("@file");
    assert_non_null(file);
    if (!form->read(file, text, size, &where) || !schedule_file_asked(file, "", &asked))
        fail_msg("%s as %s: %s: %s\n%s", text_of(problem), form->name, where.text, file->why, text);
    again = build(&asked);
    compare(form, s, again);
    char *text_again = written_as(form, again, &size_again);
    assert_string_equal(text, text_again);
    kp_schedule_free(again);
    schedule_file_free(file);
    free(text_again);
    free(text);
}

/* --- The problems --- */

static int drawn; /* how many problems there have been; it chooses what else a problem has */

/* Sets the root, the target, in_place, the type and the operator, each time others. */
static kp_problem varied(const kp_problem *problem)
{
    kp_problem p = *problem;
    const int turn = drawn++;
    if (kp_operation_has_root(p.operation))
        p.root = turn % p.n;
    if (kp_operation_has_target(p.operation))
        p.target = turn * 5 % p.n;
    if (!kp_operation_has_target(p.operation) && p.operation != KP_BARRIER)
        p.in_place = turn % 3 == 0;
    if (!kp_operation_reduces(p.operation))
        return p;
    kp_problem plain = p;
    const size_t elements = p.b;
    p.type = (kp_type)(turn % KP_TYPES);
    p.op = &kp_builtin_operators[turn / KP_TYPES % KP_BUILTINS];
    p.b = elements * kp_element_bytes(&p);
    return kp_problem_check(&p) == KP_OK ? p : plain;
}

static void visit(const kp_problem *problem)
{
    kp_problem p = varied(problem);
    kp_schedule *s = build(&p);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        there_and_back(&forms[i], s);
    kp_schedule_free(s);
}

static int extent;

static void every_algorithm_is_read_as_it_was_written(void **state)
{
    static const int few[] = {1, 2, 3, 4, 5, 8, 0}, many[] = {6, 7, 9, 12, 16, 0};
    long count = 0;
    (void)state;
    for (const int *n = few; *n; n++)
        count += for_all_problems(*n, *n % 2 ? 5 : 8, visit);
    for (const int *n = many; *n && extent; n++)
        count += for_all_problems(*n, 7, visit);
    assert_true(count > 1000);
}

static void architectures_have_n_of_their_own(void **state)
{
    static const char *const texts[] = {"index:n=16,k=15,b=3",
                                        "concat:n=16,k=4,b=5,alg=torus",
                                        "broadcast:n=16,k=4,b=40,root=5",
                                        "index:n=27,k=2,b=4,alg=radix,r=3",
                                        "allreduce:n=12,k=3,count=29",
                                        "reduce:n=17,k=1,count=64,root=9,alg=pipelined,packets=9",
                                        "scan:n=33,k=2,count=3,op=compose",
                                        "indexv:n=9,k=2,b=11",
                                        "gatherv:n=11,k=2,b=5,root=7",
                                        "index:n=5,k=1,b=0",
                                        "allreduce:n=4,k=1,count=0"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kp_problem p = parse(texts[i]);
        kp_schedule *s = build(&p);
        for (size_t j = 0; j < sizeof forms / sizeof forms[0]; j++)
            there_and_back(&forms[j], s);
        kp_schedule_free(s);
    }
}

/* --- What may be changed --- */

static struct schedule_file *read_as_text(const char *text)
{
    struct read_where where;
    struct schedule_file *file = schedule_file_begin("@file");
    assert_non_null(file);
    if (!read_text(file, text, strlen(text), &where))
        fail_msg("%s: %s", where.text, file->why);
    return file;
}

static void blocks_may_have_any_length(void **state)
{
    struct schedule_file *file = read_as_text("kport schedule 1\n"
                                              "problem reduce:n=2,k=1,count=4,type=int32,root=1\n"
                                              "before\n 1: out[0] -> in[0]\n"
                                              "round 0\n 0 -> 1: out[0] -> left in[0]\n");
    static const struct {
        const char *changes, *problem, *why;
    } cases[] = {
        {"", "reduce:n=2,k=1,count=4,type=int32,op=sum,root=1", NULL},
        {"b=64", "reduce:n=2,k=1,count=16,type=int32,op=sum,root=1", NULL},
        {"count=3,type=int8", "reduce:n=2,k=1,count=3,type=int8,op=sum,root=1", NULL},
        {"op=maximum,in_place=1", "reduce:n=2,k=1,count=4,type=int32,op=maximum,root=1,in_place=1",
         NULL},
        {"b=3", NULL, "b is 3; with type int32 and op sum it may be a multiple of 4"},
        {"root=0", NULL,
         "root is given, but the file is for n=2, k=1, root=1; b, count, type, op, in_place and "
         "per_process may be given"},
        {"alg=tree", NULL, "alg is given, but the file is the algorithm"},
        {"b", NULL, "'b' is no field; a field is key=value"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kp_problem p;
        char said[200];
        bool right = schedule_file_asked(file, cases[i].changes, &p);
        assert_int_equal(right, cases[i].why == NULL);
        if (!right) {
            assert_string_equal(file->why, cases[i].why);
            continue;
        }
        kp_schedule *s = build(&p);
        kp_error_record error;
        if (kp_schedule_check(s, &error))
            fail_msg("%s: %s", cases[i].changes, error.sentence);
        kp_schedule_free(s);
        p.algorithm = NULL;
        kp_problem_format(&p, said, sizeof said);
        assert_string_equal(said, cases[i].problem);
    }
    schedule_file_free(file);
}

static void split_blocks_have_one_length(void **state)
{
    struct schedule_file *file = read_as_text("kport schedule 1\nproblem broadcast:n=2,k=1,b=4\n"
                                              "units bytes\n"
                                              "round 0\n 0 -> 1: out[0..1] -> in[0..1]\n"
                                              "round 1\n 0 -> 1: out[2..3] -> in[2..3]\n");
    kp_problem p;
    (void)state;
    assert_true(schedule_file_asked(file, "b=4", &p));
    assert_false(schedule_file_asked(file, "b=8", &p));
    assert_string_equal(file->why, "the file splits blocks (its line 'units'), so it is for n=2, "
                                   "k=1, root=0, b=4, not b=8");
    /* The library asks the algorithm as well, when a call has another length. */
    p.b = 8;
    p.algorithm = &file->row;
    kp_schedule *s;
    assert_int_equal(kp_schedule_build(&p, &s), KP_EUNSERVED);
    schedule_file_free(file);
}

/* Scratch that no line states is as large as the steps need. */
static void scratch_need_not_be_stated(void **state)
{
    struct schedule_file *file = read_as_text("kport schedule 1\r\n"
                                              "\tproblem\tconcat:n=1,k=1,b=4 # a comment\r\n\r\n"
                                              "before # another\r\n"
                                              "0 : out[ 0 ]->scratch[ 2 ]\r\n"
                                              "0: scratch[2] -> in[0]");
    kp_problem p;
    kp_error_record error;
    (void)state;
    assert_true(schedule_file_asked(file, "", &p));
    kp_schedule *s = build(&p);
    assert_int_equal(kp_schedule_units(s, KP_SCRATCH), 3);
    assert_int_equal(kp_schedule_check(s, &error), KP_OK);
    kp_schedule_free(s);
    schedule_file_free(file);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_is_read_as_it_was_written),
        cmocka_unit_test(architectures_have_n_of_their_own),
        cmocka_unit_test(blocks_may_have_any_length),
        cmocka_unit_test(split_blocks_have_one_length),
        cmocka_unit_test(scratch_need_not_be_stated),
    };
    extent = extent_of(count, arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
