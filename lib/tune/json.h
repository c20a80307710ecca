/* This header declares a strict reader of JSON, for profiles. The library has its own reader
 * because it links only libc and threads.
 *
 * The reader accepts less than JSON allows. Texts have no escapes, numbers must fit a double, and
 * there are at most ten levels. The reader skips nothing. It refuses the whole text if, for
 * example, a key occurs twice or a byte follows the end. */
#ifndef KPORT_LIB_JSON_H
#define KPORT_LIB_JSON_H

#include <stdbool.h>
#include <stddef.h>

enum kp_json_kind {
    KP_JSON_NULL,
    KP_JSON_FALSE,
    KP_JSON_TRUE,
    KP_JSON_NUMBER,
    KP_JSON_TEXT,
    KP_JSON_LIST,
    KP_JSON_OBJECT,
    KP_JSON_KINDS
};

/* A value of the document. The values of a list or an object are linked by `next`. */
struct kp_json {
    enum kp_json_kind kind;
    /* the index of the first value in this list or object, and of the value after this one; -1:
     * none */
    int first, next;
    int count; /* the number of values in this list or object */
    double number;
    const char *text, *key; /* parts of the text that was read; not zero-terminated */
    int text_length, key_length;
};

struct kp_json_document {
    struct kp_json *nodes; /* all values; node 0 is the outermost value */
    int count, room;
    bool no_memory; /* the reader stopped because there was no memory */
};

/* Reads the `length` bytes of `text`. The text must exist as long as the document. If the reader
 * refuses the text, it returns false and writes the reason to `why`. */
bool kp_json_read(struct kp_json_document *document, const char *text, size_t length, char *why,
                  size_t why_size);
void kp_json_free(struct kp_json_document *document);

/* Returns the object's value with this key, or NULL. */
const struct kp_json *kp_json_member(const struct kp_json_document *document,
                                     const struct kp_json *object, const char *key);

/* `kp_json_first` returns the first value of a list or an object. `kp_json_next` returns the value
 * after `value`. They return NULL at the end. */
const struct kp_json *kp_json_first(const struct kp_json_document *document,
                                    const struct kp_json *parent);
const struct kp_json *kp_json_next(const struct kp_json_document *document,
                                   const struct kp_json *value);

/* Returns the name of a kind, such as "a number" or "a list". */
const char *kp_json_kind_name(enum kp_json_kind kind);

#endif
