/* "word,key=value,key=value": the notation that problem strings and a call's `how` share. Every
 * refusal is a sentence that names the key, what it was and what it may be. */
#ifndef KPORT_LIB_FIELDS_H
#define KPORT_LIB_FIELDS_H

#include "kport/schedule.h"

#include <stddef.h>
#include <stdint.h>

/* A part of the text, not zero-terminated. */
struct kp_word {
    const char *text;
    size_t length;
};

struct kp_field {
    struct kp_word key, value;
};

#define KP_FIELDS 16

/* For printf: "%.*s", KP_WORD(word). A very long word is cut. */
#define KP_WORD(word) (int)((word).length < 40 ? (word).length : 40), (word).text

int kp_word_is(struct kp_word word, const char *text);

/* Splits "key=value,key=value" into at most KP_FIELDS fields. Refuses an empty key or value, a part
 * without '=', and a key that is there twice. An empty text has no fields. */
int kp_fields_split(const char *text, struct kp_field *fields, int *count);

/* Reads a decimal number: digits, and K, M or G behind them for 2^10, 2^20 or 2^30. 0: it is none,
 * or needs more than 64 bits. */
int kp_word_number(struct kp_word word, uint64_t *number);

/* Reads such a number, in low ... high. The field's key begins the sentence if refused. */
int kp_field_number(const struct kp_field *field, uint64_t low, uint64_t high, uint64_t *number);

/* Refuses the keys that are kept for later, and those of the machine. */
int kp_field_reserved(struct kp_word key);

/* Finds an algorithm by name, else KP_EALGORITHM and the names that there are. */
int kp_fields_algorithm(kp_operation operation, struct kp_word name,
                        const kp_algorithm **algorithm);

/* Reads a field as a parameter of problem->algorithm into problem->values; if that is NULL it
 * becomes the only algorithm of the operation that has the parameter. The range is looked at only
 * if the problem's n is not 0. */
int kp_fields_parameter(const struct kp_field *field, kp_problem *problem);

#endif
