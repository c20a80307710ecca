/* These functions read texts of the form "word,key=value,key=value". Problem strings and the hints
 * of a call have this form. A function that refuses a field returns the status of an error. The
 * error's sentence has the key, its value, and the values that are allowed. */
#ifndef KPORT_LIB_FIELDS_H
#define KPORT_LIB_FIELDS_H

#include "kport/schedule.h"

#include <stddef.h>
#include <stdint.h>

/* A part of a text. It is not zero-terminated. */
struct kp_word {
    const char *text;
    size_t length;
};

struct kp_field {
    struct kp_word key, value;
};

#define KP_FIELDS 16

/* The bytes of an algorithm's or parameter's name, with the final zero. */
#define KP_NAME_BYTES 41

/* The printf arguments of a word, for the format "%.*s". A word of more than 40 bytes is cut. */
#define KP_WORD(word) (int)((word).length < 40 ? (word).length : 40), (word).text

int kp_word_is(struct kp_word word, const char *text);

/* Splits "key=value,key=value" into at most KP_FIELDS fields. Refuses an empty key or value, a
 * field without '=', and a key that occurs twice. An empty text has no fields. */
int kp_fields_split(const char *text, struct kp_field *fields, int *count);

/* Reads a decimal number. A K, M or G after the digits multiplies the number by 2^10, 2^20 or 2^30.
 * Returns 1, or 0 if the word is no such number or if the number needs more than 64 bits. */
int kp_word_number(struct kp_word word, uint64_t *number);

/* Reads the value of a field as a number in low ... high. The sentence of a refusal begins with the
 * field's key. */
int kp_field_number(const struct kp_field *field, uint64_t low, uint64_t high, uint64_t *number);

/* Does what kp_field_number does, for a range that depends on n, which the error then names. */
int kp_field_number_of(const struct kp_field *field, int n, uint64_t low, uint64_t high,
                       uint64_t *number);

/* Writes "with n=4 ", or nothing if n is 0. */
#define KP_WITH_BYTES 32
void kp_field_with(int n, char text[KP_WITH_BYTES]);

/* Returns 0 if the field's key is that of a problem, or a parameter of the algorithm, or, if there
 * is no algorithm yet, of just one of the operation, which is then stored in `algorithm`. Otherwise
 * sets an error. */
int kp_field_known(const struct kp_field *field, kp_operation operation,
                   const kp_algorithm **algorithm);

/* Returns 1 if the key is one that every problem has or may have, such as n or root. */
int kp_field_is_common(struct kp_word key);

/* Returns 1 if the key describes the machine, such as carrier or workers. */
int kp_field_is_of_machine(struct kp_word key);

/* Refuses a key that is reserved for later versions, and a key that describes the machine. */
int kp_field_reserved(struct kp_word key);

/* Finds an algorithm by its name. If there is none, returns KP_EALGORITHM, with a sentence that
 * lists the operation's algorithms. */
int kp_fields_algorithm(kp_operation operation, struct kp_word name,
                        const kp_algorithm **algorithm);

/* Reads a field as a parameter of problem->algorithm, and stores the value in problem->values. If
 * the problem has no algorithm, it gets the only algorithm of the operation that has this
 * parameter. The function checks the range of the value only if the problem's n is not 0. */
int kp_fields_parameter(const struct kp_field *field, kp_problem *problem);

#endif
