#include "tools/kport/files/write_frame.h"

#include "lib/problem/operation.h"
#include "tools/kport/command.h"
#include "tools/kport/files/file.h"

#include <inttypes.h>
#include <stdio.h>

const char *const write_spaces[KP_SPACES] = {"out", "in", "scratch"};
const char *const write_sides[] = {[KP_COPY] = "", [KP_LEFT] = "left", [KP_RIGHT] = "right"};

void write_problem(const kp_schedule *schedule, char *text, size_t size)
{
    kp_problem plain = *kp_schedule_problem(schedule);
    plain.algorithm = NULL;
    kp_problem_format(&plain, text, size);
}

const char *write_units(const kp_schedule *schedule)
{
    if (kp_schedule_unit_of_block(schedule) == 1)
        return "blocks";
    return kp_operation_reduces(kp_schedule_problem(schedule)->operation) ? "elements" : "bytes";
}

void write_pieces(FILE *out, const struct view_pieces *pieces, size_t most)
{
    for (size_t i = 0; i < pieces->count && i < most; i++) {
        const kp_piece *piece = &pieces->list[i];
        fprintf(out, " %s[%" PRId64, write_spaces[piece->space], piece->first);
        if (piece->run > 1)
            fprintf(out, "..%" PRId64, piece->first + piece->run - 1);
        if (piece->count > 1)
            fprintf(out, " by %" PRId64 " x %" PRId64, piece->stride, piece->count);
        fprintf(out, "]");
    }
    if (pieces->count > most)
        fprintf(out, " ...");
}

bool write_refuses(const kp_schedule *schedule)
{
    const int n = kp_schedule_problem(schedule)->n;
    if (n > FILE_PROCESSORS)
        fprintf(stderr, "kport: n is %d; in a file it may be 1 ... %d\n", n, FILE_PROCESSORS);
    return n > FILE_PROCESSORS;
}

int write_no_memory(void)
{
    fprintf(stderr, "kport: no memory to write the schedule\n");
    return EXIT_IMPOSSIBLE;
}
