#include "tools/kport/files/drawing.h"

#include "tools/kport/files/write_frame.h"

#include <string.h>

const char *const drawing_colours[DRAWING_COLOURS] = {"1F77B4", "D62728", "2CA02C", "9467BD",
                                                      "FF7F0E", "8C564B", "17BECF", "7F7F7F"};

bool drawing_refuses(const kp_schedule *schedule)
{
    const int n = kp_schedule_problem(schedule)->n, rounds = kp_schedule_rounds(schedule);
    if (n <= DRAWING_N && rounds <= DRAWING_ROUNDS) {
        const kp_cost cost = kp_schedule_cost(schedule, kp_schedule_problem(schedule)->b);
        if (cost.messages <= DRAWING_MESSAGES)
            return false;
    }
    fprintf(stderr,
            "kport: a drawing may have up to %d processors, %d rounds and %d messages; n is %d, "
            "and the schedule has %d rounds\n",
            DRAWING_N, DRAWING_ROUNDS, DRAWING_MESSAGES, n, rounds);
    return true;
}

void drawing_label(FILE *out, const struct view_step *step)
{
    if (step->side != KP_COPY)
        fprintf(out, "+");
    write_pieces(out, &step->sent, 2);
}

void drawing_title(FILE *out, const kp_schedule *schedule)
{
    char text[512];
    kp_problem_format(kp_schedule_problem(schedule), text, sizeof text);
    for (const char *c = text; *c; c++)
        fputc(*c < ' ' || *c > '~' || strchr("\"\\%{}#", *c) ? '?' : *c, out);
}
