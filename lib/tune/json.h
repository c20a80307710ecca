/* A strict reader of JSON, for profiles. The library has its own reader because it links only libc
 * and threads.
 *
 * It reads less than JSON allows: no escapes in texts, only numbers that a double holds, at most
 * ten levels. It ignores nothing: a key that occurs twice, or a byte after the end, makes it refuse
 * the whole text. */
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

/* A value. `next` links the values of a list or an object. */
struct kp_json {
    enum kp_json_kind kind;
    int first, next; /* indices of nodes, or -1 */
    int count;       /* the number of values in a list or an object */
    double number;
    const char *text, *key; /* parts of the text that was read, not zero-terminated */
    int text_length, key_length;
};

struct kp_json_document {
    struct kp_json *nodes; /* node 0 is the whole text */
    int count, room;
    bool no_memory; /* reading failed for lack of memory */
};

/* Reads `length` bytes. The text has to exist as long as the document. Returns false, with a
 * sentence in `why`, if the text is refused. */
bool kp_json_read(struct kp_json_document *document, const char *text, size_t length, char *why,
                  size_t why_size);
void kp_json_free(struct kp_json_document *document);

/* Returns the value with that key, or NULL. */
const struct kp_json *kp_json_member(const struct kp_json_document *document,
                                     const struct kp_json *object, const char *key);

/* `kp_json_first` returns the first value of a list or an object, `kp_json_next` the value after
 * another one. Both return NULL at the end. */
const struct kp_json *kp_json_first(const struct kp_json_document *document,
                                    const struct kp_json *parent);
const struct kp_json *kp_json_next(const struct kp_json_document *document,
                                   const struct kp_json *value);

/* Returns "a number", "a list", and so on. */
const char *kp_json_kind_name(enum kp_json_kind kind);

#endif
