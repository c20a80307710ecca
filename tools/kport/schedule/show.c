/* The command `kport show`. It prints the schedule of a problem as text, or draws it as SVG. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"
#include "tools/kport/schedule/picture.h"

#include "lib/draw/draw.h"

/* The options of the command line. */
struct wish {
    const char *problem, *svg, *tree;
    struct choice_wish choice;
    int json;
};

static int draw(const kp_schedule *schedule, const struct wish *wish)
{
    uint64_t tree = 0;
    int rank = KP_DRAW_NO_TREE, n = kp_schedule_problem(schedule)->n;
    if (wish->tree) {
        if (!options_number("--tree", wish->tree, 0, (uint64_t)n - 1, &tree))
            return EXIT_IMPOSSIBLE;
        rank = (int)tree;
    }
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    int drawn = wish->svg ? kp_draw_svg(schedule, rank, out) : kp_draw_text(schedule, rank, out);
    int status = drawn ? EXIT_IMPOSSIBLE : EXIT_DONE;
    if (drawn)
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
    return output_end_in(out, status, wish->svg ? wish->svg : "-");
}

static int run(const struct command *command, int count, char **arguments)
{
    if (msccl_is_asked(count, arguments))
        return msccl_show(command, count, arguments);
    struct wish wish = {.problem = NULL};
    const struct option_row rows[] = {{"--svg", OPTION_TEXT, &wish.svg, 0, 0},
                                      {"--tree", OPTION_TEXT, &wish.tree, 0, 0},
                                      CHOICE_OPTIONS(wish.choice),
                                      {"--json", OPTION_FLAG, &wish.json, 0, 0},
                                      {0}};
    kp_problem problem;
    kp_schedule *schedule;
    int given = options_read(command, rows, count, arguments, &wish.problem, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport show: which problem? usage: kport show %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    if (wish.json && (wish.svg || wish.tree)) {
        fprintf(stderr, "kport show: --json is given with %s; it may be one of them\n",
                wish.svg ? "--svg" : "--tree");
        return EXIT_IMPOSSIBLE;
    }
    int status = choice_read(wish.problem, &wish.choice, &problem);
    if (wish.json && !status)
        return picture_print_json(&problem);
    status = status ? status : facts_build_right(&problem, &schedule);
    if (status)
        return status == EXIT_FAILED && wish.svg ? picture_draw_wrong(&problem, wish.svg) : status;
    status = draw(schedule, &wish);
    kp_schedule_free(schedule);
    return status;
}

const struct command command_show = {
    .name = "show",
    .usage = "PROBLEM|@FILE [--svg FILE] [--tree RANK] [--json] [--tune builtin|FILE] [--beta US] "
             "[--tau US] | FILE.xml [--svg FILE]",
    .summary = "Who sends how much to whom, round by round",
    .help =
        "Prints the schedule that `run` executes, as text. With --svg it draws a picture: time "
        "goes\n"
        "downwards, a processor is a column, a message is an arrow. For n up to 16 the memory "
        "of every\n"
        "processor before and after each round follows.\n"
        "\n"
        "  --svg FILE    writes the picture, for up to 128 processors and 64 rounds; - is "
        "standard\n"
        "                output. Of a wrong schedule the sentence of `kport check` stands in it, "
        "and\n"
        "                the message and the place that are wrong are red; the status is 1 then\n"
        "  --tree RANK   also where the data of that processor go: the spanning tree of a "
        "block that\n"
        "                goes to all\n"
        "  --json        for programs: the steps, as `kport export --format json` writes them, "
        "and the\n"
        "                memory after each round. Of a wrong schedule also the place where it "
        "is wrong;\n"
        "                the status is 1 then\n"
        "\n" MSCCL_SHOW_HELP CHOICE_HELP "\n"
        "The figures of Bruck et al. 1997, as text or with --svg:\n\n"
        "  Fig. 2, 3   kport show index:n=5,k=1,b=1,alg=literal,r=2\n"
        "  Fig. 7      kport show concat:n=9,k=2,b=1,alg=circulant --tree 0\n"
        "  Fig. 8      kport show concat:n=9,k=2,b=1,alg=circulant --tree 1\n"
        "  Fig. 9      kport show concat:n=5,k=1,b=1,alg=literal\n\n"
        "Example: kport show index:n=5,k=1,b=1,alg=literal,r=2 --svg -\n",
    .run = run,
};
