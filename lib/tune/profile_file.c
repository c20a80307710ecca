/* Finds and reads the file of a profile. A program names it, or it lies in the user's cache folder.
 */
#include "lib/tune/profile.h"

#include "ports/port.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int refuse(const char *path, const char *why)
{
    return kp_set_error(KP_EPROFILE, "profile %.200s: %s", path, why);
}

static int read_whole(const char *path, FILE *f, char **text, size_t *length)
{
    size_t room = 0;
    for (*length = 0;;) {
        if (*length == room) {
            room = room ? room * 2 : 65536;
            char *larger = room <= KP_PROFILE_FILE_BYTES ? realloc(*text, room) : NULL;
            if (!larger && room > KP_PROFILE_FILE_BYTES)
                return refuse(path, "it has 64 MiB or more");
            if (!larger)
                return kp_set_error(KP_EMEMORY, "no memory for profile %.200s", path);
            *text = larger;
        }
        size_t read = fread(*text + *length, 1, room - *length, f);
        *length += read;
        if (ferror(f))
            return refuse(path, strerror(errno));
        if (read == 0)
            return KP_OK;
    }
}

static int read_profile(const char *path, FILE *f, kp_profile **profile)
{
    char *text = NULL;
    size_t length = 0;
    int status = read_whole(path, f, &text, &length);
    status = status ? status : kp_profile_parse(path, text, length, profile);
    free(text);
    return status;
}

int kp_profile_read(const char *path, kp_profile **profile)
{
    struct stat about;
    if (!path || !profile)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", path ? "profile" : "path",
                            path ? "where the profile goes" : "a file's name");
    *profile = NULL;
    if (stat(path, &about) < 0)
        return refuse(path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return refuse(path, S_ISDIR(about.st_mode) ? "it is a folder; it may be a file"
                                                   : "it is no regular file");
    FILE *f = fopen(path, "r");
    if (!f)
        return refuse(path, strerror(errno));
    int status = read_profile(path, f, profile);
    fclose(f);
    return status;
}

bool kp_profile_cache(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int used = -1;
    /* The XDG specification says that a relative path is ignored. */
    if (cache && cache[0] == '/')
        used = snprintf(path, size, "%s/kport/profile.json", cache);
    else if (home && home[0])
        used = snprintf(path, size, "%s/.cache/kport/profile.json", home);
    return used > 0 && (size_t)used < size;
}

/* Reads the profile. Writes to `text` that kport uses it, or why kport refuses it. */
static int use(const char *path, const char *because, kp_profile **profile, char *text, size_t size)
{
    int status = kp_profile_read(path, profile);
    if (status)
        snprintf(text, size, "the built-in model: %s%s", because[0] ? "KPORT_TUNE names " : "",
                 kp_last_error()->sentence);
    else
        snprintf(text, size, "profile %s%s%s", path, because, (*profile)->left_out);
    return status;
}

int kp_profile_from_environment(kp_profile **profile, kp_tuning *asked, char *text, size_t size)
{
    const char *says = getenv("KPORT_TUNE");
    char path[1024];
    struct stat about;
    *profile = NULL;
    *asked = says && strcmp(says, "measure") == 0 ? KP_TUNING_MEASURED : KP_TUNING_AUTO;
    if (says && (strcmp(says, "builtin") == 0 || strcmp(says, "off") == 0)) {
        *asked = KP_TUNING_BUILTIN;
        snprintf(text, size, "the built-in model: KPORT_TUNE is %s", says);
        return KP_OK;
    }
    if (says && says[0] && *asked == KP_TUNING_AUTO)
        return use(says, ", which KPORT_TUNE names", profile, text, size);
    if (!kp_profile_cache(path, sizeof path)) {
        snprintf(text, size,
                 "the built-in model: there is no folder for a profile, neither "
                 "XDG_CACHE_HOME nor HOME is set");
        return KP_OK;
    }
    if (stat(path, &about) < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        snprintf(text, size, "the built-in model: there is no %s (kport tune makes one)", path);
        return KP_OK;
    }
    return use(path, "", profile, text, size);
}

int kp_profile_find(kp_profile **profile, char *text, size_t size)
{
    kp_tuning asked;
    if (!profile || (!text && size > 0))
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", profile ? "text" : "profile",
                            profile ? "where the sentence goes" : "where the profile goes");
    return kp_profile_from_environment(profile, &asked, text, size);
}
