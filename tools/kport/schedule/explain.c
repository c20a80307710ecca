/* The command `kport explain`. It prints the candidates for a problem, their predicted times,
 * and which candidate the library chooses. A candidate is an algorithm with values for its
 * parameters. */
#include "lib/call/machine.h"
#include "lib/problem/operation.h"
#include "lib/tune/profile.h"
#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/read.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUALLY_SHOWN 12
/* To find out how the processors carry out the call, the command makes a machine. With more
 * processors than this it makes no machine. */
#define MOST_MADE 4096

struct explained {
    kp_problem problem;
    kp_config machine;
    const kp_profile *profile;
    const char *tuned_by;
    kp_prediction choice, *list;
    int count, room;
    int measured; /* whether the profile has measurements that serve the problem */
    char ways[2][160], thresholds[400];
};

static void add(const kp_prediction *prediction, void *arg)
{
    struct explained *e = arg;
    if (e->count == e->room) {
        int room = e->room ? e->room * 2 : 64;
        kp_prediction *larger = realloc(e->list, (size_t)room * sizeof *larger);
        if (!larger)
            return;
        e->list = larger;
        e->room = room;
    }
    e->list[e->count++] = *prediction;
}

/* Orders candidates in the way in which the library chooses: measured ones first, then by predicted
 * time. If two candidates are equal, their order in the list decides. */
static int by_time(const void *a, const void *b)
{
    const kp_prediction *x = a, *y = b;
    if (x->measured != y->measured)
        return y->measured - x->measured;
    if (x->us != y->us)
        return x->us < y->us ? -1 : 1;
    return (x > y) - (x < y);
}

static const char *how_of(const kp_problem *p, char *text, size_t size)
{
    char whole[256];
    kp_problem_format(p, whole, sizeof whole);
    const char *alg = strstr(whole, ",alg=");
    snprintf(text, size, "%s", alg ? alg + 5 : whole);
    return text;
}

static void print_line(FILE *out, const struct explained *e, const kp_prediction *p, bool chosen)
{
    char how[256];
    how_of(&p->problem, how, sizeof how);
    if (e->machine.discipline == KP_ROUNDS_BY_TUNER)
        snprintf(how + strlen(how), sizeof how - strlen(how), " by %s",
                 kp_discipline_name(p->rounds));
    char ratio[32] = "-";
    if (p->measured)
        snprintf(ratio, sizeof ratio, "%.2f", p->measured_ratio);
    fprintf(out, "%c %-38s %6llu %10llu %11.3f %11.3f %11.3f %15s %11.3f\n", chosen ? '>' : ' ',
            how, (unsigned long long)p->c1, (unsigned long long)p->c2, p->rounds_us, p->bytes_us,
            p->rounds_us + p->bytes_us + p->rest_us, ratio, p->us);
}

static bool is_choice(const struct explained *e, const kp_prediction *p)
{
    return p->rounds == e->choice.rounds && p->problem.algorithm == e->choice.problem.algorithm &&
           memcmp(p->problem.values, e->choice.problem.values, sizeof p->problem.values) == 0;
}

static void print_why(FILE *out, const struct explained *e)
{
    const kp_prediction *second = NULL;
    char how[256];
    for (int i = 0; i < e->count && !second; i++)
        second = is_choice(e, &e->list[i]) ? NULL : &e->list[i];
    fprintf(out, "chosen: %s, rounds by %s, %.3f us", how_of(&e->choice.problem, how, sizeof how),
            kp_discipline_name(e->choice.rounds), e->choice.us);
    if (second && second->us >= e->choice.us && e->choice.us > 0)
        fprintf(out, "; the next, %s, takes %.2f times as long",
                how_of(&second->problem, how, sizeof how), second->us / e->choice.us);
    fprintf(out, "\n");
}

/* Stores texts that say how the first and the last processor carry out the chosen candidate. A text
 * stays empty if this cannot be found out. */
static void find_ways(struct explained *e)
{
    kp_config config = e->machine;
    kp_problem choice = e->choice.problem;
    kp_machine *machine;
    config.processors = choice.n;
    config.ports = choice.k;
    config.discipline = e->choice.rounds;
    if (choice.n > MOST_MADE || config.carrier == KP_CARRIER_MPI)
        return;
    config.per_process = 0; /* the problem has it; the machine is another one */
    if (kp_machine_create(&config, &machine))
        return;
    kp_machine_word_thresholds(machine, e->thresholds, sizeof e->thresholds);
    for (int i = 0; i < 2; i++) {
        if (kp_machine_way(machine, i * (choice.n - 1), &choice, e->problem.algorithm, e->ways[i],
                           sizeof e->ways[i]))
            e->ways[i][0] = '\0';
    }
    (void)kp_machine_destroy(machine);
}

/* What the words of lib/execute/way_words.c mean. doc/manual/guides/tuning.md has this table, too,
 * and the test `choice` compares the two. */
static const struct {
    const char *word, *meaning;
} way_words[] = {
    {"alone", "the only processor waits for nobody"},
    {"pair", "two processors wait for each other directly"},
    {"counter", "in each round all processors wait for all, by one counter"},
    {"core sets", "the processors of a core wait for each other first, and then the cores"},
    {"worker sets", "the fibers of a worker wait for each other first, and then the workers"},
    {"mailboxes", "a processor waits only for those that it has messages from or to"},
    {"eager buffers", "the sender packs its blocks into a buffer of the library, from which the "
                      "receiver takes them"},
    {"long eager buffer", "an eager buffer with more room, for what goes to many"},
    {"eager buffer beside the word", "an eager buffer on the cache line of the word by which the "
                                     "two wait"},
    {"in boxes", "the message lies in the mailbox itself"},
    {"in place", "blocks are copied once, straight from one caller's buffer to the other's"},
    {"receivers copy", "the receiver makes all of this copy"},
    {"senders copy", "the sender makes all of this copy"},
    {"both ends copy", "sender and receiver make a part of this copy each"},
    {"one for all of its core", "one thread may make the last round's copies for all threads of "
                                "its core"},
    {"past the cache", "stores do not go through the cache"},
    {"by a table of lengths", "blocks have lengths of their own, which the processors exchange "
                              "first"},
    {"in slots", "the sender's eager buffer has a slot for each receiver, with its block or, of a "
                 "long one, the block's address"},
    {"lengths by the barrier", "blocks have lengths of their own; the barrier adds up hashes of "
                               "them, so the processors find out whether sender and receiver of "
                               "each name the same one"},
    {"kept code", "the first call makes a list of copies from the schedule, which later calls use "
                  "again"},
    {"one message", "such a list, of one message to send and one to receive at most"},
    {"code as it is written", "the list would be long, so each call makes it anew, part by part"},
};

/* Returns whether a way has this word, between the marks that separate words. */
static bool has_word(const char *way, const char *word)
{
    const char *at = strstr(way, word);
    const char *end = at ? at + strlen(word) : NULL;
    return at && (at == way || at[-1] == ' ') && (*end == '\0' || strchr(";, ", *end));
}

static void print_way_words(FILE *out, const struct explained *e)
{
    for (size_t i = 0; i < sizeof way_words / sizeof way_words[0]; i++) {
        const char *word = way_words[i].word;
        if (has_word(e->ways[0], word) || has_word(e->ways[1], word))
            fprintf(out, "  %s: %s\n", word, way_words[i].meaning);
    }
}

/* Prints each of the thresholds, which "; " separates, in a line. */
static void print_thresholds(FILE *out, const char *text)
{
    fprintf(out, "thresholds:\n");
    for (const char *end; (end = strstr(text, "; ")) != NULL; text = end + 2)
        fprintf(out, "  %.*s\n", (int)(end - text), text);
    fprintf(out, "  %s\n", text);
}

static void print_ways(FILE *out, const struct explained *e)
{
    if (e->machine.carrier == KP_CARRIER_MPI)
        fprintf(out, "carried out by: not told of processes, which mpirun starts\n");
    else if (!e->ways[0][0])
        fprintf(out, "carried out by: not told of more than %d processors\n", MOST_MADE);
    else if (strcmp(e->ways[0], e->ways[1]) == 0)
        fprintf(out, "carried out by: %s\n", e->ways[0]);
    else
        fprintf(out, "carried out by: %s; by the last processor: %s\n", e->ways[0], e->ways[1]);
    print_way_words(out, e);
    if (e->thresholds[0])
        print_thresholds(out, e->thresholds);
}

static bool own_model(const struct explained *e)
{
    return e->machine.beta_us > 0 || e->machine.tau_us > 0;
}

/* Over an MPI neither a profile nor the linear model predicts by default (lib/cost/work.h). */
static bool by_work(const struct explained *e)
{
    return e->machine.carrier == KP_CARRIER_MPI && !e->measured &&
           e->machine.tuning != KP_TUNING_BUILTIN && !own_model(e);
}

/* The disciplines by which a profile may have measured the problem. */
static const kp_discipline disciplines[] = {KP_ROUNDS_BY_BARRIER, KP_ROUNDS_BY_MAILBOXES};

/* Prints the formula that kport tune has fitted, and its constants, by each measured discipline. */
static void print_fitted(const struct explained *e, FILE *out)
{
    fprintf(out,
            "model us = rounds us (gamma1 C1 beta) + bytes us (gamma2 C2 tau) + gamma3, fitted "
            "by kport tune\n");
    for (size_t i = 0; i < sizeof disciplines / sizeof disciplines[0]; i++) {
        const struct kp_setting *s =
            kp_predict_setting(e->profile, &e->machine, &e->problem, disciplines[i]);
        const double *gamma = s ? s->operations[e->problem.operation]->gamma : NULL;
        if (s)
            fprintf(out,
                    "  by %s: beta = %.4g us, tau = %.4g us a byte, gamma1 = %.4g, gamma2 = %.4g, "
                    "gamma3 = %.4g us\n",
                    kp_discipline_name(disciplines[i]), s->beta_us, s->tau_us, gamma[0], gamma[1],
                    gamma[2]);
    }
    fprintf(out,
            "expected us = model us, times measured/model; -: kport tune has not measured it\n");
}

/* Returns the time in which one processor copies all bytes that must move, or 0: the time of the
 * bytes has no limit (kp_model). */
static double copy_us(const struct explained *e, const kp_model *model)
{
    const kp_problem *p = &e->problem;
    const bool in_processes = p->per_process > 1 && p->per_process < p->n;
    const bool all_send = kp_operation_row(p->operation)->traffic == KP_TRAFFIC_GOSSIP;
    return in_processes || all_send ? 0 : model->copy_us * kp_operation_bytes(p);
}

/* Prints the formula of the linear model, and its constants. */
static void print_linear(const struct explained *e, FILE *out)
{
    const kp_model model = kp_model_of(&e->machine, e->problem.n, e->problem.k);
    const double copy = copy_us(e, &model);
    const bool in_processes = e->problem.per_process > 1 && e->problem.per_process < e->problem.n;
    fprintf(out, "model us = rounds us (C1 beta) + bytes us (C2 tau%s)%s\n",
            copy > 0 ? ", or C1 times copy if that is less" : "",
            in_processes ? ", of the messages between processes; of those within, a tenth" : "");
    fprintf(out, "  %s: beta = %.4g us, tau = %.4g us a byte",
            own_model(e) ? "by --beta and --tau" : "by the built-in model", model.beta_us,
            model.tau_us);
    if (copy > 0)
        fprintf(out,
                ", copy = %.4g us, the time for one processor to copy all bytes that move (%.0f at "
                "%.4g us a byte)",
                copy, kp_operation_bytes(&e->problem), model.copy_us);
    fprintf(out, "\n");
}

/* Prints that the profile has not measured the problem, and the command that does. */
static void print_not_measured(const struct explained *e, FILE *out)
{
    static const char *const rounds[] = {"", " --rounds mailboxes", " --rounds both"};
    const bool threads = e->machine.carrier == KP_CARRIER_THREADS;
    fprintf(out, "the profile has nothing for it, but kport tune -n %d -k %d%s%s%s measures it\n",
            e->problem.n, e->problem.k, threads ? "" : " --carrier ",
            threads ? "" : kp_carrier_name(e->machine.carrier), rounds[e->machine.discipline]);
}

static void print_model(const struct explained *e, FILE *out)
{
    if (by_work(e)) {
        fprintf(out, "predicted: the work of the messages, of processors that share cores\n");
    } else if (e->measured) {
        print_fitted(e, out);
    } else {
        if (e->profile && !own_model(e))
            print_not_measured(e, out);
        print_linear(e, out);
    }
}

static void print(const struct explained *e, FILE *out, int shown)
{
    char text[256], machine[64];
    kp_problem_format(&e->problem, text, sizeof text);
    machine_keys_format(&e->machine, machine, sizeof machine);
    fprintf(out, "%s%s\ntuned by %s\n", text, machine, e->tuned_by);
    print_model(e, out);
    fprintf(out, "\n");
    fprintf(out, "  %-38s %6s %10s %11s %11s %11s %15s %11s\n", "candidate", "C1", "C2",
            "rounds us", "bytes us", "model us", "measured/model", "expected us");
    bool there = false;
    for (int i = 0; i < e->count && i < shown; i++) {
        print_line(out, e, &e->list[i], is_choice(e, &e->list[i]));
        there = there || is_choice(e, &e->list[i]);
    }
    if (!there)
        print_line(out, e, &e->choice, true);
    if (e->count > shown)
        fprintf(out, "  and %d more (--all)\n", e->count - shown);
    fprintf(out, "\n");
    print_why(out, e);
    print_ways(out, e);
}

static json_t *prediction_json(const kp_prediction *p)
{
    char how[256];
    return json_pack("{sssssIsIsfsfsfsfsfsb}", "how", how_of(&p->problem, how, sizeof how),
                     "rounds", kp_discipline_name(p->rounds), "c1", (json_int_t)p->c1, "c2",
                     (json_int_t)p->c2, "rounds_us", p->rounds_us, "bytes_us", p->bytes_us,
                     "rest_us", p->rest_us, "ratio", p->measured_ratio, "predicted_us", p->us,
                     "measured", p->measured);
}

/* The constants of the formula, of each discipline that was measured; of the linear model, gamma is
 * null. */
static json_t *models_json(const struct explained *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof disciplines / sizeof disciplines[0]; i++) {
        const struct kp_setting *s =
            kp_predict_setting(e->profile, &e->machine, &e->problem, disciplines[i]);
        const double *gamma = s ? s->operations[e->problem.operation]->gamma : NULL;
        if (s)
            json_array_append_new(list, json_pack("{sssfsfs[fff]sn}", "rounds",
                                                  kp_discipline_name(disciplines[i]), "beta_us",
                                                  s->beta_us, "tau_us", s->tau_us, "gamma",
                                                  gamma[0], gamma[1], gamma[2], "copy_us"));
    }
    if (e->measured || by_work(e))
        return list;
    const kp_model model = kp_model_of(&e->machine, e->problem.n, e->problem.k);
    const double copy = copy_us(e, &model);
    json_array_append_new(list,
                          json_pack("{sssfsfsnso}", "rounds", kp_discipline_name(e->choice.rounds),
                                    "beta_us", model.beta_us, "tau_us", model.tau_us, "gamma",
                                    "copy_us", copy > 0 ? json_real(copy) : json_null()));
    return list;
}

static void print_json(const struct explained *e, FILE *out)
{
    char text[256];
    json_t *list = json_array();
    for (int i = 0; i < e->count; i++)
        json_array_append_new(list, prediction_json(&e->list[i]));
    kp_problem_format(&e->problem, text, sizeof text);
    output_json(out, "explain",
                json_pack("{sssssbsososos[ss]ss}", "problem", text, "tuned_by", e->tuned_by,
                          "profile_serves", e->measured, "models", models_json(e), "choice",
                          prediction_json(&e->choice), "candidates", list, "ways", e->ways[0],
                          e->ways[1], "thresholds", e->thresholds));
}

static int explain(struct explained *e, bool all, bool json)
{
    if (kp_predict(&e->machine, e->profile, &e->problem, add, e, &e->choice))
        return facts_refuse();
    kp_schedule *schedule;
    int status = facts_build_right(&e->choice.problem, &schedule);
    kp_schedule_free(schedule);
    if (status)
        return status;
    e->measured = kp_profile_serves(e->profile, &e->machine, &e->problem);
    qsort(e->list, (size_t)e->count, sizeof *e->list, by_time);
    find_ways(e);
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (json)
        print_json(e, out);
    else
        print(e, out, all ? e->count : USUALLY_SHOWN);
    return output_end(out, EXIT_DONE);
}

static int run(const struct command *command, int count, char **arguments)
{
    int all = 0, json = 0;
    const char *text = NULL;
    char problem[512];
    struct explained e = {.list = NULL};
    struct choice_wish wish = {.tune = NULL};
    const struct option_row rows[] = {{"--all", OPTION_FLAG, &all, 0, 0},
                                      {"--json", OPTION_FLAG, &json, 0, 0},
                                      CHOICE_OPTIONS(wish),
                                      {NULL, OPTION_FLAG, NULL, 0, 0}};
    int given = options_read(command, rows, count, arguments, &text, 1);
    if (given < 0)
        return options_status(given);
    if (!text) {
        fprintf(stderr, "kport explain: a problem is missing, as index:n=64,k=1,b=256\n");
        return EXIT_IMPOSSIBLE;
    }
    int status = machine_keys_take(text, problem, sizeof problem, &e.machine);
    status = status ? status : read_argument(problem, &e.problem);
    status = status ? status : choice_by(&wish, &e.machine);
    if (!status) {
        e.profile = choice_profile(&e.tuned_by);
        status = explain(&e, all, json);
    }
    free(e.list);
    return status;
}

const struct command command_explain = {
    .name = "explain",
    .usage = "PROBLEM|@FILE [--all] [--json] [--tune builtin|FILE] [--beta US] [--tau US]",
    .summary = "The algorithms that can serve a problem, their predicted times, the choice",
    .help =
        "A row for each candidate, the best first. C1 and C2 are its rounds and bytes. The model's "
        "time is\n"
        "that of the rounds, that of the bytes, and what a profile says of the rest; the lines "
        "above the rows\n"
        "have its constants. Without a profile the bytes take at most C1 times the time in which "
        "one\n"
        "processor copies all that must move. measured/model is what kport tune measured near "
        "this length,\n"
        "by the model's time; - means not measured. The time that is expected is the model's "
        "time, times\n"
        "measured/model. A call uses the first candidate.\n"
        "\n"
        "The lines at the end say how the first and the last processor carry the call out: what "
        "keeps\n"
        "the rounds apart, where bytes lie meanwhile, and who copies them. Each word is explained "
        "below.\n"
        "The thresholds are the lengths from which this machine does it in another way. The keys "
        "carrier,\n"
        "workers, rounds and pin in the problem say on what machine.\n"
        "\n"
        "  --all   all candidates, not only the first 12\n"
        "  --json  for programs\n"
        "\n" CHOICE_HELP "\n"
        "Example: kport explain index:n=64,k=1,b=256\n",
    .run = run,
};
