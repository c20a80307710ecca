/* Draws a schedule for LaTeX: a whole document of the class standalone, with TikZ. */
#include "tools/kport/files/write.h"

#include "tools/kport/command.h"
#include "tools/kport/files/drawing.h"
#include "tools/kport/files/write_frame.h"

/* Distances of columns and rounds, and of the lines of moves, in hundredths of a centimetre. */
#define COLUMN 260
#define ROUND  200
#define LINE   26

struct tikz {
    FILE *out;
    int round, rank; /* of the latest move */
    int line;        /* how many moves of this processor stand here already */
};

static const char beginning[] = "\\documentclass[tikz, border=5mm]{standalone}\n"
                                "\\usetikzlibrary{arrows.meta}\n"
                                "\\renewcommand{\\familydefault}{\\sfdefault}\n";

static void write_place(FILE *out, int rank, int row, int below)
{
    int down = row * ROUND + below;
    fprintf(out, "(%d.%02d, -%d.%02d)", rank * COLUMN / 100, rank * COLUMN % 100, down / 100,
            down % 100);
}

static void write_columns(FILE *out, int n, int rounds)
{
    for (int i = 0; i < n; i++) {
        fprintf(out, "\\draw[black!25] ");
        write_place(out, i, 0, 0);
        fprintf(out, " -- ");
        write_place(out, i, rounds, 0);
        fprintf(out, ";\n\\node[above] at ");
        write_place(out, i, 0, 0);
        fprintf(out, " {%d};\n", i);
    }
    for (int round = 0; round < rounds; round++) {
        fprintf(out, "\\node[left=6mm, font=\\small] at ");
        write_place(out, 0, round, ROUND / 2);
        fprintf(out, " {round %d};\n", round);
    }
}

/* Writes a move beside the processor's column, below the moves that stand there. */
static void write_move(struct tikz *tikz, const struct view_step *step)
{
    tikz->line = step->round == tikz->round && step->from == tikz->rank ? tikz->line + 1 : 0;
    tikz->round = step->round;
    tikz->rank = step->from;
    fprintf(tikz->out, "\\node[move] at ");
    write_place(tikz->out, step->from, step->round + 1, tikz->line * LINE);
    fprintf(tikz->out, " {");
    drawing_label(tikz->out, step);
    fprintf(tikz->out, " $\\to$");
    write_pieces(tikz->out, &step->put, 1);
    fprintf(tikz->out, "};\n");
}

static bool visit(void *to, const struct view_step *step)
{
    struct tikz *tikz = to;
    if (step->move) {
        write_move(tikz, step);
        return true;
    }
    fprintf(tikz->out, "\\draw[message, port%d] ", step->from_port % DRAWING_COLOURS);
    write_place(tikz->out, step->from, step->round, 0);
    fprintf(tikz->out, " -- node[label] {");
    drawing_label(tikz->out, step);
    fprintf(tikz->out, "} ");
    write_place(tikz->out, step->to, step->round + 1, 0);
    fprintf(tikz->out, ";\n");
    return true;
}

int write_tikz(const kp_schedule *schedule, FILE *out)
{
    const int n = kp_schedule_problem(schedule)->n, rounds = kp_schedule_rounds(schedule);
    struct tikz tikz = {.out = out, .round = -2};
    if (drawing_refuses(schedule))
        return EXIT_IMPOSSIBLE;
    fprintf(out, "%s", beginning);
    for (int i = 0; i < DRAWING_COLOURS; i++)
        fprintf(out, "\\definecolor{port%d}{HTML}{%s}\n", i, drawing_colours[i]);
    fprintf(out, "\\begin{document}\n\\begin{tikzpicture}[\n"
                 "  message/.style={-{Stealth}, semithick, shorten >=1pt},\n"
                 "  label/.style={sloped, above, pos=0.3, inner sep=1pt, font=\\tiny},\n"
                 "  move/.style={right, inner sep=2pt, font=\\tiny, text=black!60}]\n"
                 "\\node[right, font=\\small] at (0, 0.80) {\\texttt{\\detokenize{");
    drawing_title(out, schedule);
    fprintf(out, "}}};\n");
    write_columns(out, n, rounds);
    if (!view_steps(schedule, visit, &tikz))
        return write_no_memory();
    fprintf(out, "\\end{tikzpicture}\n\\end{document}\n");
    return EXIT_DONE;
}
