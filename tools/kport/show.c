/* kport show: a problem's schedule as text. */
#include "command.h"
#include "facts.h"
#include "options.h"
#include "output.h"

#include "lib/draw.h"

static int run(const struct command *command, int count, char **arguments)
{
    const char *text = NULL;
    const struct option_row rows[] = {{0}};
    kp_problem problem;
    kp_schedule *schedule;
    int given = options_read(command, rows, count, arguments, &text, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport show: which problem? usage: kport show %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    if (kp_problem_parse(text, &problem) || kp_schedule_build(&problem, &schedule))
        return facts_refuse();
    FILE *out = output_begin();
    if (!out) {
        kp_schedule_free(schedule);
        return EXIT_FAILED;
    }
    int drawn = kp_draw_text(schedule, out);
    if (drawn)
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
    kp_schedule_free(schedule);
    return output_end(out, drawn ? EXIT_FAILED : EXIT_DONE);
}

const struct command command_show = {
    .name = "show",
    .usage = "PROBLEM",
    .summary = "Who sends how much to whom, round by round",
    .help = "For n up to 16 also the memory of every processor before and after each round, as in\n"
            "Figures 2, 3 and 9 of Bruck et al. 1997.\n\n"
            "Example: kport show index:n=5,k=1,b=1,alg=literal,r=2\n",
    .run = run,
};
