/* Makes a profile from its text. Every value is checked before it is used. A value is wrong if it
 * is missing, unknown, of another kind, or out of range. If a setting has a wrong value, only this
 * setting is refused. If there is a wrong value elsewhere, the whole profile is refused. */
#include "lib/tune/profile.h"

#include "lib/problem/holders.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/tune/json.h"
#include "ports/port.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ALGORITHMS 10000

struct reading {
    struct kp_json_document document;
    /* The list of algorithms in the revision; NULL: the revision has one hash. */
    const struct kp_json *table;
    int status; /* the status of the first refusal, of the profile or of the current setting */
    char why[KP_PROFILE_WHY]; /* the reason of the first refusal */
};

static int refuse(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int refuse(struct reading *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!r->status)
        vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
    r->status = r->status ? r->status : KP_EPROFILE;
    return r->status;
}

static int lack_memory(struct reading *r)
{
    return r->status = KP_EMEMORY;
}

static void *take_memory(struct reading *r, size_t count, size_t bytes)
{
    void *memory = calloc(count > 0 ? count : 1, bytes);
    if (!memory)
        lack_memory(r);
    return memory;
}

/* --- Values of the right kind --- */

/* Checks that an object has these keys and no others. */
static int check_keys(struct reading *r, const struct kp_json *object, const char *what,
                      const char *const *keys)
{
    if (object->kind != KP_JSON_OBJECT)
        return refuse(r, "%s is %s; it may be an object", what, kp_json_kind_name(object->kind));
    int count = 0;
    for (; keys[count]; count++) {
        if (!kp_json_member(&r->document, object, keys[count]))
            return refuse(r, "%s has no \"%s\"", what, keys[count]);
    }
    for (const struct kp_json *v = kp_json_first(&r->document, object); v;
         v = kp_json_next(&r->document, v)) {
        bool known = false;
        for (int i = 0; i < count && !known; i++)
            known = strlen(keys[i]) == (size_t)v->key_length &&
                    memcmp(keys[i], v->key, (size_t)v->key_length) == 0;
        if (!known)
            return refuse(r, "%s has \"%.*s\", which is unknown", what,
                          v->key_length < 60 ? v->key_length : 60, v->key);
    }
    return KP_OK;
}

static int take_number(struct reading *r, const struct kp_json *value, const char *what, double low,
                       double high, double *number)
{
    if (value->kind != KP_JSON_NUMBER)
        return refuse(r, "%s is %s; it may be a number", what, kp_json_kind_name(value->kind));
    if (!(value->number >= low && value->number <= high))
        return refuse(r, "%s is %g; it may be %g ... %g", what, value->number, low, high);
    *number = value->number;
    return KP_OK;
}

static int take_whole(struct reading *r, const struct kp_json *value, const char *what, double low,
                      double high, long *number)
{
    double read = 0;
    if (take_number(r, value, what, low, high, &read))
        return r->status;
    if (read != (double)(long)read)
        return refuse(r, "%s is %g; it may be a whole number", what, read);
    *number = (long)read;
    return KP_OK;
}

static bool is_text(const struct kp_json *value, const char *text)
{
    return value->kind == KP_JSON_TEXT && (size_t)value->text_length == strlen(text) &&
           memcmp(value->text, text, strlen(text)) == 0;
}

static int take_list(struct reading *r, const struct kp_json *value, const char *what, int low,
                     int high)
{
    if (value->kind != KP_JSON_LIST)
        return refuse(r, "%s is %s; it may be a list", what, kp_json_kind_name(value->kind));
    if (value->count < low || value->count > high)
        return refuse(r, "%s has %d values; it may have %d ... %d", what, value->count, low, high);
    return KP_OK;
}

static const struct kp_json *member(const struct reading *r, const struct kp_json *object,
                                    const char *key)
{
    return kp_json_member(&r->document, object, key);
}

static int take_word(struct reading *r, const struct kp_json *value, const char *what,
                     const char *const *words, int *index)
{
    for (int i = 0; words[i]; i++) {
        if (is_text(value, words[i])) {
            *index = i;
            return KP_OK;
        }
    }
    if (value->kind != KP_JSON_TEXT)
        return refuse(r, "%s is %s; it may be a text", what, kp_json_kind_name(value->kind));
    char all[80] = "";
    for (int i = 0; words[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s\"%s\"",
                 i == 0         ? ""
                 : words[i + 1] ? ", "
                                : " or ",
                 words[i]);
    return refuse(r, "%s is \"%.*s\"; it may be %s", what,
                  value->text_length < 60 ? value->text_length : 60, value->text, all);
}

/* --- Revision --- */

static int check_revision(struct reading *r, const struct kp_json *revision, long format)
{
    static const char *const keys[] = {"version", "table", "machine", NULL};
    struct kp_revision here;
    kp_revision_here(&here);
    const char *const wanted[] = {here.version, here.table, here.machine};
    static const char *const of[] = {"another version", "another table of algorithms",
                                     "another machine"};
    if (check_keys(r, revision, "the stamp", keys))
        return r->status;
    for (int i = 0; i < 3; i++) {
        const struct kp_json *value = member(r, revision, keys[i]);
        if (format > 2 && wanted[i] == here.table) {
            r->table = value;
            if (take_list(r, value, "the table in the stamp", 1, MOST_ALGORITHMS))
                return r->status;
            continue;
        }
        if (value->kind != KP_JSON_TEXT)
            return refuse(r, "%s in the stamp is %s; it may be a text", keys[i],
                          kp_json_kind_name(value->kind));
        if (!is_text(value, wanted[i]))
            return refuse(r, "it is of %s: %s is \"%.*s\"; here it is \"%s\"", of[i], keys[i],
                          value->text_length < 100 ? value->text_length : 100, value->text,
                          wanted[i]);
    }
    return KP_OK;
}

/* --- Settings --- */

/* Returns whether the profile knows this algorithm, and the algorithm has not changed since. */
static bool was_there(const struct reading *r, const kp_algorithm *algorithm)
{
    char text[KP_STAMP_ALGORITHM];
    kp_revision_algorithm(algorithm, text, sizeof text);
    const struct kp_json *v = r->table ? kp_json_first(&r->document, r->table) : NULL;
    while (v && !is_text(v, text))
        v = kp_json_next(&r->document, v);
    return v || !r->table;
}

static int take_curve(struct reading *r, const struct kp_json *value, kp_operation operation,
                      int sizes, struct kp_curve *curve)
{
    static const char *const keys[] = {"algorithm", "values", "us", NULL};
    if (check_keys(r, value, "a candidate", keys))
        return r->status;
    const struct kp_json *name = member(r, value, "algorithm"), *list = member(r, value, "values");
    const kp_algorithm *a;
    for (int i = 0; (a = kp_algorithm_at(i)) != NULL; i++) {
        if (a->operation == operation && is_text(name, a->name))
            curve->algorithm = a;
    }
    if (!curve->algorithm && name->kind != KP_JSON_TEXT)
        return refuse(r, "an algorithm is %s; it may be a text", kp_json_kind_name(name->kind));
    if (!curve->algorithm)
        return refuse(r, "algorithm \"%.*s\" is none of %s",
                      name->text_length < 60 ? name->text_length : 60, name->text,
                      kp_operation_name(operation));
    if (!was_there(r, curve->algorithm))
        return refuse(r, "algorithm \"%s\" of %s has changed", curve->algorithm->name,
                      kp_operation_name(operation));
    int count = kp_parameter_count(curve->algorithm), i = 0;
    if (take_list(r, list, "\"values\"", count, count))
        return r->status;
    for (const struct kp_json *v = kp_json_first(&r->document, list); v && !r->status;
         v = kp_json_next(&r->document, v), i++)
        take_whole(r, v, "a value of a parameter", 1, KP_MOST_PROCESSORS, &curve->values[i]);
    const struct kp_json *us = member(r, value, "us");
    if (r->status || take_list(r, us, "\"us\"", sizes, sizes))
        return r->status;
    i = 0;
    for (const struct kp_json *v = kp_json_first(&r->document, us); v && !r->status;
         v = kp_json_next(&r->document, v), i++) {
        if (v->kind != KP_JSON_NULL)
            take_number(r, v, "a time", 1e-6, KP_PROFILE_MOST_US, &curve->us[i]);
    }
    return r->status;
}

static int take_sizes(struct reading *r, const struct kp_json *list,
                      struct kp_measured_operation *to)
{
    if (take_list(r, list, "\"b\"", 1, KP_PROFILE_SIZES))
        return r->status;
    for (const struct kp_json *v = kp_json_first(&r->document, list); v;
         v = kp_json_next(&r->document, v)) {
        long b = 0;
        if (take_whole(r, v, "a length of a block", 1, KP_PROFILE_MOST_BYTES, &b))
            return r->status;
        if (to->sizes > 0 && (size_t)b <= to->b[to->sizes - 1])
            return refuse(r, "the lengths of blocks do not grow: %ld comes after %zu", b,
                          to->b[to->sizes - 1]);
        to->b[to->sizes++] = (size_t)b;
    }
    return KP_OK;
}

static int take_operation(struct reading *r, const struct kp_json *value,
                          struct kp_setting *setting)
{
    static const char *const keys[] = {"operation", "gamma", "b", "candidates", NULL};
    if (check_keys(r, value, "what was measured of an operation", keys))
        return r->status;
    const struct kp_json *name = member(r, value, "operation"), *gamma = member(r, value, "gamma");
    int found =
        name->kind == KP_JSON_TEXT ? kp_operation_find(name->text, (size_t)name->text_length) : -1;
    if (found < 0)
        return refuse(r, "\"operation\" is %.*s; it may be as index or concat",
                      name->kind != KP_JSON_TEXT ? 20
                      : name->text_length < 60   ? name->text_length
                                                 : 60,
                      name->kind == KP_JSON_TEXT ? name->text : kp_json_kind_name(name->kind));
    if (setting->operations[found])
        return refuse(r, "%s is there twice in one setting",
                      kp_operation_name((kp_operation)found));
    struct kp_measured_operation *to = take_memory(r, 1, sizeof *to);
    if (!to)
        return r->status;
    setting->operations[found] = to;
    int i = 0;
    take_list(r, gamma, "\"gamma\"", 3, 3);
    for (const struct kp_json *v = kp_json_first(&r->document, gamma); v && !r->status;
         v = kp_json_next(&r->document, v), i++)
        take_number(r, v, "a gamma", 0, KP_PROFILE_MOST_US, &to->gamma[i]);
    const struct kp_json *list = member(r, value, "candidates");
    if (r->status || take_sizes(r, member(r, value, "b"), to) ||
        take_list(r, list, "\"candidates\"", 1, KP_PROFILE_CURVES))
        return r->status;
    to->curves = take_memory(r, (size_t)list->count, sizeof *to->curves);
    for (const struct kp_json *v = kp_json_first(&r->document, list); v && !r->status;
         v = kp_json_next(&r->document, v))
        take_curve(r, v, (kp_operation)found, to->sizes, &to->curves[to->curve_count++]);
    return r->status;
}

static const char *const carriers[] = {"threads", "fibers", "mpi", NULL};
static const char *const disciplines[] = {"barrier", "mailboxes", NULL};

const char *kp_carrier_name(kp_carrier carrier)
{
    return carriers[carrier];
}

const char *kp_discipline_name(kp_discipline discipline)
{
    return disciplines[discipline == KP_ROUNDS_BY_MAILBOXES];
}

static int take_network(struct reading *r, const struct kp_json *network, struct kp_setting *to)
{
    if (network->kind != KP_JSON_TEXT)
        return refuse(r, "\"network\" is %s; it may be a text", kp_json_kind_name(network->kind));
    snprintf(to->network, sizeof to->network, "%.*s", network->text_length, network->text);
    return KP_OK;
}

static int take_setting(struct reading *r, const struct kp_json *value, struct kp_setting *to)
{
    /* The first key is there over MPI, the second also if processors shared processes. */
    static const char *const keys[] = {"network", "per_process", "n",      "k",
                                       "carrier", "workers",     "rounds", "beta_us",
                                       "tau_us",  "operations",  NULL};
    long n = 0, k = 0, workers = 0, per_process = 1;
    const bool object = value->kind == KP_JSON_OBJECT;
    const struct kp_json *word = object ? member(r, value, "carrier") : NULL;
    const struct kp_json *shared = object ? member(r, value, "per_process") : NULL;
    const bool over_mpi = word && is_text(word, carriers[KP_CARRIER_MPI]);
    int carrier = 0, discipline = 0;
    if (check_keys(r, value, "a setting",
                   keys + (over_mpi ? 0
                           : shared ? 1
                                    : 2)) ||
        (over_mpi && take_network(r, member(r, value, "network"), to)) ||
        take_whole(r, member(r, value, "n"), "\"n\"", 1, KP_MOST_PROCESSORS, &n) ||
        take_whole(r, member(r, value, "k"), "\"k\"", 1, n > 2 ? (double)n - 1 : 1, &k) ||
        take_word(r, member(r, value, "carrier"), "\"carrier\"", carriers, &carrier) ||
        take_whole(r, member(r, value, "workers"), "\"workers\"", 0, KP_MOST_PROCESSORS,
                   &workers) ||
        take_word(r, member(r, value, "rounds"), "\"rounds\"", disciplines, &discipline) ||
        take_number(r, member(r, value, "beta_us"), "\"beta_us\"", 0, KP_PROFILE_MOST_US,
                    &to->beta_us) ||
        take_number(r, member(r, value, "tau_us"), "\"tau_us\"", 0, KP_PROFILE_MOST_US,
                    &to->tau_us) ||
        (shared && take_whole(r, shared, "\"per_process\"", 1, (double)n, &per_process)))
        return r->status;
    if (n % per_process != 0)
        return refuse(r, "\"per_process\" is %ld, which does not divide \"n\", %ld", per_process,
                      n);
    to->per_process = (int)per_process;
    to->n = (int)n;
    to->k = (int)k;
    to->workers = (int)workers;
    to->carrier = (kp_carrier)carrier;
    to->discipline = (kp_discipline)discipline;
    const struct kp_json *list = member(r, value, "operations");
    if (take_list(r, list, "\"operations\"", 1, KP_OPERATIONS))
        return r->status;
    for (const struct kp_json *v = kp_json_first(&r->document, list); v && !r->status;
         v = kp_json_next(&r->document, v))
        take_operation(r, v, to);
    return r->status;
}

static bool same_setting(const struct kp_setting *a, const struct kp_setting *b)
{
    return a->n == b->n && a->k == b->k && a->per_process == b->per_process &&
           a->carrier == b->carrier && a->workers == b->workers && a->discipline == b->discipline &&
           strcmp(a->network, b->network) == 0;
}

static void refuse_twice(struct reading *r, const kp_profile *profile, const struct kp_setting *s)
{
    for (int i = 0; i < profile->count; i++) {
        if (same_setting(&profile->settings[i], s))
            refuse(r, "n=%d, k=%d on %s by %s is there twice", s->n, s->k,
                   kp_carrier_name(s->carrier), kp_discipline_name(s->discipline));
    }
}

static void free_operations(struct kp_setting *setting)
{
    for (int o = 0; o < KP_OPERATIONS; o++) {
        if (setting->operations[o])
            free(setting->operations[o]->curves);
        free(setting->operations[o]);
        setting->operations[o] = NULL;
    }
}

/* Stores the valid settings. Keeps the reason why the first invalid setting was refused. */
static int take_settings(struct reading *r, const struct kp_json *list, kp_profile *profile)
{
    char why[KP_PROFILE_WHY] = "";
    int number = 0, first = 0;
    for (const struct kp_json *v = kp_json_first(&r->document, list); v;
         v = kp_json_next(&r->document, v)) {
        struct kp_setting *setting = &profile->settings[profile->count];
        *setting = (struct kp_setting){.number = number++};
        if (!take_setting(r, v, setting))
            refuse_twice(r, profile, setting);
        if (!r->status) {
            profile->count++;
            continue;
        }
        free_operations(setting);
        if (r->status != KP_EPROFILE)
            return r->status;
        r->status = KP_OK;
        first = first ? first : number;
        if (first == number)
            memcpy(why, r->why, sizeof why);
    }
    if (profile->count == 0)
        return refuse(r, "no setting of it is right; number 1: %s", why);
    if (first)
        snprintf(profile->left_out, sizeof profile->left_out,
                 ", without %d of its %d settings (number %d: %s)", number - profile->count, number,
                 first, why);
    return KP_OK;
}

static int take_thresholds(struct reading *r, const struct kp_json *value, struct kp_thresholds *to)
{
    const char *keys[KP_THRESHOLDS + 1] = {NULL};
    for (int i = 0; i < KP_THRESHOLDS; i++)
        keys[i] = kp_threshold_rows[i].name;
    if (check_keys(r, value, "\"thresholds\"", keys))
        return r->status;
    for (int i = 0; i < KP_THRESHOLDS; i++) {
        const struct kp_threshold_row *row = &kp_threshold_rows[i];
        long bytes = 0;
        take_whole(r, member(r, value, row->name), row->name, (double)row->least, (double)row->most,
                   &bytes);
        to->bytes[i] = (size_t)bytes;
    }
    to->from = "from the profile";
    return r->status;
}

static int take_all(struct reading *r, kp_profile *profile)
{
    static const char *const keys[] = {"kport_profile", "stamp", "settings", "thresholds", NULL};
    static const char *const first_keys[] = {"kport_profile", "stamp", "settings", NULL};
    const struct kp_json *whole = &r->document.nodes[0];
    long format = 0;
    if (whole->kind != KP_JSON_OBJECT || !member(r, whole, "kport_profile"))
        return refuse(r, "it is no profile: it does not begin with {\"kport_profile\": ...");
    if (take_whole(r, member(r, whole, "kport_profile"), "\"kport_profile\"", 0, 1e9, &format))
        return r->status;
    if (format < 1 || format > KP_PROFILE_FORMAT)
        return refuse(r, "its format is %ld; it may be 1 ... %d", format, KP_PROFILE_FORMAT);
    if (check_keys(r, whole, "the profile", format == 1 ? first_keys : keys) ||
        check_revision(r, member(r, whole, "stamp"), format) ||
        (format > 1 && take_thresholds(r, member(r, whole, "thresholds"), &profile->thresholds)))
        return r->status;
    const struct kp_json *list = member(r, whole, "settings");
    if (take_list(r, list, "\"settings\"", 1, 10000))
        return r->status;
    profile->settings = take_memory(r, (size_t)list->count, sizeof *profile->settings);
    return profile->settings ? take_settings(r, list, profile) : r->status;
}

static int take_text(struct reading *r, const char *text, size_t length, kp_profile *profile)
{
    char why[200];
    if (length == 0)
        return refuse(r, "it is empty");
    if (!kp_json_read(&r->document, text, length, why, sizeof why))
        return r->document.no_memory ? lack_memory(r) : refuse(r, "%s", why);
    if (text[length - 1] != '\n')
        refuse(r, "it ends without the end of a line");
    else
        take_all(r, profile);
    kp_json_free(&r->document);
    return r->status;
}

int kp_profile_parse(const char *name, const char *text, size_t length, kp_profile **profile)
{
    struct reading r = {.status = KP_OK};
    kp_profile *made = take_memory(&r, 1, sizeof *made);
    if (made)
        kp_holders_enter();
    int status = made ? take_text(&r, text, length, made) : r.status;
    if (!status) {
        *profile = made;
        return KP_OK;
    }
    kp_profile_free(made);
    if (status == KP_EMEMORY)
        return kp_set_error(status, "no memory for profile %.120s", name);
    return kp_set_error(status, "profile %.120s: %s", name, r.why);
}

void kp_profile_free(kp_profile *profile)
{
    for (int i = 0; profile && i < profile->count; i++)
        free_operations(&profile->settings[i]);
    if (!profile)
        return;
    free(profile->settings);
    free(profile);
    kp_holders_leave();
}

/* --- Finding a setting or a curve --- */

/* Returns whether the setting was measured over the network that this process uses. A process that
 * has none (kport explain) takes any. */
static bool is_over(const struct kp_setting *setting)
{
    char network[KP_NETWORK_BYTES];
    kp_port_network(network);
    return !setting->network[0] || !network[0] || strcmp(setting->network, network) == 0;
}

const struct kp_setting *kp_profile_setting(const kp_profile *profile, const kp_config *config,
                                            kp_discipline discipline, const kp_problem *problem)
{
    int per_process = problem->per_process > 1 ? problem->per_process : 1;
    for (int i = 0; profile && i < profile->count; i++) {
        const struct kp_setting *s = &profile->settings[i];
        if (s->n == problem->n && s->k == problem->k && s->per_process == per_process &&
            s->carrier == config->carrier && s->workers == config->workers &&
            s->discipline == discipline && s->operations[problem->operation] && is_over(s))
            return s;
    }
    return NULL;
}

const struct kp_curve *kp_profile_curve(const struct kp_measured_operation *operation,
                                        const kp_problem *candidate)
{
    for (int i = 0; i < operation->curve_count; i++) {
        const struct kp_curve *c = &operation->curves[i];
        if (c->algorithm == candidate->algorithm &&
            memcmp(c->values, candidate->values, sizeof c->values) == 0)
            return c;
    }
    return NULL;
}
