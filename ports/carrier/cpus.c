#include "ports/carrier/cpus.h"

#include "ports/error.h"

#include <stdio.h>

#define BITS      (8 * sizeof(unsigned long))
#define MOST_CPUS (8 * sizeof((struct kp_affinity *)0)->set)

static bool has(const struct kp_affinity *set, size_t cpu)
{
    return cpu < MOST_CPUS && (set->set[cpu / BITS] >> cpu % BITS & 1);
}

static void add(struct kp_affinity *set, size_t cpu)
{
    set->count += !has(set, cpu);
    set->set[cpu / BITS] |= 1UL << cpu % BITS;
}

/* Returns where the number ends, or NULL if there is none. */
static const char *read_number(const char *text, size_t *number)
{
    const char *at = text;
    *number = 0;
    for (; *at >= '0' && *at <= '9' && *number < MOST_CPUS; at++)
        *number = *number * 10 + (size_t)(*at - '0');
    return at > text && *number < MOST_CPUS ? at : NULL;
}

/* Adds the CPUs of the list to the set. Returns where the list ends, or NULL if it is none. */
static const char *read_list(const char *text, struct kp_affinity *set)
{
    size_t low, high;
    for (;; text++) {
        text = read_number(text, &low);
        high = low;
        if (text && *text == '-')
            text = read_number(text + 1, &high);
        if (!text || high < low)
            return NULL;
        for (size_t cpu = low; cpu <= high; cpu++)
            add(set, cpu);
        if (*text != ',')
            return *text == ';' || !*text ? text : NULL;
    }
}

/* Writes the CPUs as a list, or its beginning and "..." if there is no room for it. */
static void write_list(const struct kp_affinity *set, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t low = 0, high; low < MOST_CPUS; low = high + 1) {
        high = low;
        if (!has(set, low))
            continue;
        while (has(set, high + 1))
            high++;
        if (used + 20 > size) {
            snprintf(text + used, size - used, "...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%zu", used ? "," : "", low);
        if (high > low)
            used += (size_t)snprintf(text + used, size - used, "-%zu", high);
    }
}

static int refuse_unusable(const struct kp_affinity *all, const struct kp_affinity *here)
{
    char usable[80];
    size_t cpu = 0;
    while (!has(all, cpu) || has(here, cpu))
        cpu++;
    write_list(here, usable, sizeof usable);
    return kp_set_error(KP_EARGUMENT,
                        "cpus has CPU %zu; it may have the CPUs that this process may use: %s", cpu,
                        usable);
}

static bool is_within(const struct kp_affinity *all, const struct kp_affinity *here)
{
    bool within = true;
    for (size_t i = 0; i < MOST_CPUS / BITS; i++)
        within = within && (all->set[i] & ~here->set[i]) == 0;
    return within;
}

int kp_cpus_complete(struct kp_machine_config *config)
{
    const char *text = config->cpus;
    struct kp_affinity all = {.count = 0}, here;
    if (!text)
        return KP_OK;
    if (!kp_pinning()) /* seldom taken: builds without affinity */
        return kp_set_error(KP_EARGUMENT,
                            "cpus is \"%.60s\", and this build of kport cannot keep a thread on a "
                            "core (its Meson option `affinity`); it may be NULL",
                            text);
    if (config->pin == KP_PIN_NEVER)
        return kp_set_error(KP_EARGUMENT,
                            "pin is %d and cpus \"%.60s\"; with cpus pin may be 0 or 1",
                            config->pin, text);
    do {
        text = read_list(text, &all);
        if (!text)
            return kp_set_error(KP_EARGUMENT,
                                "cpus is \"%.60s\"; it may be lists such as \"0-3,8\", with a "
                                "semicolon between two lists",
                                config->cpus);
    } while (*text++);
    /* seldom taken: kernels may refuse to tell the cores */
    if (kp_affinity_here(&here) && !is_within(&all, &here))
        return refuse_unusable(&all, &here);
    config->pin = KP_PIN_ALWAYS;
    return KP_OK;
}

struct kp_cpus kp_cpus_of(const char *text)
{
    struct kp_cpus found = {.lists = 0};
    struct kp_affinity all = {.count = 0};
    int sum = 0;
    do {
        struct kp_affinity one = {.count = 0};
        (void)read_list(text, &one);
        text = read_list(text, &all);
        sum += one.count;
        found.lists++;
    } while (*text++);
    found.cpus = all.count;
    found.cores = sum == found.lists && all.count == sum ? sum : 0;
    return found;
}

void kp_cpus_one(int cpu, struct kp_affinity *cpus)
{
    *cpus = (struct kp_affinity){.count = 0};
    if (cpu >= 0) /* seldom taken: kernels may refuse to tell the cores */
        add(cpus, (size_t)cpu);
}

void kp_cpus_at(const char *text, int i, int threads, struct kp_affinity *cpus)
{
    int list = kp_core_of(i, threads, kp_cpus_of(text).lists);
    do {
        *cpus = (struct kp_affinity){.count = 0};
        text = read_list(text, cpus) + 1;
    } while (list-- > 0);
}

int kp_cores_for(const struct kp_machine_config *config)
{
    const int cores = kp_cores();
    const int cpus = config->cpus ? kp_cpus_of(config->cpus).cpus : cores;
    return cpus < cores ? cpus : cores;
}
