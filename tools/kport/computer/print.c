/* Tells what is known of the computer, as text and as JSON. */
#include "tools/kport/computer/bind.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/computer/look.h"

#include "lib/tune/profile.h"
#include "ports/port.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MOST_CPUS 4096 /* whose governor is read */

/* --- The governor --- */

/* Adds the word unless it is one of those in the text. */
static void add_once(char *text, size_t size, const char *word)
{
    const size_t length = strlen(word), used = strlen(text);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        if ((at == text || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return;
    }
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", word);
}

/* hwloc takes a folder with a copy of some system's files for the root, if HWLOC_FSROOT names it.
 * So does this function. */
void computer_governor(char *text, size_t size)
{
    const char *root = getenv("HWLOC_FSROOT");
    long cpus = root ? MOST_CPUS : sysconf(_SC_NPROCESSORS_CONF);
    text[0] = '\0';
    for (long i = 0; i < cpus && i < MOST_CPUS; i++) {
        char path[4096], word[32];
        snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_governor",
                 root ? root : "", i);
        FILE *f = fopen(path, "re");
        if (!f)
            continue;
        if (fscanf(f, "%31s", word) == 1)
            add_once(text, size, word);
        fclose(f);
    }
}

void computer_load(char *text, size_t size)
{
    double loads[3];
    FILE *file = fopen("/proc/loadavg", "re");
    text[0] = '\0';
    if (file && fscanf(file, "%lf %lf %lf", &loads[0], &loads[1], &loads[2]) == 3)
        snprintf(text, size, "%.2f %.2f %.2f", loads[0], loads[1], loads[2]);
    if (file)
        fclose(file);
}

/* Returns the processor's name, or "". The system's name comes first, as profiles and figures have
 * it; in a virtual machine hwloc may know another one. */
static const char *processor_name(const struct computer *computer)
{
    static char name[96];
    if (!computer->elsewhere && !name[0])
        kp_revision_processor(name, sizeof name);
    return name[0] ? name : computer->processor;
}

/* --- As text --- */

static void print_caches(const struct computer *computer, FILE *out)
{
    for (int i = 0; i < computer->cache_count; i++) {
        const struct computer_cache *cache = &computer->caches[i];
        const bool mega = cache->bytes >= 1 << 20 && cache->bytes % (1 << 20) == 0;
        fprintf(out, "%s L%d %d x %" PRIu64 " %s", i > 0 ? "," : "; caches", cache->level,
                cache->count, cache->bytes >> (mega ? 20 : 10), mega ? "MiB" : "KiB");
    }
}

void computer_print(const char *before, FILE *out)
{
    char governor[64], load[64];
    const struct computer *computer = computer_look();
    const char *processor = processor_name(computer);
    computer_governor(governor, sizeof governor);
    fprintf(out, "%scomputer: ", before);
    if (computer->missing) {
        fprintf(out, "%s", computer->missing);
    } else {
        fprintf(out, "%s%s%spackages %d, cores %d, hardware threads %d, NUMA nodes %d",
                computer->elsewhere ? "not this one, by a variable of hwloc; " : "", processor,
                processor[0] ? "; " : "", computer->packages, computer->cores, computer->threads,
                computer->nodes);
        print_caches(computer, out);
    }
    computer_load(load, sizeof load);
    fprintf(out, "; governor %s; kport compiled with " KP_COMPILED_WITH "%s%s\n",
            governor[0] ? governor : "not told by the system", load[0] ? "; load " : "", load);
    bind_print(before, out);
}

bool computer_is_crowded(const kp_config *config, int n)
{
    return config->carrier == KP_CARRIER_THREADS && n > kp_cores();
}

void computer_crowd_print(const char *before, const kp_config *config, int n, FILE *out)
{
    const int cpus = kp_cores();
    if (computer_is_crowded(config, n))
        fprintf(out,
                "%s%d threads on %d CPU%s: a round costs context switches, so these times say more "
                "about the scheduler than about the messages\n",
                before, n, cpus, cpus == 1 ? "" : "s");
}

/* --- As JSON --- */

static json_t *computer_object(void)
{
    char governor[64], load[64];
    const struct computer *computer = computer_look();
    computer_governor(governor, sizeof governor);
    computer_load(load, sizeof load);
    const char *processor = processor_name(computer);
    char date[32];
    const time_t now = time(NULL);
    struct tm utc;
    struct utsname system;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    const bool known = uname(&system) == 0;
    json_t *o =
        json_pack("{s:s?, s:s, s:s?, s:s}", "governor", governor[0] ? governor : NULL,
                  "compiled_with", KP_COMPILED_WITH, "load", load[0] ? load : NULL, "date", date);
    json_object_set_new(
        o, "system",
        known ? json_sprintf("%s %s %s", system.sysname, system.release, system.machine)
              : json_null());
    if (computer->missing) {
        json_object_set_new(o, "missing", json_string(computer->missing));
        return o;
    }
    json_object_set_new(o, "this_one", json_boolean(!computer->elsewhere));
    json_object_set_new(o, "processor", processor[0] ? json_string(processor) : json_null());
    json_object_set_new(o, "packages", json_integer(computer->packages));
    json_object_set_new(o, "cores", json_integer(computer->cores));
    json_object_set_new(o, "hardware_threads", json_integer(computer->threads));
    json_object_set_new(o, "numa_nodes", json_integer(computer->nodes));
    json_t *caches = json_array();
    for (int i = 0; i < computer->cache_count; i++) {
        const struct computer_cache *cache = &computer->caches[i];
        json_array_append_new(caches, json_pack("{sisIsi}", "level", cache->level, "bytes",
                                                (json_int_t)cache->bytes, "count", cache->count));
    }
    json_object_set_new(o, "caches", caches);
    return o;
}

void computer_json(json_t *object)
{
    json_object_set_new(object, "computer", computer_object());
    json_object_set_new(object, "bind", bind_json());
}

void computer_json_print(FILE *out)
{
    json_t *both = json_object();
    computer_json(both);
    char *text = json_dumps(both, 0);
    json_decref(both);
    if (text && strlen(text) > 2)
        fprintf(out, "%.*s, ", (int)strlen(text) - 2, text + 1);
    free(text);
}
