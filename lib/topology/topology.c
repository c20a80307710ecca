/* The list of all architectures. This file also reads an architecture from text, checks a schedule
 * against an architecture, and computes the schedule's cost there. */
#include "lib/topology/rules.h"

#include "lib/problem/fields.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const kp_topology *const topologies[] = {
    &kp_topology_bus,     &kp_topology_shared_memory, &kp_topology_ring,
    &kp_topology_torus,   &kp_topology_hypercube,     &kp_topology_switch,
    &kp_topology_optical, &kp_topology_butterfly,
};

#define TOPOLOGIES ((int)(sizeof topologies / sizeof topologies[0]))

const kp_topology *kp_topology_at(int i)
{
    return i >= 0 && i < TOPOLOGIES ? topologies[i] : NULL;
}

const kp_topology *kp_topology_find(const char *name)
{
    int i = 0;
    if (!name) {
        kp_set_error(KP_EARGUMENT, "name is NULL; it must be an architecture's");
        return NULL;
    }
    while (i < TOPOLOGIES && strcmp(topologies[i]->name, name) != 0)
        i++;
    return kp_topology_at(i);
}

/* --- Reading an architecture from text --- */

static int refuse_name(struct kp_word name)
{
    char names[160] = "";
    for (int i = 0; i < TOPOLOGIES; i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", topologies[i]->name);
    }
    return kp_set_error(KP_EARGUMENT, "the architecture is '%.*s'; it may be %s", KP_WORD(name),
                        names);
}

/* Reads a field such as "rows=4" or "at_once=2". Reports an error if the architecture does not have
 * this field. */
static int read_field(const struct kp_field *field, kp_topology *topology)
{
    int *target = NULL;
    uint64_t number;
    if (kp_word_is(field->key, "rows") && strcmp(topology->name, kp_topology_torus.name) == 0)
        target = &topology->rows;
    else if (kp_word_is(field->key, "at_once") && topology->at_once > 0)
        target = &topology->at_once;
    if (!target)
        return kp_set_error(KP_EARGUMENT,
                            "%s has no %.*s; torus has rows, bus and shared-memory have "
                            "at_once",
                            topology->name, KP_WORD(field->key));
    if (kp_field_number(field, 1, INT_MAX, &number) != KP_OK)
        return kp_set_error(KP_EARGUMENT, "%.*s is '%.*s'; it may be a number 1 ... %d",
                            KP_WORD(field->key), KP_WORD(field->value), INT_MAX);
    *target = (int)number;
    return KP_OK;
}

int kp_topology_parse(const char *text, kp_topology *topology)
{
    struct kp_word name = {text, text ? strcspn(text, ",") : 0};
    struct kp_field fields[KP_FIELDS];
    int found = 0, count;
    if (!text || !topology)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", text ? "topology" : "text",
                            text ? "where the architecture goes" : "an architecture's name");
    while (found < TOPOLOGIES && !kp_word_is(name, topologies[found]->name))
        found++;
    if (found == TOPOLOGIES)
        return refuse_name(name);
    kp_topology read = *topologies[found];
    const char *rest = text + name.length;
    if (kp_fields_split(*rest && rest[1] ? rest + 1 : rest, fields, &count) != KP_OK)
        return kp_error_slot()->status = KP_EARGUMENT;
    for (int i = 0; i < count; i++) {
        int status = read_field(&fields[i], &read);
        if (status)
            return status;
    }
    *topology = read;
    return KP_OK;
}

/* --- Checking --- */

/* Checks that an architecture has the necessary fields. A user's own architecture may lack them. */
static int check_row(const kp_topology *t)
{
    if (!t)
        return kp_set_error(KP_EARGUMENT,
                            "the architecture is NULL; it must be what kp_topology_parse read");
    if (!t->name || !t->port_rule)
        return kp_set_error(KP_EARGUMENT, "the architecture has no %s",
                            t->name ? "port_rule" : "name");
    if (!t->links)
        return kp_set_error(KP_EARGUMENT, "the architecture %s has no links", t->name);
    return KP_OK;
}

int kp_topology_linked(const kp_topology *topology, int n, int from, int to)
{
    if (check_row(topology))
        return 0;
    if (from < 0 || from >= n || to < 0 || to >= n) {
        kp_set_error(KP_EARGUMENT, "from is %d and to is %d; of %d processors they may be 0 ... %d",
                     from, to, n, n - 1);
        return 0;
    }
    return from != to && topology->links(topology, n, from, to) > 0;
}

static int check_links(const kp_topology *t, const kp_schedule *schedule, int round)
{
    int n = kp_schedule_problem(schedule)->n;
    for (int rank = 0; rank < n; rank++) {
        for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
            kp_message out = kp_schedule_send(schedule, rank, round, i);
            if (kp_topology_linked(t, n, rank, out.peer))
                continue;
            kp_topology_refuse(round, rank, out.peer,
                               "sends to %d on port %d, but on a %s of %d processors there is no "
                               "link %d-%d",
                               out.peer, out.port, t->name, n, rank, out.peer);
            kp_error_slot()->port = out.port;
            return KP_ESCHEDULE;
        }
    }
    return KP_OK;
}

/* Adds the port rule to the sentence about a round that breaks it. */
static int add_rule(const kp_topology *t, int status)
{
    char *sentence = kp_error_slot()->sentence;
    const size_t used = strlen(sentence);
    snprintf(sentence + used, KP_SENTENCE_BYTES - used, " (%s: %s)", t->name, t->port_rule);
    return status;
}

static int check_all(const kp_schedule *schedule, const kp_topology *t)
{
    if (check_row(t))
        return KP_EARGUMENT;
    int n = kp_schedule_problem(schedule)->n;
    const char *reason = t->serves ? t->serves(t, n) : NULL;
    if (reason)
        return kp_set_error(KP_EUNSERVED, "there is no %s of n=%d processors; there is one for %s",
                            t->name, n, reason);
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        int status = check_links(t, schedule, round);
        if (status)
            return status;
        status = t->check_round ? t->check_round(t, schedule, round) : KP_OK;
        if (status)
            return status == KP_ESCHEDULE ? add_rule(t, status) : status;
    }
    return KP_OK;
}

int kp_schedule_check_on(const kp_schedule *schedule, const kp_topology *topology,
                         kp_error_record *error)
{
    int status = kp_schedule_check(schedule, error);
    if (status || !topology)
        return status;
    status = check_all(schedule, topology);
    if (status && error)
        *error = *kp_last_error();
    return status;
}

/* --- Cost --- */

static kp_transfer_cost longest_message(const kp_schedule *schedule, int round)
{
    kp_transfer_cost cost = {0, 0};
    for (int rank = 0; rank < kp_schedule_problem(schedule)->n; rank++) {
        for (int i = 0; i < kp_schedule_sends(schedule, rank, round); i++) {
            uint64_t units = (uint64_t)kp_schedule_send(schedule, rank, round, i).units;
            cost.startups = 1;
            cost.words = units > cost.words ? units : cost.words;
        }
    }
    return cost;
}

kp_transfer_cost kp_topology_cost(const kp_topology *topology, const kp_schedule *schedule,
                                  size_t b)
{
    kp_transfer_cost cost = {0, 0};
    if (!kp_schedule_given(schedule) || check_row(topology))
        return cost;
    uint64_t unit = kp_schedule_unit_of_block(schedule) == 1 ? b : 1;
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        kp_transfer_cost more = topology->round_cost
                                    ? topology->round_cost(topology, schedule, round)
                                    : longest_message(schedule, round);
        cost.startups += more.startups;
        cost.words = kp_plus(cost.words, kp_times(more.words, unit));
    }
    return cost;
}
