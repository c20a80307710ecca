/* Operators: members give different operators, or operators that cannot combine the operands. */
#include "wrong.h"

#include <stddef.h>

static void add(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        ((int *)to)[i] = ((const int *)left)[i] + ((const int *)right)[i];
}

static void subtract(void *to, const void *left, const void *right, size_t count, void *context)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        ((int *)to)[i] = ((const int *)left)[i] - ((const int *)right)[i];
}

static const kp_operator adds = {
    .name = "adds", .combine = add, .element_bytes = sizeof(int), .commutative = 1};
static const kp_operator renamed = {
    .name = "sums", .combine = add, .element_bytes = sizeof(int), .commutative = 1};
static const kp_operator subtracts = {
    .name = "adds", .combine = subtract, .element_bytes = sizeof(int), .commutative = 1};
static const kp_operator in_order = {.name = "adds", .combine = add, .element_bytes = sizeof(int)};
static const kp_operator longer = {
    .name = "adds", .combine = add, .element_bytes = 2 * sizeof(int), .commutative = 1};
static const kp_operator without_length = {.name = "lengthless", .combine = add, .commutative = 1};

static int with(member *here, const kp_operator *mine, const kp_operator *theirs)
{
    return kp_allreduce(here->world, here->out, here->in, 1, KP_OPAQUE,
                        here->me == 1 ? mine : theirs, NULL);
}

PROGRAM(operator_of_another_name, "Processor 1 gives its operator another name.",
        SAYS({"all", KP_EMISMATCH, "P1 | adds | sums", WORKS}),
        /* By mailboxes the call may be over when the error is found. kport then no longer reads the
         * user's operator, so the sentence does not have its name. */
        BY_MAILBOXES_SAYS({"all", KP_EMISMATCH, "P1 | user", WORKS}))
{
    return AT(A, with(here, &renamed, &adds));
}

PROGRAM(operator_of_another_function,
        "Two operators of one name, one adds and the other subtracts.",
        SAYS({"all", KP_EMISMATCH, "P1 | function/operator/op", WORKS}))
{
    return AT(A, with(here, &subtracts, &adds));
}

PROGRAM(commutative_or_not, "Only one member says that its operator is not commutative.",
        SAYS({"all", KP_EMISMATCH, "P1 | commutative/alg/operator/op", WORKS}))
{
    return AT(A, with(here, &in_order, &adds));
}

PROGRAM(elements_of_another_length, "The members' operators have elements of two lengths.",
        SAYS({"all", KP_EMISMATCH, "P1", WORKS}))
{
    return AT(A, with(here, &longer, &adds));
}

PROGRAM(elements_without_a_length, "The operator does not say how long an opaque element is.",
        SAYS({"1", KP_EARGUMENT, "element_bytes/length/bytes", WORKS},
             {"others", KP_EPEER, "P1", WORKS}))
{
    return AT(A, with(here, &without_length, &adds));
}

PROGRAM(user_or_builtin, "One adds by an operator of its own, the others by the library's.",
        SAYS({"all", KP_EMISMATCH, "P1 | adds | sum | {A} | {B}", WORKS}),
        BY_MAILBOXES_SAYS({"all", KP_EMISMATCH, "P1 | user | sum | {A} | {B}", WORKS}))
{
    if (here->me == 1)
        return AT(A, kp_allreduce(here->world, here->out, here->in, 1, KP_INT32, &adds, NULL));
    return AT(B, kp_allreduce(here->world, here->out, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(bits_of_a_float, "Bits of floating numbers are not combined.",
        SAYS({"all", KP_EARGUMENT, "float64 | bit", WORKS}))
{
    double out[1] = {1}, in[1];
    return AT(A, kp_allreduce(here->world, out, in, 1, KP_FLOAT64, KP_BIT_AND, NULL));
}

PROGRAM(builtin_of_opaque, "The library's sum does not know what opaque elements are.",
        SAYS({"all", KP_EARGUMENT, "sum | opaque", WORKS}))
{
    return AT(A, kp_reduce(here->world, here->out, here->in, 1, KP_OPAQUE, KP_SUM, 0, NULL));
}

PROGRAM(no_such_type, "The type's number is none.",
        SAYS({"2", KP_EARGUMENT, "type | 99", WORKS}, {"others", KP_EPEER, "P2 | 99", WORKS}))
{
    return AT(A, kp_scan(here->world, here->out, here->in, 1,
                         here->me == 2 ? (kp_type)99 : KP_INT32, KP_SUM, NULL));
}

PROGRAM(no_operator, "The operator is NULL.",
        SAYS({"0", KP_EARGUMENT, "operator/op | NULL/null", WORKS},
             {"others", KP_EPEER, "P0", WORKS}))
{
    return AT(A, kp_reduce(here->world, here->out, here->in, 1, KP_INT32,
                           here->me == 0 ? NULL : KP_SUM, 0, NULL));
}

PROGRAM(copied_builtin, "A copy of the library's operator is none.",
        SAYS({"all", KP_EARGUMENT, "sum/combine/copy/operator", WORKS}))
{
    kp_operator copy = *KP_SUM;
    return AT(A, kp_allreduce(here->world, here->out, here->in, 1, KP_INT32, &copy, NULL));
}

const wrong_program *const wrong_operators[] = {&program_operator_of_another_name,
                                                &program_operator_of_another_function,
                                                &program_commutative_or_not,
                                                &program_elements_of_another_length,
                                                &program_elements_without_a_length,
                                                &program_user_or_builtin,
                                                &program_bits_of_a_float,
                                                &program_builtin_of_opaque,
                                                &program_no_such_type,
                                                &program_no_operator,
                                                &program_copied_builtin,
                                                NULL};
