/* The option --bind: for each core, socket or NUMA node, or for each CPU of a list, the machine
 * gets a list of CPUs (kp_config's `cpus`). */
#include "tools/kport/computer/bind.h"

#include "tools/kport/command.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/computer/computer.h"

#include <stdlib.h>
#include <string.h>

#define MOST_LISTED 4096
#define LINE        100 /* a longer text of CPUs is cut when it is printed */

static const char *const words[] = {
    [COMPUTER_CORE] = "core",
    [COMPUTER_SOCKET] = "socket",
    [COMPUTER_NUMA] = "numa",
};

static const char *option; /* what --bind says, or NULL */
static char *cpus;         /* the lists of CPUs */

static int refuse(const char *bind)
{
    fprintf(stderr, "kport: --bind is '%.60s'; on this computer it may be", bind);
    for (int i = 0; i < COMPUTER_CPU; i++) {
        const int count = computer_list((enum computer_part)i, NULL);
        if (count > 0)
            fprintf(stderr, " %s (%d),", words[i], count);
    }
    fprintf(stderr, " or a list of the CPUs ");
    computer_usable(stderr);
    fprintf(stderr, ", each of them once\n");
    return EXIT_IMPOSSIBLE;
}

/* Writes each CPU of a text such as "0,2-3" as a list of its own, in the order of the text. Returns
 * how many there are, or 0 if the text is no list of CPUs that this process may use. */
static int list_each(const char *text, FILE *out)
{
    unsigned listed[MOST_LISTED];
    int count = 0;
    for (char *end; *text; text = end + (*end == ',' && end[1])) {
        unsigned long low = strtoul(text, &end, 10), high = low;
        const bool digit = *text >= '0' && *text <= '9';
        if (digit && *end == '-' && end[1] >= '0' && end[1] <= '9')
            high = strtoul(end + 1, &end, 10);
        if (!digit || (*end && *end != ',') || (*end && !end[1]) || high < low ||
            high - low >= MOST_LISTED)
            return 0;
        for (; low <= high; low++) {
            for (int i = 0; i < count; i++) {
                if (listed[i] == low)
                    return 0;
            }
            if (count == MOST_LISTED || low > 1 << 20 || !computer_has((unsigned)low))
                return 0;
            listed[count++] = (unsigned)low;
            fprintf(out, "%s%lu", count > 1 ? ";" : "", low);
        }
    }
    return count;
}

static int find_lists(const char *bind, FILE *out)
{
    for (int i = 0; i < COMPUTER_CPU; i++) {
        if (strcmp(bind, words[i]) == 0)
            return computer_list((enum computer_part)i, out);
    }
    return list_each(bind, out);
}

/* Returns why --bind cannot be, whatever it says; NULL: it can. */
static const char *hindrance(const kp_config *config)
{
    const struct computer *computer = computer_look();
    if (computer->missing)
        return computer->missing;
    if (!kp_pinning()) /* seldom taken: builds without affinity */
        return "this build cannot keep a thread on a core (Meson option affinity)";
    if (computer->elsewhere)
        return "a variable of hwloc, as HWLOC_SYNTHETIC, shows another computer than this one";
    return config->pin ? "the key pin is given too; it may be one of them" : NULL;
}

int computer_bind(const char *bind, kp_config *config)
{
    size_t length;
    if (!bind)
        return EXIT_DONE;
    if (processes_refuse(config, "--bind", "mpirun binds processes to cores (--bind-to)"))
        return EXIT_IMPOSSIBLE;
    const char *why = hindrance(config);
    if (why) {
        fprintf(stderr, "kport: --bind is given, but %s\n", why);
        return EXIT_IMPOSSIBLE;
    }
    free(cpus);
    FILE *out = open_memstream(&cpus, &length);
    const int count = out ? find_lists(bind, out) : 0;
    if (!out || fclose(out) != 0) {
        fprintf(stderr, "kport: no memory for the CPUs\n");
        return EXIT_IMPOSSIBLE;
    }
    if (count == 0)
        return refuse(bind);
    option = bind;
    config->cpus = cpus;
    return EXIT_DONE;
}

/* --- Printing --- */

void bind_print(const char *before, FILE *out)
{
    if (option)
        fprintf(out, "%sbound by %s: threads on the CPUs %.*s%s\n", before, option, LINE, cpus,
                strlen(cpus) > LINE ? " ..." : "");
}

json_t *bind_json(void)
{
    if (!option)
        return json_null();
    json_t *lists = json_array();
    for (const char *at = cpus; *at;) {
        const size_t length = strcspn(at, ";");
        json_array_append_new(lists, json_stringn(at, length));
        at += length + (at[length] == ';');
    }
    return json_pack("{s:s, s:o}", "option", option, "cpus", lists);
}
