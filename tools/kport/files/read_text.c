/* Reads a schedule in the text form, which write_text.c writes:
 *
 *     kport schedule 1
 *     problem concat:n=2,k=1,b=8
 *     before
 *       0: out[0] -> in[0]
 *       1: out[0] -> in[1]
 *     round 0
 *       0.0 -> 1.0: out[0] -> in[0]
 *       1.0 -> 0.0: out[0] -> in[1]
 *
 * doc/manual/guides/own.md has the whole form. */
#include "tools/kport/files/read.h"

#include "tools/kport/files/write_frame.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_NUMBER ((int64_t)1 << 62)

struct reader {
    struct schedule_file *file;
    const char *at, *end; /* what is left of the line */
    int line;
    bool head, problem, units, scratch, lengths, padded; /* lines that there have been */
    bool steps;                                          /* the steps have begun */
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->file->why, sizeof r->file->why, format, arguments);
    va_end(arguments);
    return false;
}

/* --- Words and numbers --- */

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Refuses what stands here, and says what may stand here. */
static bool expect(struct reader *r, const char *what)
{
    char found[24];
    int length = 0;
    for (const char *c = r->at; c < r->end && length < 20 && *c != ' ' && *c != '\t'; c++)
        found[length++] = *c > ' ' && *c < 127 ? *c : '?';
    found[length] = '\0';
    return length > 0 ? refuse(r, "\"%s\" stands where %s is expected", found, what)
                      : refuse(r, "the line ends where %s is expected", what);
}

/* Goes past `mark` if it stands here. */
static bool has(struct reader *r, const char *mark)
{
    size_t length = strlen(mark);
    skip_space(r);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, mark, length) != 0)
        return false;
    if (is_letter(mark[length - 1]) && (size_t)(r->end - r->at) > length &&
        is_letter(r->at[length]))
        return false;
    r->at += length;
    return true;
}

static bool pass(struct reader *r, const char *mark)
{
    char what[16];
    snprintf(what, sizeof what, "\"%s\"", mark);
    return has(r, mark) || expect(r, what);
}

static bool read_number(struct reader *r, const char *what, int64_t *number)
{
    skip_space(r);
    const bool negative = r->end - r->at > 1 && *r->at == '-' && is_digit(r->at[1]);
    if (r->at == r->end || (!negative && !is_digit(*r->at)))
        return expect(r, what);
    *number = 0;
    for (r->at += negative; r->at < r->end && is_digit(*r->at); r->at++) {
        if (*number > MOST_NUMBER / 10 - 1)
            return refuse(r, "the number for %s is too large", what);
        *number = *number * 10 + (*r->at - '0');
    }
    *number = negative ? -*number : *number;
    return true;
}

/* Reads a number that must fit an int. A port, or a processor, that cannot be is found later. */
static bool read_int(struct reader *r, const char *what, int *number)
{
    int64_t value = 0;
    if (!read_number(r, what, &value))
        return false;
    if (value < 0 || value > FILE_PROCESSORS)
        return refuse(r, "%s is %" PRId64 "; it may be 0 ... %d", what, value, FILE_PROCESSORS);
    *number = (int)value;
    return true;
}

/* Copies the word that stands here. */
static bool read_word(struct reader *r, const char *what, char *word, size_t size)
{
    size_t length = 0;
    skip_space(r);
    while (r->at<r->end && * r->at> ' ' && *r->at < 127 && length + 1 < size)
        word[length++] = *r->at++;
    word[length] = '\0';
    if (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        return expect(r, "a shorter word, of printable ASCII,");
    return length > 0 || expect(r, what);
}

static bool ends(struct reader *r)
{
    skip_space(r);
    return r->at == r->end || expect(r, "the end of the line");
}

/* --- Steps --- */

/* Reads "in[3]", "in[3..6]" or "in[3..6 by 8 x 2]". */
static bool read_piece(struct reader *r, enum file_part part)
{
    kp_piece piece = {.count = 1};
    int space = 0;
    while (space < KP_SPACES && !has(r, write_spaces[space]))
        space++;
    if (space == KP_SPACES)
        return expect(r, "out, in or scratch");
    piece.space = (kp_space)space;
    if (!pass(r, "[") || !read_number(r, "a place", &piece.first))
        return false;
    int64_t last = piece.first;
    if (has(r, "..") && !read_number(r, "the last place", &last))
        return false;
    if (last < piece.first)
        return refuse(r, "the last place is %" PRId64 ", which is before the first", last);
    piece.run = last - piece.first + 1;
    if (has(r, "by")) {
        if (!read_number(r, "a distance", &piece.stride) || !pass(r, "x") ||
            !read_number(r, "a number of runs", &piece.count))
            return false;
    }
    skip_space(r);
    if (r->at < r->end && *r->at == '-')
        return refuse(r, "\"-\" stands where \"]\" is expected; a range is in[0..3]");
    return pass(r, "]") && schedule_file_piece(r->file, part, &piece);
}

static bool read_pieces(struct reader *r, enum file_part part)
{
    do {
        if (!read_piece(r, part))
            return false;
        skip_space(r);
    } while (r->at < r->end && (*r->at == 'o' || *r->at == 'i' || *r->at == 's'));
    if (r->at < r->end && *r->at == ',')
        return refuse(r,
                      "\",\" stands behind a piece; pieces have only blanks between, as in out[1] "
                      "out[4]");
    return true;
}

static bool read_end(struct reader *r, int *rank, int *port)
{
    *port = 0;
    return read_int(r, "a processor", rank) && (!has(r, ".") || read_int(r, "a port", port));
}

/* Reads "0.0 -> 1.0: out[0] -> in[0]", or "0: out[0] -> in[0]". */
static bool read_step(struct reader *r)
{
    struct file_step step = {.move = true, .line = r->line};
    if (!r->steps)
        return refuse(r, "a step stands before \"before\" and the first round");
    if (!read_end(r, &step.from, &step.from_port))
        return false;
    step.move = !has(r, "->");
    step.to = step.from;
    if (!step.move && !read_end(r, &step.to, &step.to_port))
        return false;
    if (!pass(r, ":"))
        return false;
    if (!schedule_file_step(r->file, &step) || !read_pieces(r, FILE_SENT) || !pass(r, "->"))
        return false;
    for (int side = KP_LEFT; side <= KP_RIGHT; side++) {
        if (has(r, write_sides[side]) && !schedule_file_combine(r->file, (kp_combining)side))
            return false;
    }
    if (!read_pieces(r, FILE_PUT) || (has(r, "with") && !read_pieces(r, FILE_OPERAND)))
        return false;
    return ends(r) && schedule_file_step_ready(r->file);
}

/* --- The lines before the steps --- */

/* Refuses a line that there has been, or that comes too early or too late. */
static bool only_once(struct reader *r, const char *key, bool *there)
{
    if (*there)
        return refuse(r, "%s is there twice", key);
    if (!r->problem && there != &r->problem)
        return refuse(r, "%s stands before the problem", key);
    if (r->steps)
        return refuse(r, "%s stands behind the first step", key);
    return *there = true;
}

static bool read_problem_line(struct reader *r)
{
    char word[400];
    return only_once(r, "problem", &r->problem) &&
           read_word(r, "a problem, as concat:n=4,k=1,b=8,", word, sizeof word) &&
           schedule_file_problem(r->file, word);
}

static bool read_units(struct reader *r)
{
    char word[40];
    if (r->scratch)
        return refuse(r, "units stands behind scratch, whose size it says");
    return only_once(r, "units", &r->units) &&
           read_word(r, "blocks, bytes or elements", word, sizeof word) &&
           schedule_file_units(r->file, word);
}

static bool read_scratch(struct reader *r)
{
    int64_t units;
    return only_once(r, "scratch", &r->scratch) && read_number(r, "the units of scratch", &units) &&
           schedule_file_scratch(r->file, units);
}

static bool read_length_bytes(struct reader *r)
{
    int64_t bytes;
    return only_once(r, "length-bytes", &r->lengths) &&
           read_number(r, "the bytes of a length", &bytes) &&
           schedule_file_lengths(r->file, bytes, r->file->row.pads);
}

static bool read_padded(struct reader *r)
{
    return only_once(r, "padded", &r->padded) &&
           schedule_file_lengths(r->file, r->file->row.length_bytes, true);
}

/* --- Rounds --- */

static bool begin_steps(struct reader *r)
{
    if (!r->problem)
        return refuse(
            r, "the line 'problem ...' must stand before the first move and the first round");
    r->steps = true;
    return true;
}

static bool read_before(struct reader *r)
{
    if (r->steps)
        return refuse(r, "before is there twice, or behind the first round");
    return begin_steps(r);
}

static bool read_round(struct reader *r)
{
    int64_t round = 0;
    if (!begin_steps(r) || !read_number(r, "a round", &round))
        return false;
    if (round != r->file->rounds)
        return refuse(r, "round %" PRId64 " stands where round %d is expected", round,
                      r->file->rounds);
    return schedule_file_round(r->file);
}

/* --- Lines --- */

static const struct {
    const char *key;
    bool (*read)(struct reader *r);
} keys[] = {
    {"round", read_round},   {"before", read_before},   {"problem", read_problem_line},
    {"units", read_units},   {"scratch", read_scratch}, {"length-bytes", read_length_bytes},
    {"padded", read_padded},
};

static bool read_head_line(struct reader *r)
{
    int64_t version;
    if (!has(r, "kport") || !has(r, "schedule"))
        return refuse(r, "a file begins with the line \"kport schedule %d\"", WRITE_VERSION);
    if (!read_number(r, "the version", &version))
        return false;
    if (version != WRITE_VERSION)
        return refuse(r, "the version is %" PRId64 "; this kport reads version %d", version,
                      WRITE_VERSION);
    return r->head = true;
}

static bool read_line(struct reader *r)
{
    skip_space(r);
    if (r->at == r->end)
        return true;
    if (!r->head)
        return read_head_line(r) && ends(r);
    if (is_digit(*r->at))
        return read_step(r);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (has(r, keys[i].key))
            return keys[i].read(r) && ends(r);
    }
    return expect(r, "a step, round, before, problem, units, scratch, length-bytes or padded");
}

/* Sets the reader to the next line, without its comment. Returns the line's end. */
static const char *next_line(struct reader *r, const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *whole = newline ? newline : end;
    const char *comment = memchr(at, '#', (size_t)(whole - at));
    r->at = at;
    r->end = comment ? comment : whole;
    if (r->end > at && !comment && r->end[-1] == '\r')
        r->end--;
    r->line++;
    return newline ? newline + 1 : end;
}

bool read_text(struct schedule_file *file, const char *text, size_t size, struct read_where *where)
{
    struct reader r = {.file = file};
    bool right = true;
    schedule_file_size(file, size);
    for (const char *at = text, *end = text + size; at < end && right;) {
        at = next_line(&r, at, end);
        right = read_line(&r);
    }
    snprintf(where->text, sizeof where->text, "line %d", r.line + right);
    if (right && !r.problem)
        right = refuse(&r, "the file ends before its problem");
    return right && schedule_file_end(file);
}
