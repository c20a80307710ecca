/* Writes trials (trial.h) as text and reads them. The first line has the machine ("machine n=4 k=2
 * ..."). Then there is a line for each group except the world ("group 3 0 1"), and a line for each
 * step. The line of a step starts with a problem string or with one of the words barrier,
 * send_recv, exchange, route and messages. Words of the form key=value follow. A key with the value
 * 0 is left out. */
#include "tools/kport/soak/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A key in the text, with the offset and size of the field that has its value. The field is an int,
 * a size_t or a uint64_t. */
struct key {
    const char *name;
    size_t at, bytes;
};

#define KEY(name, type, field)                                                                     \
    {                                                                                              \
        name, offsetof(type, field), sizeof((type *)0)->field                                      \
    }

static const struct key machine_keys[] = {
    KEY("n", struct trial, machine.processors),
    KEY("k", struct trial, machine.ports),
    KEY("fibers", struct trial, machine.carrier),
    KEY("workers", struct trial, machine.workers),
    KEY("seed", struct trial, machine.seed),
    KEY("pin", struct trial, machine.pin),
    KEY("mailboxes", struct trial, machine.discipline),
    KEY("generations", struct trial, machine.generations),
    KEY("wait", struct trial, machine.wait),
    KEY("eager_bytes", struct trial, machine.eager_bytes),
    KEY("plan_bytes", struct trial, machine.plan_bytes),
    KEY("time_limit_ms", struct trial, machine.time_limit_ms),
    KEY("message_eager_bytes", struct trial, machine.message_eager_bytes),
    KEY("unreceived_bytes", struct trial, machine.unreceived_bytes),
    KEY("progress", struct trial, machine.progress),
    KEY("attached", struct trial, attached),
    KEY("delays", struct trial, delays),
    KEY("delay_seed", struct trial, delay_seed),
    {NULL, 0, 0},
};

static const struct key step_keys[] = {
    KEY("group", struct trial_step, group),
    KEY("bytes", struct trial_step, bytes),
    KEY("seed", struct trial_step, seed),
    KEY("repeats", struct trial_step, repeats),
    KEY("persistent", struct trial_step, persistent),
    KEY("own_operator", struct trial_step, own_operator),
    KEY("started", struct trial_step, started),
    KEY("laid", struct trial_step, laid),
    KEY("who", struct trial_step, who),
    {NULL, 0, 0},
};

static const char *const kinds[TRIAL_KINDS] = {
    [TRIAL_COLLECTIVE] = NULL,     [TRIAL_BARRIER] = "barrier", [TRIAL_SEND_RECV] = "send_recv",
    [TRIAL_EXCHANGE] = "exchange", [TRIAL_ROUTE] = "route",     [TRIAL_MESSAGES] = "messages",
};

/* --- Writing a trial --- */

static uint64_t get(const void *object, const struct key *key)
{
    const char *field = (const char *)object + key->at;
    uint32_t narrow;
    uint64_t wide;
    if (key->bytes == sizeof narrow) {
        memcpy(&narrow, field, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, field, sizeof wide);
    return wide;
}

static void print_keys(const void *object, const struct key *keys, FILE *out)
{
    for (; keys->name; keys++) {
        uint64_t value = get(object, keys);
        if (value)
            fprintf(out, " %s=%" PRIu64, keys->name, value);
    }
}

void trial_print(const struct trial *trial, FILE *out)
{
    fprintf(out, "machine");
    print_keys(trial, machine_keys, out);
    fprintf(out, "\n");
    for (int g = 1; g < trial->groups; g++) {
        fprintf(out, "group");
        for (int i = 0; i < trial->group[g].size; i++)
            fprintf(out, " %d", trial->group[g].members[i]);
        fprintf(out, "\n");
    }
    for (int i = 0; i < trial->steps; i++) {
        const struct trial_step *step = &trial->step[i];
        char problem[256];
        kp_problem_format(&step->problem, problem, sizeof problem);
        fprintf(out, "%s", kinds[step->kind] ? kinds[step->kind] : problem);
        print_keys(step, step_keys, out);
        if (step->fault)
            fprintf(out, " fault=%s", trial_fault_name(step->fault));
        fprintf(out, "\n");
    }
}

/* --- Reading a trial --- */

static bool refuse(int line, const char *what, const char *word)
{
    fprintf(stderr, "kport: line %d of the trial: \"%s\" %s\n", line, word, what);
    return false;
}

static bool number_of(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static bool set(void *object, const struct key *keys, const char *word)
{
    size_t length = strcspn(word, "=");
    for (; keys->name; keys++) {
        uint64_t number;
        if (strlen(keys->name) != length || strncmp(keys->name, word, length) != 0)
            continue;
        char *field = (char *)object + keys->at;
        if (!word[length] || !number_of(word + length + 1, &number) ||
            (keys->bytes == sizeof(uint32_t) && number > INT32_MAX))
            return false;
        uint32_t narrow = (uint32_t)number;
        memcpy(field, keys->bytes == sizeof narrow ? (void *)&narrow : (void *)&number,
               keys->bytes);
        return true;
    }
    return false;
}

static bool set_fault(struct trial_step *step, const char *word)
{
    if (strncmp(word, "fault=", 6) != 0)
        return false;
    for (int i = 0; i < TRIAL_FAULTS; i++) {
        if (strcmp(word + 6, trial_fault_name((enum trial_fault)i)) == 0) {
            step->fault = (enum trial_fault)i;
            return true;
        }
    }
    return false;
}

static bool read_machine(struct trial *trial, int line, char **rest)
{
    for (char *word; (word = strtok_r(NULL, " \n", rest)) != NULL;) {
        if (!set(trial, machine_keys, word))
            return refuse(line, "is no key of a machine with a number it may have", word);
    }
    trial->groups = 1;
    if (trial->machine.processors < 1 || trial->machine.processors > 1 << 20)
        return refuse(line, "is needed, 1 ... 1048575", "n");
    return true;
}

static bool read_group(struct trial *trial, int line, char **rest)
{
    struct trial_group *group = &trial->group[trial->groups];
    if (trial->groups == 0 || trial->groups == TRIAL_GROUPS)
        return refuse(line, "comes before the machine, or is one too many", "group");
    group->size = 0;
    for (char *word; (word = strtok_r(NULL, " \n", rest)) != NULL;) {
        uint64_t number;
        int processor;
        if (!number_of(word, &number) || number >= (uint64_t)trial->machine.processors)
            return refuse(line, "is no processor of the machine", word);
        processor = (int)number;
        for (int i = 0; i < group->size; i++) {
            if (group->members[i] == processor)
                return refuse(line, "is there twice", word);
        }
        if (group->size == TRIAL_MEMBERS)
            return refuse(line, "is one member too many", word);
        group->members[group->size++] = processor;
    }
    trial->groups++;
    return true;
}

static bool read_step(struct trial *trial, int line, const char *first, char **rest)
{
    size_t count = (size_t)trial->steps + 1;
    struct trial_step *more = realloc(trial->step, count * sizeof *more);
    if (!more)
        return refuse(line, "has no memory", first);
    trial->step = more;
    struct trial_step *step = &more[trial->steps++];
    memset(step, 0, sizeof *step);
    while (step->kind < TRIAL_KINDS &&
           (!kinds[step->kind] || strcmp(first, kinds[step->kind]) != 0))
        step->kind = (enum trial_kind)(step->kind + 1);
    if (step->kind == TRIAL_KINDS) {
        step->kind = TRIAL_COLLECTIVE;
        if (kp_problem_parse(first, &step->problem))
            return refuse(line, kp_last_error()->sentence, first);
    }
    for (char *word; (word = strtok_r(NULL, " \n", rest)) != NULL;) {
        if (!set(step, step_keys, word) && !set_fault(step, word))
            return refuse(line, "is no key of a step with a value it may have", word);
    }
    if (trial->groups == 0 || step->group >= trial->groups)
        return refuse(line, "is of a group that there is not", first);
    return true;
}

static bool read_line(struct trial *trial, int line, char *text)
{
    char *rest = NULL, *first = strtok_r(text, " \n", &rest);
    if (!first || first[0] == '#')
        return true;
    if (strcmp(first, "machine") == 0)
        return read_machine(trial, line, &rest);
    if (strcmp(first, "group") == 0)
        return read_group(trial, line, &rest);
    return read_step(trial, line, first, &rest);
}

bool trial_read(FILE *in, struct trial *trial)
{
    char text[4096];
    bool right = true;
    memset(trial, 0, sizeof *trial);
    for (int line = 1; right && fgets(text, sizeof text, in); line++)
        right = read_line(trial, line, text);
    if (right && trial->groups == 0)
        right = refuse(0, "is missing", "machine");
    if (!right) {
        trial_free(trial);
        return false;
    }
    trial_settle(trial);
    return true;
}
