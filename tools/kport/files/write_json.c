/* Writes a schedule as JSON, in the form of doc/manual/reference/schedule.schema.json. read_json.c
 * reads it. A step is a line, and is written as soon as it is known, so that the memory stays
 * small. */
#include "tools/kport/files/write.h"

#include "tools/kport/command.h"
#include "tools/kport/files/view.h"
#include "tools/kport/files/write_frame.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/schedule/elements.h"

#include <inttypes.h>

struct json {
    FILE *out;
    bool any; /* a step has been written */
};

static void write_list(FILE *out, const char *key, const struct view_pieces *pieces)
{
    fprintf(out, ", \"%s\": [", key);
    for (size_t i = 0; i < pieces->count; i++) {
        const kp_piece *piece = &pieces->list[i];
        fprintf(out, "%s{\"space\": \"%s\", \"first\": %" PRId64, i > 0 ? ", " : "",
                write_spaces[piece->space], piece->first);
        if (piece->run > 1)
            fprintf(out, ", \"run\": %" PRId64, piece->run);
        if (piece->count > 1)
            fprintf(out, ", \"stride\": %" PRId64 ", \"count\": %" PRId64, piece->stride,
                    piece->count);
        fprintf(out, "}");
    }
    fprintf(out, "]");
}

static bool visit(void *to, const struct view_step *step)
{
    struct json *json = to;
    fprintf(json->out, "%s\n    {\"round\": %d, ", json->any ? "," : "", step->round);
    if (step->move)
        fprintf(json->out, "\"at\": %d", step->from);
    else
        fprintf(json->out, "\"from\": %d, \"from_port\": %d, \"to\": %d, \"to_port\": %d",
                step->from, step->from_port, step->to, step->to_port);
    write_list(json->out, "take", &step->sent);
    if (step->side != KP_COPY)
        fprintf(json->out, ", \"combine\": \"%s\"", write_sides[step->side]);
    write_list(json->out, "put", &step->put);
    if (step->operands.count > 0)
        write_list(json->out, "with", &step->operands);
    fprintf(json->out, "}");
    json->any = true;
    return true;
}

static void write_problem_object(const kp_problem *p, FILE *out)
{
    fprintf(out, "  \"problem\": {\"operation\": \"%s\", \"n\": %d, \"k\": %d",
            kp_operation_name(p->operation), p->n, p->k);
    if (kp_operation_reduces(p->operation))
        fprintf(out, ", \"count\": %" PRId64 ", \"type\": \"%s\", \"op\": \"%s\"", kp_elements(p),
                kp_type_name(p->type), kp_operator_name(p->op ? p->op : KP_SUM));
    else
        fprintf(out, ", \"b\": %zu", p->b);
    if (kp_operation_has_root(p->operation))
        fprintf(out, ", \"root\": %d", p->root);
    if (kp_operation_has_target(p->operation))
        fprintf(out, ", \"to\": %d", p->target);
    if (p->in_place)
        fprintf(out, ", \"in_place\": 1");
    if (p->per_process > 0)
        fprintf(out, ", \"per_process\": %d", p->per_process);
    fprintf(out, "},\n");
}

int write_json(const kp_schedule *schedule, FILE *out)
{
    const kp_problem *p = kp_schedule_problem(schedule);
    struct json json = {.out = out};
    if (write_refuses(schedule))
        return EXIT_IMPOSSIBLE;
    fprintf(out, "{\n  \"format\": \"kport schedule\",\n  \"version\": %d,\n", WRITE_VERSION);
    write_problem_object(p, out);
    fprintf(out, "  \"units\": \"%s\",\n  \"scratch\": %" PRId64 ",\n", write_units(schedule),
            kp_schedule_units(schedule, KP_SCRATCH));
    if (p->algorithm->length_bytes > 0)
        fprintf(out, "  \"length_bytes\": %d,\n", p->algorithm->length_bytes);
    if (p->algorithm->pads)
        fprintf(out, "  \"padded\": true,\n");
    fprintf(out, "  \"rounds\": %d,\n  \"steps\": [", kp_schedule_rounds(schedule));
    if (!view_steps(schedule, visit, &json))
        return write_no_memory();
    fprintf(out, "%s]\n}\n", json.any ? "\n  " : "");
    return EXIT_DONE;
}
