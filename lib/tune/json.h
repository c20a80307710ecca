/* A strict reader of JSON, for profiles: libc and threads are all that the library links, and a
 * profile serves any program, so the library reads it itself.
 *
 * Less than JSON allows is read: no escapes in texts, numbers that a double holds, ten levels at
 * most. Nothing is passed over: a key that is there twice, or anything after the end, refuses the
 * whole. */
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

/* A value. Those of a list or an object follow each other by `next`. */
struct kp_json {
    enum kp_json_kind kind;
    int first, next; /* numbers of nodes; -1: none */
    int count;       /* values in a list or an object */
    double number;
    const char *text, *key; /* in what was read, not zero-terminated */
    int text_length, key_length;
};

struct kp_json_document {
    struct kp_json *nodes; /* node 0 is the whole */
    int count, room;
    bool no_memory; /* why it was not read */
};

/* Reads `length` bytes, which stay as long as the document. False with a sentence in `why`. */
bool kp_json_read(struct kp_json_document *document, const char *text, size_t length, char *why,
                  size_t why_size);
void kp_json_free(struct kp_json_document *document);

/* The value of that key; NULL if there is none. */
const struct kp_json *kp_json_member(const struct kp_json_document *document,
                                     const struct kp_json *object, const char *key);

/* Values in order: the first one, and the one after another; NULL at the end. */
const struct kp_json *kp_json_first(const struct kp_json_document *document,
                                    const struct kp_json *parent);
const struct kp_json *kp_json_next(const struct kp_json_document *document,
                                   const struct kp_json *value);

/* "a number", "a list", and so on. */
const char *kp_json_kind_name(enum kp_json_kind kind);

#endif
