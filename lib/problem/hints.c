#include "kport/collective.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "ports/port.h"

#include <string.h>

#define SAME_ORDER "same_order="

/* Reads the field same_order, or a field that is a parameter of the algorithm. */
static int read_field(const struct kp_field *field, kp_problem *problem)
{
    uint64_t number;
    if (!kp_word_is(field->key, "same_order"))
        return kp_fields_parameter(field, problem);
    int status = kp_field_number(field, 0, 1, &number);
    problem->same_order = !status && number;
    return status;
}

/* Reads the fields of a text "key=value,key=value". */
static int read_fields(const char *text, kp_problem *problem)
{
    struct kp_field fields[KP_FIELDS];
    int count = 0;
    int status = kp_fields_split(text, fields, &count);
    for (int i = 0; i < count && status == KP_OK; i++)
        status = read_field(&fields[i], problem);
    return status;
}

/* The algorithm's name comes first, without a key, as in "radix,r=4", unless the text begins with
 * the key same_order. This function does not know n. So the call checks later whether numbers are
 * in range. */
static int read_text(const char *text, kp_problem *problem)
{
    struct kp_word name = {text, strcspn(text, ",")};
    if (strncmp(text, SAME_ORDER, strlen(SAME_ORDER)) == 0)
        return read_fields(text, problem);
    const size_t slash = strcspn(text, "/,");
    if (text[slash] == '/')
        return kp_set_error(KP_EALGORITHM,
                            "the algorithm is '%s'; a parameter stands behind a comma, as in "
                            "%.*s,%s",
                            text, (int)slash, text, text + slash + 1);
    int status = kp_fields_algorithm(problem->operation, name, &problem->algorithm);
    if (status == KP_OK && text[name.length] == ',' && text[name.length + 1] == '\0')
        status = kp_set_error(
            KP_EALGORITHM,
            "there is nothing after the last comma; a parameter may stand there, as in "
            "radix,r=4");
    return status || text[name.length] == '\0' ? status
                                               : read_fields(text + name.length + 1, problem);
}

int kp_hints_parse(kp_operation operation, const char *text, kp_hints *hints)
{
    if (!kp_operation_row(operation))
        return kp_set_error(KP_EALGORITHM, "operation is %d; it may be 0 ... %d", (int)operation,
                            (int)KP_OPERATIONS - 1);
    if (!text || !hints)
        return kp_set_error(KP_EALGORITHM, "%s is NULL; it must be %s", text ? "hints" : "text",
                            text ? "where the choice goes" : "an algorithm's name, or empty");
    kp_hints read = {.algorithm = NULL};
    if (*text != '\0') {
        kp_problem problem = {.operation = operation};
        if (read_text(text, &problem))
            return kp_error_slot()->status = KP_EALGORITHM;
        read.algorithm = problem.algorithm;
        read.flags = problem.same_order ? KP_HINT_SAME_ORDER : 0;
        memcpy(read.values, problem.values, sizeof read.values);
    }
    *hints = read;
    return KP_OK;
}

int kp_how_parse(kp_operation operation, const char *text, kp_how *how)
{
    return kp_hints_parse(operation, text, how);
}
