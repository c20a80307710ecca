/* The profile on its disk. */
#include "command.h"
#include "lib/profile.h"
#include "tune.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same(const json_t *a, const json_t *b, const char *const *keys)
{
    for (int i = 0; keys[i]; i++) {
        if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i])))
            return false;
    }
    return true;
}

/* Those of `kept` that `list` has nothing for. */
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

/* What the file has already, if the library takes it. */
static void keep_others(const char *path, json_t *settings)
{
    static const char *const keys[] = {"n", "k", "carrier", "workers", "rounds", NULL};
    kp_profile *profile;
    if (access(path, F_OK) != 0)
        return;
    if (kp_profile_read(path, &profile)) {
        fprintf(stderr, "kport: what was there is dropped: %s\n", kp_last_error()->sentence);
        return;
    }
    kp_profile_free(profile);
    json_t *whole = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    if (whole)
        add_others(settings, json_object_get(whole, "settings"), keys);
    json_decref(whole);
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

/* Beside it first, then in its place: nobody ever reads half of one. */
static int replace(const char *path, const char *text)
{
    char beside[1100];
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *f = make_folders(path) ? fopen(beside, "w") : NULL;
    bool done = f && fprintf(f, "%s\n", text) > 0;
    if (f && fclose(f) != 0)
        done = false;
    if (done && rename(beside, path) == 0)
        return EXIT_DONE;
    fprintf(stderr, "kport: the profile could not be written to %s: %s\n", path, strerror(errno));
    if (f)
        unlink(beside);
    return EXIT_FAILED;
}

int tune_write(const char *path, json_t *settings)
{
    struct kp_stamp stamp;
    kp_stamp_here(&stamp);
    keep_others(path, settings);
    json_t *whole = json_pack("{sis{ssssss}sO}", "kport_profile", KP_PROFILE_FORMAT, "stamp",
                              "version", stamp.version, "table", stamp.table, "machine",
                              stamp.machine, "settings", settings);
    char *text = whole ? json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    int status = EXIT_FAILED;
    if (text)
        status = replace(path, text);
    else
        fprintf(stderr, "kport: no memory for the profile\n");
    free(text);
    json_decref(whole);
    return status;
}
