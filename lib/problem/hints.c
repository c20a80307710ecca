#include "kport/collective.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "ports/port.h"

#include <string.h>

/* The algorithm's name comes first, without a key, as in "radix,r=4". This function does not know
 * n. So the call checks later whether numbers are in range. */
int kp_hints_parse(kp_operation operation, const char *text, kp_hints *hints)
{
    if (!kp_operation_row(operation))
        return kp_set_error(KP_EALGORITHM, "operation is %d; it may be 0 ... %d", (int)operation,
                            (int)KP_OPERATIONS - 1);
    if (!text || !hints)
        return kp_set_error(KP_EALGORITHM, "%s is NULL; it may be %s", text ? "hints" : "text",
                            text ? "where the choice goes" : "an algorithm's name, or empty");
    kp_hints read = {.algorithm = NULL};
    if (*text != '\0') {
        kp_problem problem = {.operation = operation};
        struct kp_word name = {text, strcspn(text, ",")};
        struct kp_field fields[KP_FIELDS];
        int count = 0;
        int status = kp_fields_algorithm(operation, name, &problem.algorithm);
        if (status == KP_OK && text[name.length] == ',' && text[name.length + 1] == '\0')
            status = kp_set_error(KP_EALGORITHM, "there is nothing after the last comma");
        if (status == KP_OK && text[name.length] == ',')
            status = kp_fields_split(text + name.length + 1, fields, &count);
        for (int i = 0; i < count && status == KP_OK; i++)
            status = kp_fields_parameter(&fields[i], &problem);
        if (status)
            return kp_error_slot()->status = KP_EALGORITHM;
        read.algorithm = problem.algorithm;
        memcpy(read.values, problem.values, sizeof read.values);
    }
    *hints = read;
    return KP_OK;
}

int kp_how_parse(kp_operation operation, const char *text, kp_how *how)
{
    return kp_hints_parse(operation, text, how);
}
