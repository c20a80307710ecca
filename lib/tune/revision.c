/* The revision of a profile (`stamp` in the file) names the version, the machine and the algorithms
 * for which the profile was made. kport refuses a profile of another machine or version, because
 * its times say nothing about this machine and version. If an algorithm has changed, kport leaves
 * out only settings that name it. */
#include "lib/tune/profile.h"

#include "lib/problem/operation.h"
#include "lib/problem/rows.h"
#include "ports/port.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#define HASH_OF_NOTHING UINT64_C(0xcbf29ce484222325)

static uint64_t mix_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * UINT64_C(0x100000001b3);
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = mix_byte(hash, (unsigned char)*text);
    return mix_byte(hash, 0);
}

/* Adds the name, the restriction, the parameters and their words to the hash, in this order
 * (FNV-1a). */
static uint64_t mix_algorithm(uint64_t hash, const kp_algorithm *a)
{
    hash = mix_text(hash, kp_operation_name(a->operation));
    hash = mix_text(hash, a->name);
    hash = mix_text(hash, a->restriction);
    for (int j = 0; j < KP_PARAMETERS && a->parameters[j].name; j++) {
        hash = mix_text(hash, a->parameters[j].name);
        hash = mix_text(hash, a->parameters[j].range);
        for (int w = 0; a->parameters[j].words && a->parameters[j].words[w]; w++)
            hash = mix_text(hash, a->parameters[j].words[w]);
    }
    return hash;
}

uint64_t kp_revision_table(bool registered)
{
    const kp_algorithm *algorithm;
    uint64_t hash = HASH_OF_NOTHING;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (registered || kp_row_is_library(algorithm))
            hash = mix_algorithm(hash, algorithm);
    }
    return hash;
}

void kp_revision_algorithm(const kp_algorithm *algorithm, char *text, size_t size)
{
    snprintf(text, size, "%s %s %016llx", kp_operation_name(algorithm->operation), algorithm->name,
             (unsigned long long)mix_algorithm(HASH_OF_NOTHING, algorithm));
}

/* Replaces each byte that is not allowed in a text of a profile. */
static void make_plain(char *text)
{
    for (; *text; text++) {
        if (*text < 0x20 || *text >= 0x7f || *text == '"' || *text == '\\')
            *text = ' ';
    }
}

void kp_revision_processor(char *name, size_t size)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "%s", "");
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (f)
        fclose(f);
}

void kp_revision_here(struct kp_revision *revision)
{
    struct utsname system;
    char model[96];
    kp_revision_processor(model, sizeof model);
    if (uname(&system) < 0)
        memcpy(system.machine, "?", 2);
    snprintf(revision->version, sizeof revision->version, "%s, %s, %s", kp_version(),
             kp_fibers() ? kp_fibers() : "no fibers", kp_waiting());
    snprintf(revision->table, sizeof revision->table, "%016llx",
             (unsigned long long)kp_revision_table(false));
    snprintf(revision->machine, sizeof revision->machine, "%.32s, %s, %d cores", system.machine,
             model[0] ? model : "an unnamed processor", kp_cores());
    make_plain(revision->version);
    make_plain(revision->machine);
}
