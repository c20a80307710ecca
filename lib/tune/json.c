#include "lib/tune/json.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 10
#define MOST_NODES  (1 << 22)
#define MOST_DIGITS 40
#define MOST_KEYS   64

struct reader {
    struct kp_json_document *document;
    const char *text, *at, *end;
    int level;
    bool failed;
    char *why;
    size_t why_size;
};

static int fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records a reason, but only the first. Returns -1, which stands for no node. */
static int fail(struct reader *r, const char *format, ...)
{
    if (r->failed)
        return -1;
    r->failed = true;
    va_list arguments;
    va_start(arguments, format);
    int used = vsnprintf(r->why, r->why_size, format, arguments);
    va_end(arguments);
    if (used >= 0 && (size_t)used < r->why_size)
        snprintf(r->why + used, r->why_size - (size_t)used, ", at byte %td", r->at - r->text);
    return -1;
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && memchr(" \t\r\n", *r->at, 4))
        r->at++;
}

static int add_node(struct reader *r, enum kp_json_kind kind)
{
    struct kp_json_document *d = r->document;
    if (d->count == d->room) {
        int room = d->room ? d->room * 2 : 256;
        struct kp_json *larger =
            room <= MOST_NODES ? realloc(d->nodes, (size_t)room * sizeof *larger) : NULL;
        d->no_memory = !larger && room <= MOST_NODES;
        if (!larger)
            return fail(r, "there is no memory for so many values");
        d->nodes = larger;
        d->room = room;
    }
    d->nodes[d->count] = (struct kp_json){.kind = kind, .first = -1, .next = -1};
    return d->count++;
}

/* Returns the next byte that is not a space. At the end it records a failure and returns 0. */
static char look(struct reader *r)
{
    skip_space(r);
    if (r->at < r->end)
        return *r->at;
    fail(r, "it ends in the middle");
    return '\0';
}

static bool read_text(struct reader *r, const char **text, int *length)
{
    const char *begin = ++r->at;
    while (r->at < r->end && *r->at != '"') {
        unsigned char c = (unsigned char)*r->at;
        if (c < 0x20 || c >= 0x7f || c == '\\') {
            fail(r, "a text has byte 0x%02x; it may have printable ASCII, without \\", c);
            return false;
        }
        r->at++;
    }
    if (r->at == r->end) {
        fail(r, "it ends in the middle");
        return false;
    }
    *text = begin;
    *length = (int)(r->at++ - begin);
    return true;
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Returns whether the text is a number as JSON defines it. strtod accepts more, such as "0x10",
 * "inf", "+1" and ".5". */
static bool is_number(const char *text)
{
    text += *text == '-';
    size_t whole = digits(text);
    if (whole == 0 || (whole > 1 && text[0] == '0'))
        return false;
    text += whole;
    if (*text == '.') {
        size_t part = digits(++text);
        if (part == 0)
            return false;
        text += part;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        size_t exponent = digits(text);
        return exponent > 0 && text[exponent] == '\0';
    }
    return *text == '\0';
}

/* Returns the value of a number. The function does not use strtod, because strtod expects the
 * decimal point of the locale. */
static double value_of(const char *text)
{
    double value = 0, scale = 1;
    bool negative = *text == '-';
    text += negative;
    for (; *text >= '0' && *text <= '9'; text++)
        value = value * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) {
            scale *= 10;
            value = value * 10 + (*text - '0');
        }
    value /= scale;
    if (*text == 'e' || *text == 'E') {
        text++;
        bool down = *text == '-';
        text += *text == '-' || *text == '+';
        int exponent = 0;
        for (; *text >= '0' && *text <= '9' && exponent < 10000; text++)
            exponent = exponent * 10 + (*text - '0');
        for (int i = 0; i < exponent && value != 0 && value <= DBL_MAX; i++)
            value = down ? value / 10 : value * 10;
    }
    return negative ? -value : value;
}

static int read_number(struct reader *r)
{
    char copy[MOST_DIGITS + 1] = "";
    size_t length = 0;
    while (r->at + length < r->end && memchr("+-.0123456789eE", r->at[length], 15))
        length++;
    if (length > MOST_DIGITS)
        return fail(r, "a number has %zu characters; it may have %d", length, MOST_DIGITS);
    memcpy(copy, r->at, length);
    if (r->at + length == r->end)
        return fail(r, "it ends in the middle");
    if (!is_number(copy))
        return fail(r, "'%s' is no number", copy);
    double value = value_of(copy);
    if (!(value >= -DBL_MAX && value <= DBL_MAX))
        return fail(r, "the number %s is too large", copy);
    int node = add_node(r, KP_JSON_NUMBER);
    if (node >= 0)
        r->document->nodes[node].number = value;
    r->at += length;
    return node;
}

static int read_word(struct reader *r)
{
    static const struct {
        const char *word;
        enum kp_json_kind kind;
    } words[] = {{"true", KP_JSON_TRUE}, {"false", KP_JSON_FALSE}, {"null", KP_JSON_NULL}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word), left = (size_t)(r->end - r->at);
        size_t some = left < length ? left : length;
        if (memcmp(r->at, words[i].word, some) != 0)
            continue;
        if (some < length)
            return fail(r, "it ends in the middle");
        r->at += length;
        return add_node(r, words[i].kind);
    }
    return fail(r, "a value begins with byte 0x%02x", (unsigned char)*r->at);
}

static int read_value(struct reader *r);

static bool read_key(struct reader *r, const char **key, int *length)
{
    char c = look(r);
    if (c != '"') {
        if (c)
            fail(r, "a key is missing");
        return false;
    }
    if (!read_text(r, key, length))
        return false;
    if ((c = look(r)) != ':') {
        if (c)
            fail(r, "after the key \"%.*s\" a colon is missing", *length, *key);
        return false;
    }
    r->at++;
    return true;
}

static bool is_twice(const struct reader *r, int parent, const char *key, int length)
{
    const struct kp_json *nodes = r->document->nodes;
    for (int i = nodes[parent].first; i >= 0; i = nodes[i].next) {
        if (nodes[i].key_length == length && memcmp(nodes[i].key, key, (size_t)length) == 0)
            return true;
    }
    return false;
}

/* Reads the values of a list or an object, up to the closing bracket. */
static int read_values(struct reader *r, enum kp_json_kind kind, char closing)
{
    int parent = add_node(r, kind), last = -1;
    if (++r->level > MOST_LEVELS)
        return fail(r, "it has more than %d levels", MOST_LEVELS);
    r->at++;
    if (parent >= 0 && look(r) == closing) {
        r->at++;
        r->level--;
        return parent;
    }
    while (!r->failed) {
        const char *key = NULL;
        int key_length = 0;
        if (kind == KP_JSON_OBJECT && !read_key(r, &key, &key_length))
            break;
        if (key && r->document->nodes[parent].count == MOST_KEYS)
            return fail(r, "an object has more than %d keys", MOST_KEYS);
        if (key && is_twice(r, parent, key, key_length))
            return fail(r, "the key \"%.*s\" is there twice", key_length, key);
        int node = read_value(r);
        if (node < 0)
            break;
        struct kp_json *nodes = r->document->nodes;
        nodes[node].key = key;
        nodes[node].key_length = key_length;
        *(last < 0 ? &nodes[parent].first : &nodes[last].next) = node;
        nodes[parent].count++;
        last = node;
        char c = look(r);
        if (c == closing) {
            r->at++;
            r->level--;
            return parent;
        }
        if (c != ',')
            return c ? fail(r, "after a value a comma or '%c' is missing", closing) : -1;
        r->at++;
    }
    return -1;
}

static int read_value(struct reader *r)
{
    char c = look(r);
    if (r->failed)
        return -1;
    if (c == '{')
        return read_values(r, KP_JSON_OBJECT, '}');
    if (c == '[')
        return read_values(r, KP_JSON_LIST, ']');
    if (c == '-' || (c >= '0' && c <= '9'))
        return read_number(r);
    if (c != '"')
        return read_word(r);
    const char *text;
    int length;
    int node = read_text(r, &text, &length) ? add_node(r, KP_JSON_TEXT) : -1;
    if (node >= 0) {
        r->document->nodes[node].text = text;
        r->document->nodes[node].text_length = length;
    }
    return node;
}

bool kp_json_read(struct kp_json_document *document, const char *text, size_t length, char *why,
                  size_t why_size)
{
    struct reader r = {.document = document,
                       .text = text,
                       .at = text,
                       .end = text + length,
                       .why = why,
                       .why_size = why_size};
    *document = (struct kp_json_document){.nodes = NULL};
    if (read_value(&r) >= 0) {
        skip_space(&r);
        if (r.at < r.end)
            fail(&r, "after the end there is more");
    }
    if (r.failed)
        kp_json_free(document);
    return !r.failed;
}

void kp_json_free(struct kp_json_document *document)
{
    free(document->nodes);
    document->nodes = NULL;
    document->count = document->room = 0;
}

const struct kp_json *kp_json_first(const struct kp_json_document *document,
                                    const struct kp_json *parent)
{
    return parent->first >= 0 ? &document->nodes[parent->first] : NULL;
}

const struct kp_json *kp_json_next(const struct kp_json_document *document,
                                   const struct kp_json *value)
{
    return value->next >= 0 ? &document->nodes[value->next] : NULL;
}

const struct kp_json *kp_json_member(const struct kp_json_document *document,
                                     const struct kp_json *object, const char *key)
{
    size_t length = strlen(key);
    for (const struct kp_json *v = kp_json_first(document, object); v;
         v = kp_json_next(document, v)) {
        if ((size_t)v->key_length == length && memcmp(v->key, key, length) == 0)
            return v;
    }
    return NULL;
}

const char *kp_json_kind_name(enum kp_json_kind kind)
{
    static const char *const names[KP_JSON_KINDS] = {
        [KP_JSON_NULL] = "null",       [KP_JSON_FALSE] = "false", [KP_JSON_TRUE] = "true",
        [KP_JSON_NUMBER] = "a number", [KP_JSON_TEXT] = "a text", [KP_JSON_LIST] = "a list",
        [KP_JSON_OBJECT] = "an object"};
    return names[kind];
}
