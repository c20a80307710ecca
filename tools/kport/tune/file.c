/* Writes a profile to its file. A profile has a setting for each measured n, k, per_process,
 * carrier, number of workers and discipline. */
#include "lib/tune/profile.h"
#include "tools/kport/command.h"
#include "tools/kport/common/output_file.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/tune/tune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same(const json_t *a, const json_t *b, const char *const *keys)
{
    for (int i = 0; keys[i]; i++) {
        const json_t *x = json_object_get(a, keys[i]), *y = json_object_get(b, keys[i]);
        if ((x || y) && !json_equal(x, y))
            return false;
    }
    return true;
}

/* `list` has new elements, and `kept` has old ones. Adds to `list` every old element that `list`
 * lacks. The elements are settings, or the operations of a setting. Two elements are the same if
 * they have equal values for all `keys`. If `list` has a new setting that is also in `kept`, the
 * new setting gets the operations that only the old setting has. */
static void add_others(json_t *list, json_t *kept, const char *const *keys)
{
    size_t i, j, news = json_array_size(list);
    json_t *old, *new;
    json_array_foreach(kept, i, old)
    {
        bool replaced = false;
        for (j = 0; j < news; j++) {
            new = json_array_get(list, j);
            if (!same(old, new, keys))
                continue;
            replaced = true;
            if (json_object_get(old, "operations")) {
                static const char *const name[] = {"operation", NULL};
                add_others(json_object_get(new, "operations"), json_object_get(old, "operations"),
                           name);
            }
        }
        if (!replaced)
            json_array_append(list, old);
    }
}

/* Adds the settings of the old file to `settings`, if the library accepts them. */
static void keep_others(const char *path, json_t *settings)
{
    static const char *const keys[] = {"n",       "k",       "per_process", "carrier",
                                       "network", "workers", "rounds",      NULL};
    kp_profile *profile;
    if (access(path, F_OK) != 0)
        return;
    if (kp_profile_read(path, &profile)) {
        fprintf(stderr, "kport: what was there is dropped: %s\n", kp_last_error()->sentence);
        return;
    }
    if (profile->left_out[0])
        fprintf(stderr, "kport: profile %s is kept%s\n", path, profile->left_out);
    json_t *whole = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *good = json_array();
    for (int i = 0; i < profile->count; i++)
        json_array_append(good, json_array_get(json_object_get(whole, "settings"),
                                               (size_t)profile->settings[i].number));
    add_others(settings, good, keys);
    json_decref(good);
    json_decref(whole);
    kp_profile_free(profile);
}

static bool make_folders(const char *path)
{
    char folder[1024];
    if (strlen(path) >= sizeof folder)
        return false;
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) < 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

static int fail(const char *path, const char *why)
{
    fprintf(stderr, "kport: the profile \"%s\" could not be written: %s\n", path, why);
    return EXIT_IMPOSSIBLE;
}

/* Folders are made in the user's cache alone, so that a slip of the pen makes none. */
static bool has_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[1024];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    if (!folder[0] || access(folder, F_OK) == 0)
        return true;
    fprintf(stderr, "kport: --profile is \"%s\"; there is no folder \"%s\"\n", path, folder);
    return false;
}

/* mpirun may keep each process on a core. Then the process finds another machine than the one by
 * which the settings of threads were measured, and these would be lost. */
static int refuse_others(const char *path)
{
    kp_profile *profile = NULL;
    if (access(path, F_OK) != 0)
        return EXIT_DONE;
    int status = kp_profile_read(path, &profile);
    if (status)
        fprintf(stderr,
                "kport: %s; over MPI it is not replaced: mpirun --bind-to none may help, or "
                "--profile FILE\n",
                kp_last_error()->sentence);
    kp_profile_free(profile);
    return status ? EXIT_IMPOSSIBLE : EXIT_DONE;
}

int tune_file_check(const char *path, bool named)
{
    if (processes_several() && refuse_others(path))
        return EXIT_IMPOSSIBLE;
    if (named)
        return has_folder(path) ? output_file_check(path) : EXIT_IMPOSSIBLE;
    return make_folders(path) ? output_file_check(path) : fail(path, strerror(errno));
}

/* Writes the text to the file, if the library accepts the whole text as a profile. */
static int write_text(const char *path, const char *text, size_t length)
{
    kp_profile *profile;
    if (kp_profile_parse(path, text, length, &profile))
        return fail(path, kp_last_error()->sentence);
    bool whole = !profile->left_out[0];
    int status = whole ? output_file(path, text, length) : fail(path, profile->left_out);
    kp_profile_free(profile);
    return status;
}

static json_t *thresholds(void)
{
    const struct kp_thresholds *here = kp_thresholds_here();
    json_t *object = json_object();
    for (int i = 0; i < KP_THRESHOLDS; i++)
        json_object_set_new(object, kp_threshold_rows[i].name,
                            json_integer((json_int_t)here->bytes[i]));
    return object;
}

static json_t *algorithms(void)
{
    json_t *list = json_array();
    for (int i = 0; kp_algorithm_at(i); i++) {
        char text[KP_STAMP_ALGORITHM];
        kp_revision_algorithm(kp_algorithm_at(i), text, sizeof text);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

int tune_write(const char *path, json_t *setting)
{
    struct kp_revision revision;
    kp_revision_here(&revision);
    json_t *settings = json_pack("[o]", setting);
    keep_others(path, settings);
    json_t *whole = json_pack("{sis{sssoss}soso}", "kport_profile", KP_PROFILE_FORMAT, "stamp",
                              "version", revision.version, "table", algorithms(), "machine",
                              revision.machine, "settings", settings, "thresholds", thresholds());
    char *text = whole ? json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    int status = EXIT_IMPOSSIBLE;
    if (text) {
        size_t length = strlen(text);
        text[length] = '\n'; /* replaces the final zero byte by a newline */
        status = write_text(path, text, length + 1);
    } else {
        fprintf(stderr, "kport: no memory for the profile\n");
    }
    free(text);
    json_decref(whole);
    return status;
}
