/* What --bind says as lists of CPUs: one for each core, socket or NUMA node, or one for each CPU of
 * a list. */
#include "tools/kport/computer/cpus.h"

#include "tools/kport/computer/look.h"

#include <kport.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LISTED 4096

static const char *const words[] = {
    [COMPUTER_CORE] = "core",
    [COMPUTER_SOCKET] = "socket",
    [COMPUTER_NUMA] = "numa",
};

static bool refuse(const char *who, const char *bind)
{
    fprintf(stderr, "%s: --bind is '%.60s'; on this computer it may be", who, bind);
    for (int i = 0; i < COMPUTER_CPU; i++) {
        const int count = computer_list((enum computer_part)i, NULL);
        if (count > 0)
            fprintf(stderr, " %s (%d),", words[i], count);
    }
    fprintf(stderr, " or a list of the CPUs ");
    computer_usable(stderr);
    fprintf(stderr, ", each of them once\n");
    return false;
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
static const char *hindrance(void)
{
    const struct computer *computer = computer_look();
    if (computer->missing)
        return computer->missing;
    if (!kp_pinning()) /* seldom taken: builds without affinity */
        return "this build cannot keep a thread on a core (Meson option affinity)";
    if (computer->elsewhere)
        return "a variable of hwloc, as HWLOC_SYNTHETIC, shows another computer than this one";
    return NULL;
}

bool computer_cpus(const char *who, const char *bind, char **cpus)
{
    size_t length;
    const char *why = hindrance();
    *cpus = NULL;
    if (why) {
        fprintf(stderr, "%s: --bind is given, but %s\n", who, why);
        return false;
    }
    FILE *out = open_memstream(cpus, &length);
    const int count = out ? find_lists(bind, out) : 0;
    if (!out || fclose(out) != 0) {
        fprintf(stderr, "%s: no memory for the CPUs\n", who);
        return false;
    }
    return count > 0 || refuse(who, bind);
}
