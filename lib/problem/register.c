/* Registers algorithms from outside the library, and checks rows. */
#include "lib/problem/register.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/problem/rows.h"
#include "ports/port.h"

#include <stdbool.h>
#include <string.h>

/* The most rows that stand behind a row (mirror_of, same_schedule_as), one behind the other. With
 * more of them, one of them stands behind itself. */
#define MOST_BEHIND 8

/* Names are short, so that a problem string has room. */
#define LONGEST_NAME (KP_NAME_BYTES - 1)

/* --- Every row --- */

/* Returns what the row lacks, or NULL. */
static const char *lack_of(const kp_algorithm *row)
{
    if (!row->build && !row->mirror_of && !row->same_schedule_as)
        return "build, mirror_of or same_schedule_as";
    for (int i = 0; i < KP_PARAMETERS && row->parameters[i].name; i++) {
        const kp_parameter *parameter = &row->parameters[i];
        if (!parameter->words && (!parameter->low || !parameter->high))
            return "low and high, or words, of a parameter";
    }
    return row->parameters[KP_PARAMETERS].name ? "end of its parameters (4 at most)" : NULL;
}

/* `behind` is the number of rows before which this one stands. */
static int check_row(const kp_algorithm *row, int behind)
{
    if (!row->name)
        return kp_set_error(KP_EALGORITHM, "the algorithm has no name");
    if (!kp_operation_row(row->operation))
        return kp_set_error(KP_EALGORITHM, "operation of algorithm %s is %d; it may be 0 ... %d",
                            row->name, (int)row->operation, (int)KP_OPERATIONS - 1);
    if ((unsigned)row->symmetry > KP_XOR)
        return kp_set_error(KP_EALGORITHM, "symmetry of algorithm %s is %d; it may be 0 ... %d",
                            row->name, (int)row->symmetry, (int)KP_XOR);
    if (row->pads && kp_operation_reduces(row->operation))
        return kp_set_error(KP_EALGORITHM,
                            "pads of algorithm %s is %d; with %s it may be 0, because an operator "
                            "would combine the padding",
                            row->name, row->pads, kp_operation_name(row->operation));
    const char *lacks = lack_of(row);
    if (lacks)
        return kp_set_error(KP_EALGORITHM, "algorithm %s has no %s", row->name, lacks);
    const kp_algorithm *other = row->same_schedule_as ? row->same_schedule_as : row->mirror_of;
    if (other && behind == MOST_BEHIND)
        return kp_set_error(KP_EALGORITHM,
                            "mirror_of or same_schedule_as of algorithm %s leads back to itself",
                            row->name);
    return other ? check_row(other, behind + 1) : KP_OK;
}

int kp_row_check(const kp_algorithm *row)
{
    return check_row(row, 0);
}

/* --- Names that stand in problem strings --- */

static bool is_name(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_+.";
    size_t length = strspn(name, allowed);
    return length > 0 && length <= LONGEST_NAME && name[length] == '\0';
}

static int refuse_name(const char *what, const char *name)
{
    return kp_set_error(KP_EALGORITHM,
                        "%s is \"%.60s\"; it may have 1 ... %d letters, digits and - _ + .", what,
                        name, LONGEST_NAME);
}

static int check_words(const kp_algorithm *row, const kp_parameter *parameter)
{
    if (!parameter->words[0])
        return kp_set_error(KP_EALGORITHM,
                            "parameter %s of algorithm %s has an empty list of words",
                            parameter->name, row->name);
    for (int i = 0; parameter->words[i]; i++) {
        if (!is_name(parameter->words[i]))
            return refuse_name("a word of a parameter", parameter->words[i]);
    }
    return KP_OK;
}

static int check_parameter(const kp_algorithm *row, int i)
{
    const kp_parameter *parameter = &row->parameters[i];
    const struct kp_word key = {parameter->name, strlen(parameter->name)};
    if (!is_name(parameter->name))
        return refuse_name("the name of a parameter", parameter->name);
    if (kp_field_is_common(key) || kp_field_reserved(key))
        return kp_set_error(
            KP_EALGORITHM,
            "parameter %s of algorithm %s has the name of a key of problem strings; "
            "it may have another one",
            parameter->name, row->name);
    for (int j = 0; j < i; j++) {
        if (strcmp(row->parameters[j].name, parameter->name) == 0)
            return kp_set_error(KP_EALGORITHM, "algorithm %s has two parameters %s", row->name,
                                parameter->name);
    }
    return parameter->words ? check_words(row, parameter) : KP_OK;
}

static int check_parameters(const kp_algorithm *row)
{
    int count = kp_parameter_count(row), status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        status = check_parameter(row, i);
    for (int i = count; i < KP_PARAMETERS && !status; i++) {
        const kp_parameter *p = &row->parameters[i];
        if (p->name || p->summary || p->range || p->low || p->high || p->words)
            status = kp_set_error(KP_EALGORITHM, "parameter %d of algorithm %s has no name", i + 1,
                                  row->name);
    }
    return status;
}

/* --- Registration --- */

int kp_algorithm_register(const kp_algorithm *algorithm, const char *headers, size_t size)
{
    if (!algorithm || !headers)
        return kp_set_error(KP_EALGORITHM, "%s is NULL; it must be %s",
                            algorithm ? "headers" : "the algorithm",
                            algorithm ? "KP_HEADERS" : "the address of a kp_algorithm");
    if (strcmp(headers, KP_HEADERS) != 0)
        return kp_set_error(KP_EALGORITHM,
                            "the algorithm was compiled with the headers of kport %.40s; this is "
                            "kport " KP_HEADERS "; compile it with the headers of this one",
                            headers);
    if (size != sizeof *algorithm)
        return kp_set_error(KP_EALGORITHM,
                            "the size of the algorithm is %zu bytes; a kp_algorithm has %zu bytes",
                            size, sizeof *algorithm);
    int status = kp_row_check(algorithm);
    if (status == KP_OK && !is_name(algorithm->name))
        status = refuse_name("the name of the algorithm", algorithm->name);
    if (status == KP_OK)
        status = check_parameters(algorithm);
    return status ? status : kp_row_insert(algorithm);
}

int kp_algorithm_unregister(const kp_algorithm *algorithm)
{
    if (!algorithm)
        return kp_set_error(KP_EALGORITHM,
                            "the algorithm is NULL; it must be one that was registered");
    return kp_row_remove(algorithm);
}
