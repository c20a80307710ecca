/* Draws a schedule in the language of Graphviz. A node is a processor between two rounds. */
#include "tools/kport/files/write.h"

#include "tools/kport/command.h"
#include "tools/kport/files/drawing.h"
#include "tools/kport/files/write_frame.h"

/* Writes a row of nodes, side by side: the processors before the first round, or after a round. */
static void write_row(FILE *out, int n, int row)
{
    fprintf(out, "  { rank=same\n");
    if (row == 0)
        fprintf(out, "    t0 [shape=plaintext, label=\"processor\"]\n");
    else
        fprintf(out, "    t%d [shape=plaintext, label=\"after round %d\"]\n", row, row - 1);
    for (int i = 0; i < n; i++) {
        if (row == 0)
            fprintf(out, "    p%d_0 [shape=circle, label=\"%d\"]\n", i, i);
        else
            fprintf(out, "    p%d_%d [shape=point]\n", i, row);
    }
    fprintf(out, "    t%d", row);
    for (int i = 0; i < n; i++)
        fprintf(out, " -> p%d_%d", i, row);
    fprintf(out, " [style=invis]\n  }\n");
}

/* Writes the time of each processor, downwards. It keeps the nodes in columns. */
static void write_columns(FILE *out, int n, int rounds)
{
    for (int i = -1; i < n && rounds > 0; i++) {
        fprintf(out, "  ");
        for (int row = 0; row <= rounds; row++)
            i < 0 ? fprintf(out, "%st%d", row ? " -> " : "", row)
                  : fprintf(out, "%sp%d_%d", row ? " -> " : "", i, row);
        fprintf(out, " [%sarrowhead=none, color=gray80, weight=100]\n",
                i < 0 ? "style=invis, " : "");
    }
}

static bool visit(void *to, const struct view_step *step)
{
    FILE *out = to;
    const char *colour = drawing_colours[step->from_port % DRAWING_COLOURS];
    if (step->move) {
        fprintf(out, "  p%d_%d -> p%d_%d [style=dotted, color=gray40, fontcolor=gray40, label=\"",
                step->from, step->round + 1, step->from, step->round + 1);
        drawing_label(out, step);
        fprintf(out, " ->");
        write_pieces(out, &step->put, 1);
    } else {
        fprintf(out,
                "  p%d_%d -> p%d_%d [constraint=false, color=\"#%s\", fontcolor=\"#%s\", label=\"",
                step->from, step->round, step->to, step->round + 1, colour, colour);
        drawing_label(out, step);
    }
    fprintf(out, "\"]\n");
    return true;
}

int write_dot(const kp_schedule *schedule, FILE *out)
{
    const int n = kp_schedule_problem(schedule)->n, rounds = kp_schedule_rounds(schedule);
    if (drawing_refuses(schedule))
        return EXIT_IMPOSSIBLE;
    fprintf(out, "digraph schedule {\n  label=\"");
    drawing_title(out, schedule);
    fprintf(out, "\"\n  labelloc=t\n  fontname=\"Helvetica\"\n  nodesep=0.9\n  ranksep=0.9\n"
                 "  node [fontname=\"Helvetica\", fontsize=11]\n"
                 "  edge [fontname=\"Helvetica\", fontsize=9, arrowsize=0.6]\n");
    for (int row = 0; row <= rounds; row++)
        write_row(out, n, row);
    write_columns(out, n, rounds);
    if (!view_steps(schedule, visit, out))
        return write_no_memory();
    fprintf(out, "}\n");
    return EXIT_DONE;
}
