/* Reads a schedule in the JSON form, which write_json.c writes.
 * doc/manual/reference/schedule.schema.json has the form. An unknown key is refused, because it
 * would change the meaning. */
#include "tools/kport/files/read.h"

#include "tools/kport/files/write_frame.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct reader {
    struct schedule_file *file;
    char *path; /* the path of the value that is read, of READ_WHERE bytes */
};

/* --- Paths --- */

/* Appends a key or an index to the path. Returns the length before, for `leave`. */
__attribute__((format(printf, 2, 3))) static size_t enter(struct reader *r, const char *format, ...)
{
    va_list arguments;
    size_t length = strlen(r->path);
    va_start(arguments, format);
    vsnprintf(r->path + length, READ_WHERE - length, format, arguments);
    va_end(arguments);
    return length;
}

/* Does the same for a key. */
static size_t enter_key(struct reader *r, const char *key)
{
    return r->path[0] ? enter(r, ".%s", key) : enter(r, "%s", key);
}

static void leave(struct reader *r, size_t length)
{
    r->path[length] = '\0';
}

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->file->why, sizeof r->file->why, format, arguments);
    va_end(arguments);
    return false;
}

/* --- Values --- */

/* Refuses the object if it has a key that is not among `keys`, which ends with NULL. */
static bool has_only(struct reader *r, json_t *object, const char *const *keys)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return refuse(r, "an object is expected");
    json_object_foreach(object, key, value)
    {
        int i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (keys[i])
            continue;
        char known[200] = "";
        for (i = 0; keys[i]; i++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                     keys[i]);
        return refuse(r, "the key \"%.40s\" is unknown; there may be %s", key, known);
    }
    return true;
}

/* Returns the value of a key, or NULL. If there must be one, refuses an object without it. */
static json_t *find(struct reader *r, const json_t *object, const char *key, bool needed)
{
    json_t *value = json_object_get(object, key);
    if (!value && needed)
        refuse(r, "the key \"%s\" is missing", key);
    return value;
}

/* Reads a whole number low ... high. A key that may be missing has a value already. */
static bool read_number(struct reader *r, const json_t *object, const char *key, bool needed,
                        int64_t low, int64_t high, int64_t *number)
{
    const json_t *value = find(r, object, key, needed);
    if (!value)
        return !needed;
    const size_t length = enter_key(r, key);
    if (!json_is_integer(value))
        return refuse(r, "a whole number is expected");
    *number = json_integer_value(value);
    if (*number < low || *number > high)
        return refuse(r, "the number is %lld; it may be %lld ... %lld", (long long)*number,
                      (long long)low, (long long)high);
    leave(r, length);
    return true;
}

static bool read_int(struct reader *r, const json_t *object, const char *key, int low, int high,
                     int *number)
{
    int64_t value = low;
    if (!read_number(r, object, key, true, low, high, &value))
        return false;
    *number = (int)value;
    return true;
}

/* Returns the index of a text among `words`, which ends with NULL, or -1. */
static int read_word(struct reader *r, const json_t *object, const char *key,
                     const char *const *words, int count)
{
    const json_t *value = find(r, object, key, true);
    char known[100] = "";
    if (!value)
        return -1;
    for (int i = 0; i < count; i++) {
        if (json_is_string(value) && strcmp(json_string_value(value), words[i]) == 0)
            return i;
        if (words[i][0])
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s\"%s\"",
                     known[0] ? ", " : "", words[i]);
    }
    enter_key(r, key);
    refuse(r, "it may be %s", known);
    return -1;
}

/* --- Steps --- */

#define FAR ((int64_t)1 << 62)

static bool read_piece(struct reader *r, json_t *value, enum file_part part)
{
    static const char *const keys[] = {"space", "first", "run", "stride", "count", NULL};
    kp_piece piece = {.run = 1, .count = 1};
    if (!has_only(r, value, keys))
        return false;
    int space = read_word(r, value, "space", write_spaces, KP_SPACES);
    if (space < 0 || !read_number(r, value, "first", true, 0, FAR, &piece.first) ||
        !read_number(r, value, "run", false, 1, FAR, &piece.run) ||
        !read_number(r, value, "count", false, 1, FAR, &piece.count) ||
        !read_number(r, value, "stride", piece.count > 1, -FAR, FAR, &piece.stride))
        return false;
    piece.space = (kp_space)space;
    return schedule_file_piece(r->file, part, &piece);
}

static bool read_pieces(struct reader *r, const json_t *object, const char *key, bool needed,
                        enum file_part part)
{
    json_t *list = find(r, object, key, needed), *value;
    size_t i;
    if (!list)
        return !needed;
    size_t length = enter_key(r, key);
    if (!json_is_array(list))
        return refuse(r, "a list of pieces is expected");
    json_array_foreach(list, i, value)
    {
        size_t before = enter(r, "[%zu]", i);
        if (!read_piece(r, value, part))
            return false;
        leave(r, before);
    }
    leave(r, length);
    return true;
}

static bool read_ends(struct reader *r, const json_t *object, struct file_step *step)
{
    const int last = r->file->problem.n - 1;
    if (step->move) {
        bool read = read_int(r, object, "at", 0, last, &step->from);
        step->to = step->from;
        return read;
    }
    return read_int(r, object, "from", 0, last, &step->from) &&
           read_int(r, object, "from_port", 0, FILE_PROCESSORS, &step->from_port) &&
           read_int(r, object, "to", 0, last, &step->to) &&
           read_int(r, object, "to_port", 0, FILE_PROCESSORS, &step->to_port);
}

/* Begins rounds up to the step's round. */
static bool read_round(struct reader *r, const json_t *object, int rounds)
{
    int round;
    if (!read_int(r, object, "round", r->file->rounds - 1, rounds - 1, &round))
        return false;
    while (r->file->rounds <= round) {
        if (!schedule_file_round(r->file))
            return false;
    }
    return true;
}

static bool read_step(struct reader *r, json_t *value, int rounds)
{
    static const char *const of_move[] = {"round", "at", "take", "combine", "put", NULL};
    static const char *const of_message[] = {"round", "from",    "from_port", "to",   "to_port",
                                             "take",  "combine", "put",       "with", NULL};
    struct file_step step = {.move = json_object_get(value, "at") != NULL};
    int side = KP_COPY;
    if (!has_only(r, value, step.move ? of_move : of_message) || !read_round(r, value, rounds) ||
        !read_ends(r, value, &step) || !schedule_file_step(r->file, &step))
        return false;
    if (json_object_get(value, "combine"))
        side = read_word(r, value, "combine", write_sides, KP_RIGHT + 1);
    if (side < 0 || (side != KP_COPY && !schedule_file_combine(r->file, (kp_combining)side)))
        return false;
    return read_pieces(r, value, "take", true, FILE_SENT) &&
           read_pieces(r, value, "put", true, FILE_PUT) &&
           read_pieces(r, value, "with", false, FILE_OPERAND) && schedule_file_step_ready(r->file);
}

static bool read_steps(struct reader *r, const json_t *root)
{
    json_t *list = find(r, root, "steps", true), *value;
    size_t i;
    int64_t rounds = 0;
    if (!list ||
        !read_number(r, root, "rounds", true, 0, FILE_ROUNDS / r->file->problem.n, &rounds))
        return false;
    enter_key(r, "steps");
    if (!json_is_array(list))
        return refuse(r, "a list of steps is expected");
    json_array_foreach(list, i, value)
    {
        size_t before = enter(r, "[%zu]", i);
        if (!read_step(r, value, (int)rounds))
            return false;
        leave(r, before);
    }
    while (r->file->rounds < rounds) {
        if (!schedule_file_round(r->file))
            return false;
    }
    return true;
}

/* --- What stands before the steps --- */

/* Reads the problem as a problem string: the operation, and each other key with its value. */
static bool read_problem_object(struct reader *r, json_t *object)
{
    char text[400];
    const char *key;
    json_t *value;
    size_t used;
    enter_key(r, "problem");
    if (!json_is_object(object))
        return refuse(r, "an object is expected");
    const json_t *operation = find(r, object, "operation", true);
    if (!operation)
        return false;
    if (!json_is_string(operation))
        return refuse(r, "the operation is no text");
    used = (size_t)snprintf(text, sizeof text, "%.100s:", json_string_value(operation));
    json_object_foreach(object, key, value)
    {
        if (value == operation)
            continue;
        const char *comma = text[used - 1] == ':' ? "" : ",";
        size_t room = sizeof text - used;
        /* A value that is no number or text is refused by the key that it has. */
        int length =
            json_is_integer(value) ? snprintf(text + used, room, "%s%s=%lld", comma, key,
                                              (long long)json_integer_value(value))
            : json_is_string(value)
                ? snprintf(text + used, room, "%s%s=%s", comma, key, json_string_value(value))
            : json_is_real(value)
                ? snprintf(text + used, room, "%s%s=%.17g", comma, key, json_real_value(value))
            : json_is_boolean(value) ? snprintf(text + used, room, "%s%s=%s", comma, key,
                                                json_is_true(value) ? "true" : "false")
                                     : -1;
        if (length < 0)
            return refuse(r, "%.40s is null, a list or an object; it may be a number or a text",
                          key);
        if ((size_t)length >= room)
            return refuse(r, "its keys and values have more than %zu characters", sizeof text - 1);
        used += (size_t)length;
    }
    return schedule_file_problem(r->file, text);
}

static bool read_frame(struct reader *r, json_t *root)
{
    int64_t version, scratch = -1, length_bytes = 0;
    const json_t *format = find(r, root, "format", true), *units = json_object_get(root, "units");
    const json_t *padded = json_object_get(root, "padded");
    if (!format || !read_number(r, root, "version", true, 0, FAR, &version))
        return false;
    if (!json_is_string(format) || strcmp(json_string_value(format), "kport schedule") != 0)
        return refuse(r, "the format is not \"kport schedule\"");
    if (version != WRITE_VERSION)
        return refuse(r, "the version is %lld; this kport reads version %d", (long long)version,
                      WRITE_VERSION);
    json_t *problem = find(r, root, "problem", true);
    if (!problem || !read_problem_object(r, problem))
        return false;
    leave(r, 0);
    if (units &&
        !schedule_file_units(r->file, json_is_string(units) ? json_string_value(units) : "no text"))
        return false;
    if (!read_number(r, root, "scratch", false, 0, FAR, &scratch) ||
        (scratch >= 0 && !schedule_file_scratch(r->file, scratch)) ||
        !read_number(r, root, "length_bytes", false, 0, FAR, &length_bytes))
        return false;
    if (padded && !json_is_boolean(padded))
        return refuse(r, "padded is neither true nor false");
    return (length_bytes == 0 && !json_is_true(padded)) ||
           schedule_file_lengths(r->file, length_bytes, json_is_true(padded));
}

bool read_json(struct schedule_file *file, const char *text, size_t size, struct read_where *where)
{
    static const char *const keys[] = {"format",  "version", "problem",      "units",
                                       "scratch", "padded",  "length_bytes", "rounds",
                                       "steps",   "comment", "$schema",      NULL};
    struct reader r = {file, where->text};
    json_error_t error;
    if (size > READ_JSON_BYTES)
        return refuse(&r, "it has %zu bytes; JSON may have %zu", size, READ_JSON_BYTES);
    schedule_file_size(file, size);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        enter(&r, "line %d, column %d", error.line, error.column);
        return refuse(&r, "%s", error.text);
    }
    bool right = has_only(&r, root, keys) && read_frame(&r, root) && read_steps(&r, root) &&
                 schedule_file_end(file);
    json_decref(root);
    return right;
}
