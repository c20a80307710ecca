/* The command `kport bounds`. It prints lower bounds of C1 and C2 that hold for every algorithm. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/read.h"

#include "kport.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

struct bounds {
    int n, k;
    uint64_t b;
    int only;           /* the operation to print; -1: all of them */
    int exact_power;    /* whether n is a power of k + 1, so that Theorem 2.5 applies */
    uint64_t theorem_5; /* the lower bound of C2 for an index with the smallest possible C1 */
    uint64_t theorem_6; /* the lower bound of C1 for an index with the smallest possible C2 */
};

static void print(const struct bounds *b, FILE *out)
{
    fprintf(out,
            "n=%d processors, k=%d ports, b=%" PRIu64 " bytes (Bruck et al. 1997, section 2)\n",
            b->n, b->k, b->b);
    for (int i = 0; i < KP_OPERATIONS; i++) {
        kp_operation operation = (kp_operation)i;
        if (b->only >= 0 && i != b->only)
            continue;
        fprintf(out, "  %-15s C1 >= %" PRIu64 " rounds, C2 >= %" PRIu64 " bytes\n",
                kp_operation_name(operation), kp_bound_c1(operation, b->n, b->k),
                kp_bound_c2(operation, b->n, b->k, b->b));
    }
    if (b->only >= 0 && b->only != KP_INDEX)
        return;
    if (b->exact_power)
        fprintf(out, "  index with the least C1: C2 >= %" PRIu64 " bytes (Theorem 2.5)\n",
                b->theorem_5);
    else
        fprintf(out, "  index with the least C1: C2 = Omega(b n / (k+1) log_{k+1} n) (Theorem 2.7; "
                     "exact only for n a power of k+1)\n");
    fprintf(out, "  index with C2 = b (n-1) / k: C1 >= %" PRIu64 " rounds (Theorem 2.6)\n",
            b->theorem_6);
    if (b->k == 1)
        fprintf(out, "  index with C1 = O(log n): C2 = Omega(b n log n) (Theorem 2.9)\n");
}

static json_t *to_json(const struct bounds *b)
{
    json_t *o = json_object(), *operations = json_object();
    json_object_set_new(o, "n", json_integer(b->n));
    json_object_set_new(o, "k", json_integer(b->k));
    json_object_set_new(o, "b", json_integer((json_int_t)b->b));
    for (int i = 0; i < KP_OPERATIONS; i++) {
        kp_operation operation = (kp_operation)i;
        if (b->only >= 0 && i != b->only)
            continue;
        json_t *row = json_object();
        json_object_set_new(row, "c1_bound",
                            json_integer((json_int_t)kp_bound_c1(operation, b->n, b->k)));
        json_object_set_new(row, "c2_bound",
                            json_integer((json_int_t)kp_bound_c2(operation, b->n, b->k, b->b)));
        json_object_set_new(operations, kp_operation_name(operation), row);
    }
    json_object_set_new(o, "operations", operations);
    json_object_set_new(o, "index_c2_with_least_c1",
                        b->exact_power ? json_integer((json_int_t)b->theorem_5) : json_null());
    json_object_set_new(o, "index_c1_with_least_c2", json_integer((json_int_t)b->theorem_6));
    return o;
}

/* Reads n, k and b, or a problem or a file, which has them. */
static int read_sizes(const struct command *command, int given, const char *const *text,
                      struct bounds *b)
{
    kp_problem problem;
    uint64_t n, k, bytes;
    if (given == 1 && (read_is_file(text[0]) || strchr(text[0], ':'))) {
        const int status = read_argument(text[0], &problem);
        if (!status)
            *b = (struct bounds){problem.n, problem.k, problem.b, (int)problem.operation, 0, 0, 0};
        return status;
    }
    if (given != 3) {
        fprintf(stderr,
                "kport bounds: three numbers n, k and b are needed, or a problem; usage: kport "
                "bounds %s\n",
                command->usage);
        return EXIT_IMPOSSIBLE;
    }
    if (!options_number("n", text[0], 1, INT_MAX, &n) ||
        !options_number("k", text[1], 1, n > 1 ? n - 1 : 1, &k) ||
        !options_number("b", text[2], 0, INT64_MAX / n, &bytes))
        return EXIT_IMPOSSIBLE;
    *b = (struct bounds){(int)n, (int)k, bytes, -1, 0, 0, 0};
    return EXIT_DONE;
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0;
    const char *text[3];
    struct bounds b;
    const struct option_row rows[] = {{"--json", OPTION_FLAG, &json, 0, 0}, {0}};
    int given = options_read(command, rows, count, arguments, text, 3);
    if (given < 0)
        return options_status(given);
    const int status = read_sizes(command, given, text, &b);
    if (status)
        return status;
    b.exact_power = kp_bound_index_c2_at_least_rounds(b.n, b.k, b.b, &b.theorem_5);
    b.theorem_6 = kp_bound_index_c1_at_least_bytes(b.n, b.k);
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (json)
        output_json(out, "bounds", to_json(&b));
    else
        print(&b, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_bounds = {
    .name = "bounds",
    .usage = "n k b | PROBLEM | @FILE [--json]",
    .summary = "Lower bounds for n processors, k ports, blocks of b bytes",
    .help =
        "Prints lower bounds of C1 alone and of C2 alone, and for the index also those of one "
        "when\n"
        "the other is least. Of a theorem with O(...) it prints that.\n\n"
        "A problem or a file has n, k and b, and only the bounds of its operation are printed.\n\n"
        "Example: kport bounds 64 1 256\n",
    .run = run,
};
