/* Writes a schedule as text, a line a message. read_text.c reads it. */
#include "tools/kport/files/write.h"

#include "tools/kport/command.h"
#include "tools/kport/files/view.h"
#include "tools/kport/files/write_frame.h"

#include <inttypes.h>

struct text {
    const kp_schedule *schedule;
    FILE *out;
    int round;  /* the round whose heading was written last; -2: none */
    bool ports; /* port 0 is written too */
};

static void write_end(const struct text *text, int rank, int port)
{
    fprintf(text->out, text->ports || port > 0 ? "%d.%d" : "%d", rank, port);
}

static void write_headings(struct text *text, int round)
{
    if (round == -1 && text->round == -2)
        fprintf(text->out, "before\n");
    for (int i = text->round < 0 ? 0 : text->round + 1; i <= round; i++)
        fprintf(text->out, "round %d\n", i);
    text->round = round;
}

static bool visit(void *to, const struct view_step *step)
{
    struct text *text = to;
    if (step->round != text->round)
        write_headings(text, step->round);
    fprintf(text->out, "  ");
    if (step->move) {
        fprintf(text->out, "%d", step->from);
    } else {
        write_end(text, step->from, step->from_port);
        fprintf(text->out, " -> ");
        write_end(text, step->to, step->to_port);
    }
    fprintf(text->out, ":");
    write_pieces(text->out, &step->sent, step->sent.count);
    fprintf(text->out, " ->");
    if (step->side != KP_COPY)
        fprintf(text->out, " %s", write_sides[step->side]);
    write_pieces(text->out, &step->put, step->put.count);
    if (step->operands.count > 0) {
        fprintf(text->out, " with");
        write_pieces(text->out, &step->operands, step->operands.count);
    }
    fprintf(text->out, "\n");
    return true;
}

int write_text(const kp_schedule *schedule, FILE *out)
{
    char problem[256];
    const kp_problem *p = kp_schedule_problem(schedule);
    const int64_t scratch = kp_schedule_units(schedule, KP_SCRATCH);
    struct text text = {schedule, out, -2, p->k > 1};
    if (write_refuses(schedule))
        return EXIT_IMPOSSIBLE;
    write_problem(schedule, problem, sizeof problem);
    fprintf(out, "kport schedule %d\nproblem %s\n", WRITE_VERSION, problem);
    if (kp_schedule_unit_of_block(schedule) > 1)
        fprintf(out, "units %s\n", write_units(schedule));
    if (scratch > 0)
        fprintf(out, "scratch %" PRId64 "\n", scratch);
    if (p->algorithm->length_bytes > 0)
        fprintf(out, "length-bytes %d\n", p->algorithm->length_bytes);
    if (p->algorithm->pads)
        fprintf(out, "padded\n");
    if (!view_steps(schedule, visit, &text))
        return write_no_memory();
    write_headings(&text, kp_schedule_rounds(schedule) - 1);
    return EXIT_DONE;
}
