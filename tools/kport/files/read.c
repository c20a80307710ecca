#include "tools/kport/files/read.h"

#include "tools/kport/command.h"
#include "tools/kport/msccl/rounds.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- Arguments --- */

/* Returns the length of a file's name: up to the last colon that keys follow. */
static size_t name_length(const char *argument)
{
    const char *colon = strrchr(argument, ':');
    bool keys = colon && !strchr(colon, '/') && (strchr(colon, '=') || colon[1] == '\0');
    return keys ? (size_t)(colon - argument) : strlen(argument);
}

static bool ends_in(const char *text, size_t length, const char *ending)
{
    size_t end = strlen(ending);
    return length > end && memcmp(text + length - end, ending, end) == 0;
}

bool read_is_named(const char *argument, const char *ending)
{
    return ends_in(argument, name_length(argument), ending);
}

/* Returns where a problem string names a file as its algorithm, as the commands print it, or NULL.
 */
static const char *algorithm_file(const char *argument)
{
    const char *at = argument[0] == '@' ? NULL : strstr(argument, ",alg=@");
    return at && kp_operation_find(argument, strcspn(argument, ":")) >= 0 ? at : NULL;
}

bool read_is_file(const char *argument)
{
    if (algorithm_file(argument))
        return false;
    return argument[0] == '@' || strcmp(argument, "-") == 0 || read_is_named(argument, ".json") ||
           read_is_named(argument, ".xml");
}

size_t read_head(const char *argument)
{
    return read_is_file(argument) ? name_length(argument) : strcspn(argument, ":");
}

/* --- The bytes of a file --- */

struct contents {
    char *text; /* `size` bytes and a final zero */
    size_t size;
    const char *why; /* why it cannot be read; NULL: it was read */
};

/* Makes room for more bytes. */
static bool grow(struct contents *c, size_t *room)
{
    size_t wanted = *room ? 2 * *room : 65536;
    char *larger = realloc(c->text, wanted + 1);
    if (!larger)
        return false;
    c->text = larger;
    *room = wanted;
    return true;
}

static struct contents read_stream(FILE *file)
{
    struct contents c = {.text = NULL};
    size_t room = 0;
    do {
        if (c.size == room && !grow(&c, &room)) {
            c.why = "there is no memory for it";
            return c;
        }
        errno = 0;
        c.size += fread(c.text + c.size, 1, room - c.size, file);
    } while (!feof(file) && !ferror(file) && c.size <= READ_TEXT_BYTES);
    c.text[c.size] = '\0';
    if (ferror(file))
        c.why = strerror(errno);
    else if (c.size > READ_TEXT_BYTES)
        c.why = "it has more than 256 MiB";
    return c;
}

static struct contents read_path(const char *path)
{
    if (strcmp(path, "-") == 0)
        return read_stream(stdin);
    FILE *file = fopen(path, "rb");
    if (!file)
        return (struct contents){.why = strerror(errno)};
    struct contents c = read_stream(file);
    fclose(file);
    return c;
}

/* --- The schedule --- */

static struct schedule_file *kept; /* the files that were read, the latest first */

static void forget(void)
{
    while (kept) {
        struct schedule_file *next = kept->next;
        schedule_file_free(kept);
        kept = next;
    }
}

static struct schedule_file *keep(const char *name)
{
    struct schedule_file *file = schedule_file_begin(name);
    if (!file)
        return NULL;
    if (!kept)
        (void)atexit(forget);
    file->next = kept;
    return kept = file;
}

/* Reads the text in the form that its name or its first character tells. */
static bool read_any(struct schedule_file *file, const struct contents *c, struct read_where *where)
{
    const char first = c->text[strspn(c->text, " \t\r\n")];
    size_t length = strlen(file->name);
    where->text[0] = '\0';
    if (ends_in(file->name, length, ".xml") || first == '<') {
        file->form = "msccl";
        return msccl_read_rounds(file, c->text, c->size);
    }
    if (ends_in(file->name, length, ".json") || first == '{') {
        file->form = "json";
        return read_json(file, c->text, c->size, where);
    }
    file->form = "text";
    return read_text(file, c->text, c->size, where);
}

static int refuse(const char *name, const char *where, const char *why)
{
    fprintf(stderr, "kport: %s%s%s: %s\n", name, *where ? ", " : "", where, why);
    return EXIT_IMPOSSIBLE;
}

/* Refuses a file that cannot be read. */
static int refuse_path(const char *path, const char *why)
{
    char name[FILE_NAME];
    struct stat there;
    const size_t comma = strcspn(path, ",");
    snprintf(name, sizeof name, "%.*s", (int)comma, path);
    if (strchr(path + comma, '=') && stat(name, &there) == 0 && S_ISREG(there.st_mode)) {
        fprintf(stderr, "kport: @%s: keys stand behind a colon, as in @%s:%s\n", path, name,
                path + comma + 1);
        return EXIT_IMPOSSIBLE;
    }
    return refuse(path, "", why);
}

int read_problem(const char *argument, kp_problem *problem)
{
    char name[FILE_NAME];
    const size_t length = name_length(argument);
    const char *path = name + 1, *changes = argument + length + (argument[length] == ':');
    struct read_where where;
    snprintf(name, sizeof name, "%s%.*s", argument[0] == '@' ? "" : "@", (int)length, argument);
    if (strlen(argument) >= sizeof name - 1 || name[1] == '\0')
        return refuse(name, "", "the name of the file has no characters, or more than 198");
    struct contents contents = read_path(path);
    struct schedule_file *file = contents.why ? NULL : keep(name);
    int status = EXIT_DONE;
    if (contents.why)
        status = refuse_path(path, contents.why);
    else if (!file)
        status = refuse(path, "", "there is no memory for it");
    else if (!read_any(file, &contents, &where))
        status = refuse(path, where.text, file->why) && file->wrong ? EXIT_FAILED : EXIT_IMPOSSIBLE;
    else if (!schedule_file_asked(file, changes, problem))
        status = refuse(argument, "", file->why);
    free(contents.text);
    return status;
}

/* Returns whether an argument that is no problem string may be meant as a file: its operation is
 * unknown, and a file of this name exists. */
static bool looks_like_file(const char *argument)
{
    char name[FILE_NAME];
    struct stat there;
    const size_t length = name_length(argument);
    if (length == 0 || length >= sizeof name ||
        kp_operation_find(argument, strcspn(argument, ":")) >= 0)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    return stat(name, &there) == 0 && S_ISREG(there.st_mode);
}

/* Reads a problem string whose algorithm is a file. The rest of the string must be a problem that
 * the file serves. */
static int read_with_file(const char *argument, const char *alg, kp_problem *problem)
{
    char rest[1024], file[FILE_NAME + 1];
    kp_problem own;
    const char *name = alg + strlen(",alg="), *end = name + strcspn(name, ",");
    snprintf(rest, sizeof rest, "%.*s%s", (int)(alg - argument), argument, end);
    snprintf(file, sizeof file, "%.*s", (int)(end - name), name);
    if (strlen(argument) >= sizeof rest || (size_t)(end - name) >= sizeof file)
        return refuse(argument, "", "a problem may have 1023 characters, and a file's name 199");
    int status = kp_problem_parse(rest, problem) ? facts_refuse() : read_problem(file, &own);
    if (status)
        return status;
    problem->algorithm = own.algorithm;
    return kp_problem_check(problem) ? facts_refuse() : EXIT_DONE;
}

int read_argument(const char *argument, kp_problem *problem)
{
    const char *alg = algorithm_file(argument);
    if (alg)
        return read_with_file(argument, alg, problem);
    if (read_is_file(argument))
        return read_problem(argument, problem);
    if (kp_problem_parse(argument, problem) == KP_OK)
        return EXIT_DONE;
    if (!looks_like_file(argument))
        return facts_refuse();
    fprintf(stderr, "kport: '%s' is not a problem string; did you mean the file @%s?\n", argument,
            argument);
    return EXIT_IMPOSSIBLE;
}
