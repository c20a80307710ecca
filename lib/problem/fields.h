/* The notation "word,key=value,key=value" of problem strings and of a call's `hints`. Every refusal
 * is a sentence with the key, its value, and the values that are allowed. */
#ifndef KPORT_LIB_FIELDS_H
#define KPORT_LIB_FIELDS_H

#include "kport/schedule.h"

#include <stddef.h>
#include <stdint.h>

/* A word of the text, not zero-terminated. */
struct kp_word {
    const char *text;
    size_t length;
};

struct kp_field {
    struct kp_word key, value;
};

#define KP_FIELDS 16

/* For printf: "%.*s", KP_WORD(word). A word of more than 40 bytes is cut. */
#define KP_WORD(word) (int)((word).length < 40 ? (word).length : 40), (word).text

int kp_word_is(struct kp_word word, const char *text);

/* Splits "key=value,key=value" into at most KP_FIELDS fields. Refuses an empty key or value, a
 * field without '=', and a key that occurs twice. An empty text has no fields. */
int kp_fields_split(const char *text, struct kp_field *fields, int *count);

/* Reads a decimal number. A K, M or G after the digits multiplies it by 2^10, 2^20 or 2^30. Returns
 * 0 if the word is no such number, or the number needs more than 64 bits. */
int kp_word_number(struct kp_word word, uint64_t *number);

/* Reads such a number in low ... high. A refusal begins with the field's key. */
int kp_field_number(const struct kp_field *field, uint64_t low, uint64_t high, uint64_t *number);

/* Refuses keys that are reserved for later versions, and keys of the machine. */
int kp_field_reserved(struct kp_word key);

/* Finds an algorithm by name. Otherwise sets KP_EALGORITHM, with the names that exist. */
int kp_fields_algorithm(kp_operation operation, struct kp_word name,
                        const kp_algorithm **algorithm);

/* Reads a field as a parameter of problem->algorithm into problem->values. If the problem has no
 * algorithm, it gets the only algorithm of the operation with this parameter. The range is checked
 * only if the problem's n is not 0. */
int kp_fields_parameter(const struct kp_field *field, kp_problem *problem);

#endif
