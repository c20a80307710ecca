#include "tools/kport/common/machine_keys.h"

#include "lib/problem/fields.h"
#include "tools/kport/command.h"
#include "tools/kport/files/read.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* One machine key, the words or numbers that may be its value, and the functions that set and read
 * its field of the configuration. */
struct machine_key {
    const char *name;
    bool of_problem; /* true: it is a key of the problem too, and stays in the problem's text */
    const char *const *words; /* the words that may be the value; NULL if the value is a number from
                                 `low` to `high` */
    uint64_t low, high;
    void (*set)(kp_config *config, uint64_t value);
    uint64_t (*get)(const kp_config *config); /* returns 0 if the field has its default value */
};

static void set_carrier(kp_config *config, uint64_t value)
{
    config->carrier = (kp_carrier)value;
}

static uint64_t get_carrier(const kp_config *config)
{
    return (uint64_t)config->carrier;
}

static void set_workers(kp_config *config, uint64_t value)
{
    config->workers = (int)value;
}

static uint64_t get_workers(const kp_config *config)
{
    return (uint64_t)config->workers;
}

static void set_discipline(kp_config *config, uint64_t value)
{
    config->discipline = (kp_discipline)value;
}

static uint64_t get_discipline(const kp_config *config)
{
    return (uint64_t)config->discipline;
}

static void set_generations(kp_config *config, uint64_t value)
{
    config->generations = (int)value;
}

static uint64_t get_generations(const kp_config *config)
{
    return (uint64_t)config->generations;
}

static void set_pin(kp_config *config, uint64_t value)
{
    config->pin = (int)value;
}

static uint64_t get_pin(const kp_config *config)
{
    return (uint64_t)config->pin;
}

static void set_progress(kp_config *config, uint64_t value)
{
    config->progress = (int)value;
}

static uint64_t get_progress(const kp_config *config)
{
    return (uint64_t)config->progress;
}

static void set_per_process(kp_config *config, uint64_t value)
{
    config->per_process = (int)value;
}

static uint64_t get_per_process(const kp_config *config)
{
    return (uint64_t)config->per_process;
}

static const char *const disciplines[] = {"barrier", "mailboxes", "tuned", NULL};
static const char *const carriers[] = {"threads", "fibers", "mpi", NULL};

static const struct machine_key keys[] = {
    {.name = "carrier", .words = carriers, .set = set_carrier, .get = get_carrier},
    {.name = "workers", .low = 1, .high = 1048575, .set = set_workers, .get = get_workers},
    {.name = "rounds", .words = disciplines, .set = set_discipline, .get = get_discipline},
    {.name = "generations", .low = 2, .high = 1024, .set = set_generations, .get = get_generations},
    {.name = "per_process",
     .of_problem = true,
     .low = 1,
     .high = 4096,
     .set = set_per_process,
     .get = get_per_process},
    {.name = "progress", .low = 0, .high = 1, .set = set_progress, .get = get_progress},
    {.name = "pin", .low = 0, .high = 2, .set = set_pin, .get = get_pin},
};

#define KEYS (sizeof keys / sizeof keys[0])

static int refuse_word(const struct kp_field *field, const char *const *words)
{
    fprintf(stderr, "kport: %.*s is '%.*s'; it may be", KP_WORD(field->key), KP_WORD(field->value));
    for (int i = 0; words[i]; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : words[i + 1] ? "," : " or", words[i]);
    fprintf(stderr, "\n");
    return EXIT_IMPOSSIBLE;
}

static int set_field(const struct machine_key *key, const struct kp_field *field, kp_config *config)
{
    uint64_t number;
    for (int i = 0; key->words && key->words[i]; i++) {
        if (kp_word_is(field->value, key->words[i])) {
            key->set(config, (uint64_t)i);
            return EXIT_DONE;
        }
    }
    if (key->words)
        return refuse_word(field, key->words);
    if (kp_field_number(field, key->low, key->high, &number)) {
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
        return EXIT_IMPOSSIBLE;
    }
    key->set(config, number);
    return EXIT_DONE;
}

static const struct machine_key *find(const char *text, size_t length)
{
    for (size_t i = 0; i < KEYS; i++) {
        size_t name = strlen(keys[i].name);
        if (length > name && text[name] == '=' && memcmp(text, keys[i].name, name) == 0)
            return &keys[i];
    }
    return NULL;
}

int machine_keys_take(const char *text, char *problem, size_t size, kp_config *config)
{
    bool given[KEYS] = {false};
    size_t used = 0, head = read_head(text);
    const char *at = text[head] ? text + head + 1 : text + head;
    if (strlen(text) >= size) {
        fprintf(stderr, "kport: the problem has %zu characters; it may have up to %zu\n",
                strlen(text), size - 1);
        return EXIT_IMPOSSIBLE;
    }
    used = (size_t)(at - text);
    memcpy(problem, text, used);
    for (size_t length; *at; at += length) {
        size_t field = strcspn(at, ",");
        length = field + (at[field] == ',');
        const struct machine_key *key = find(at, field);
        if (!key || key->of_problem) {
            memcpy(problem + used, at, length);
            used += length;
        }
        if (!key)
            continue;
        size_t name = strlen(key->name);
        struct kp_field one = {{at, name}, {at + name + 1, field - name - 1}};
        if (given[key - keys]) {
            fprintf(stderr, "kport: %s is there twice\n", key->name);
            return EXIT_IMPOSSIBLE;
        }
        given[key - keys] = true;
        int status = set_field(key, &one, config);
        if (status)
            return status;
        if (at[length] == '\0' && length == field && used > 0 && problem[used - 1] == ',')
            used--; /* removes the comma before a machine key at the end of the text */
    }
    problem[used] = '\0';
    return EXIT_DONE;
}

void machine_keys_format(const kp_config *config, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t i = 0; i < KEYS; i++) {
        uint64_t value = keys[i].get(config);
        size_t length = strlen(text);
        if (value == 0 || keys[i].of_problem)
            continue;
        if (keys[i].words)
            snprintf(text + length, size - length, ",%s=%s", keys[i].name, keys[i].words[value]);
        else
            snprintf(text + length, size - length, ",%s=%llu", keys[i].name,
                     (unsigned long long)value);
    }
}

const char *machine_keys_carrier(const kp_config *config)
{
    return carriers[config->carrier];
}
