/* Writes the JSON of `kport show`. The steps are those of `kport export --format json`. The memory
 * is what kp_draw draws: a pen takes its tables down. */
#include "tools/kport/schedule/picture.h"

#include "tools/kport/command.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/write.h"
#include "tools/kport/schedule/facts.h"

#include "lib/check/account.h"
#include "lib/draw/draw.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- The memory --- */

/* What the pen has begun. A state of the memory is a section with a title; the sections without one
 * have the messages as a table, which the steps say better. */
struct memory {
    json_t *states, *state; /* `state` is NULL outside of a state */
    json_t *space, *row;
    int rows, columns; /* the row and the column of the next cell; row 0 has the headings */
};

static void section(void *to, const char *title)
{
    struct memory *m = to;
    m->state = NULL;
    if (title[0] == '\0' || !m->states)
        return;
    m->state = json_pack("{s:s, s:[]}", "title", title, "spaces");
    json_array_append_new(m->states, m->state);
}

static void line(void *to, const char *text)
{
    (void)to;
    (void)text;
}

static void begin_grid(void *to)
{
    struct memory *m = to;
    m->rows = m->columns = 0;
    m->space = m->row = NULL;
    if (!m->state)
        return;
    m->space = json_pack("{s:s, s:[], s:[]}", "space", "", "rows", "sent");
    json_array_append_new(json_object_get(m->state, "spaces"), m->space);
}

/* The first cell of a table is the name of its space, and the first cell of a row its number. */
static void cell(void *to, const char *text, unsigned marks)
{
    struct memory *m = to;
    const int row = m->rows - 1, column = m->columns++ - 1;
    if (row < 0 && column < 0)
        json_object_set_new(m->space, "space", json_string(text));
    if (row < 0)
        return;
    if (column < 0) {
        m->row = json_array();
        json_array_append_new(json_object_get(m->space, "rows"), m->row);
        return;
    }
    json_array_append_new(m->row, json_string(text));
    if (marks & KP_CELL_SENT)
        json_array_append_new(json_object_get(m->space, "sent"), json_pack("[i, i]", row, column));
}

static void end_row(void *to)
{
    struct memory *m = to;
    m->rows++;
    m->columns = 0;
}

static void end_grid(void *to)
{
    struct memory *m = to;
    m->space = m->row = NULL;
}

/* Returns the states of the memory, or NULL; then the error is set. */
static json_t *memory_of(const kp_schedule *schedule, const struct kp_mark *mark)
{
    struct memory memory = {.states = NULL};
    const struct kp_pen pen = {.to = &memory,
                               .marked = "",
                               .section = section,
                               .line = line,
                               .begin_grid = begin_grid,
                               .cell = cell,
                               .end_row = end_row,
                               .end_grid = end_grid};
    memory.states = json_array();
    if (kp_draw(schedule, KP_DRAW_NO_TREE, mark, &pen) != KP_OK) {
        json_decref(memory.states);
        return NULL;
    }
    /* The head of the picture is a section, too. */
    json_array_remove(memory.states, 0);
    return memory.states;
}

/* --- The whole --- */

/* Returns the schedule as `kport export --format json` writes it, or NULL; then an error message is
 * on stderr. */
static json_t *exported(const kp_schedule *schedule)
{
    char *text = NULL;
    size_t length;
    json_t *whole = NULL;
    FILE *out = open_memstream(&text, &length);
    int status = out ? write_json(schedule, out) : EXIT_IMPOSSIBLE;
    if (out && fclose(out) == 0 && status == EXIT_DONE)
        whole = json_loadb(text, length, 0, NULL);
    if (!whole && status == EXIT_DONE)
        fprintf(stderr, "kport: no memory for the picture\n");
    free(text);
    return whole;
}

static json_t *mark_json(const struct kp_mark *mark, const char *account)
{
    json_t *o = json_pack("{s:i, s:i, s:i, s:b, s:i, s:s}", "round", mark->round, "from",
                          mark->from, "to", mark->to, "missing", (int)mark->missing, "rounds",
                          mark->rounds, "account", account);
    if (mark->has_other)
        json_object_set_new(
            o, "beside", json_pack("{s:i, s:i}", "from", mark->other_from, "to", mark->other_to));
    return o;
}

/* Prints the schedule. `mark` is NULL if it is right. */
static int print(const kp_schedule *schedule, const struct kp_mark *mark, const char *account)
{
    char text[256];
    const kp_problem *p = kp_schedule_problem(schedule);
    const kp_cost cost = kp_schedule_cost(schedule, p->b);
    json_t *whole = exported(schedule), *memory = whole ? memory_of(schedule, mark) : NULL;
    FILE *out = memory ? output_begin() : NULL;
    if (whole && !memory)
        (void)facts_refuse();
    if (!out) {
        json_decref(whole);
        json_decref(memory);
        return EXIT_IMPOSSIBLE;
    }
    kp_problem_format(p, text, sizeof text);
    output_json(out, "show",
                json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "problem", text, "c1",
                          (json_int_t)cost.c1, "c2", (json_int_t)cost.c2, "unit_of_block",
                          (json_int_t)kp_schedule_unit_of_block(schedule), "wrong",
                          mark ? mark_json(mark, account) : json_null(), "schedule", whole,
                          "memory", memory));
    const int status = output_end(out, EXIT_DONE);
    return !status && mark ? EXIT_FAILED : status;
}

/* Finds where a schedule is wrong: sets `mark`, whose `kind` stays NULL if the schedule cannot be
 * built or is wrong in its cost alone. Returns a new text, the account, or NULL. */
static char *find_wrong(const kp_problem *problem, kp_schedule **schedule, struct kp_mark *mark)
{
    char *account = NULL;
    size_t length;
    *mark = (struct kp_mark){.kind = NULL};
    *schedule = NULL;
    FILE *out = open_memstream(&account, &length);
    if (out && kp_account_build(problem, schedule) == KP_OK)
        (void)kp_account_write(*schedule, false, out, mark);
    if (out)
        (void)fclose(out);
    return account;
}

/* Finds where a wrong schedule is wrong, and prints it so far. `error` is why it is wrong. */
static int print_wrong(const kp_problem *problem, const kp_error_record *error)
{
    struct kp_mark mark;
    kp_schedule *schedule;
    char *account = find_wrong(problem, &schedule, &mark);
    int status;
    if (mark.kind)
        status = print(schedule, &mark, account ? account : "");
    else
        status =
            fprintf(stderr, "kport: %s\n", error->sentence) < 0 ? EXIT_IMPOSSIBLE : EXIT_FAILED;
    kp_schedule_free(schedule);
    free(account);
    return status;
}

void picture_say_none(const char *path)
{
    const bool on_stdout = strcmp(path, "-") == 0;
    fprintf(stderr, "kport: no picture was drawn%s%s%s\n", on_stdout ? "" : ": ",
            on_stdout ? "" : path, on_stdout ? "" : " is as it was");
}

int picture_draw_wrong(const kp_problem *problem, const char *path)
{
    struct kp_mark mark;
    kp_schedule *schedule;
    char *account = find_wrong(problem, &schedule, &mark);
    int status = EXIT_FAILED;
    const kp_error_record error = *kp_last_error();
    FILE *out = mark.kind ? output_begin() : NULL;
    mark.sentence = error.sentence;
    if (!mark.kind)
        picture_say_none(path);
    if (out && kp_draw_svg_marked(schedule, KP_DRAW_NO_TREE, &mark, out) != KP_OK)
        status = facts_refuse();
    if (out) {
        const int written = output_end_in(out, status == EXIT_FAILED ? EXIT_DONE : status, path);
        status = written ? written : status;
    }
    kp_schedule_free(schedule);
    free(account);
    return status;
}

int picture_print_json(const kp_problem *problem)
{
    kp_error_record error;
    kp_schedule *schedule = NULL;
    int status = facts_build_checked(problem, &schedule, &error);
    if (status == EXIT_FAILED)
        return print_wrong(problem, &error);
    if (status) {
        fprintf(stderr, "kport: %s\n", error.sentence);
        return status;
    }
    status = print(schedule, NULL, NULL);
    kp_schedule_free(schedule);
    return status;
}
