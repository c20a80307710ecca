/* Prints the results of `kport route`, as a table or as JSON. */
#include "tools/kport/route/rows.h"

#include "tools/kport/common/processes.h"
#include "tools/kport/route/paper.h"

#include <inttypes.h>
#include <math.h>

static double mean(const struct route_row *row)
{
    return row->rounds / (double)row->trials;
}

/* Returns the standard deviation of the rounds over the trials (with n - 1 in the denominator). The
 * result is 0 if there is only one trial. */
static double deviation(const struct route_row *row)
{
    double n = (double)row->trials, sum = row->squares - row->rounds * row->rounds / n;
    return row->trials > 1 && sum > 0 ? sqrt(sum / (n - 1)) : 0;
}

/* Returns whether the relations of the row are random, and packets are not first sent to random
 * processors. The measurements and proofs of the paper are about such rows only. */
static bool is_random(const struct route_job *job, const struct route_row *row)
{
    return !job->path && !job->two_stage && job->kind == relation_at(0) && row->h == floor(row->h);
}

static double paper_rounds(const struct route_job *job, const struct route_row *row)
{
    return is_random(job, row) ? route_paper_rounds(row->protocol->name, row->n, (uint64_t)row->h)
                               : 0;
}

static double bound_of_protocol(const struct route_job *job, const struct route_row *row)
{
    if (!row->protocol->bound_value || !is_random(job, row))
        return 0;
    return (double)row->protocol->bound_value(row->n, (uint64_t)row->h * row->n) / 1000;
}

static void print_optional(FILE *out, double number)
{
    if (number > 0)
        fprintf(out, " %9.1f", number);
    else
        fprintf(out, " %9s", "-");
}

static void print_row(const struct route_job *job, const struct route_row *row, FILE *out)
{
    fprintf(out, "%5" PRIu64 " %7.4gn  %-9s %9.2f %6.2f %7.2f %8.2f", row->n, row->h,
            row->protocol->name, mean(row), deviation(row), row->h > 0 ? mean(row) / row->h : 0,
            row->bound / (double)row->trials);
    print_optional(out, paper_rounds(job, row));
    print_optional(out, bound_of_protocol(job, row));
    if (job->moves)
        fprintf(out, " %12.0f", row->seconds > 0 ? row->messages / row->seconds : 0);
    fprintf(out, "\n");
}

void route_print(const struct route_job *job, const struct route_rows *rows, FILE *out)
{
    fprintf(out, "%s, %" PRIu64 " trials%s", job->path ? job->path : job->kind->summary,
            job->trials, job->two_stage ? ", first to random processors (two-stage)" : "");
    fprintf(out, "; seed %" PRIu64 "\n", job->seed);
    if (processes_several()) {
        fprintf(out, "over ");
        processes_print(out);
        fprintf(out, "\n");
    }
    fprintf(out,
            "    n        h  protocol     rounds     sd  time/h    bound     paper own bound%s\n",
            job->moves ? "  messages/s" : "");
    for (size_t i = 0; i < rows->count; i++) {
        if (i > 0 && !job->protocol &&
            (rows->rows[i].n != rows->rows[i - 1].n || rows->rows[i].h != rows->rows[i - 1].h))
            fprintf(out, "\n");
        print_row(job, &rows->rows[i], out);
    }
    fprintf(out, "bound: ceil(max(most sent, most received) / n), which no protocol can beat\n");
    for (size_t i = 0; i < rows->count; i++) {
        const struct kp_protocol *p = rows->rows[i].protocol;
        if (rows->rows[i].n == rows->rows[0].n && rows->rows[i].h == rows->rows[0].h && p->bound &&
            is_random(job, &rows->rows[i]))
            fprintf(out, "own bound of %s: %s\n", p->name, p->bound);
    }
    if (rows->stopped)
        fprintf(out, "stopped before the end\n");
}

static json_t *optional(double number)
{
    return number > 0 ? json_real(number) : json_null();
}

static json_t *row_json(const struct route_job *job, const struct route_row *row)
{
    double trials = (double)row->trials;
    json_t *o = json_object();
    json_object_set_new(o, "protocol", json_string(row->protocol->name));
    json_object_set_new(o, "relation", json_string(job->path ? job->path : job->kind->name));
    json_object_set_new(o, "two_stage", json_boolean(job->two_stage));
    json_object_set_new(o, "n", json_integer((json_int_t)row->n));
    /* In JSON, h is a number of messages; in the table it is a multiple of n. */
    json_object_set_new(o, "h", json_integer(llround(row->h * (double)row->n)));
    json_object_set_new(o, "trials", json_integer((json_int_t)row->trials));
    json_object_set_new(o, "rounds", json_real(mean(row)));
    json_object_set_new(o, "rounds_sd", json_real(deviation(row)));
    json_object_set_new(o, "time", json_real(row->h > 0 ? mean(row) / row->h : 0));
    json_object_set_new(o, "bound", json_real(row->bound / trials));
    json_object_set_new(o, "paper_rounds", optional(paper_rounds(job, row)));
    json_object_set_new(o, "protocol_bound", optional(bound_of_protocol(job, row)));
    json_object_set_new(o, "word_rounds", json_real(row->words / trials));
    if (job->moves) {
        processes_json(o);
        json_object_set_new(o, "verified", json_true());
        json_object_set_new(o, "messages", json_real(row->messages / trials));
        json_object_set_new(o, "seconds", json_real(row->seconds / trials));
    }
    return o;
}

json_t *route_json(const struct route_job *job, const struct route_rows *rows)
{
    json_t *list = json_array();
    for (size_t i = 0; i < rows->count; i++)
        json_array_append_new(list, row_json(job, &rows->rows[i]));
    return json_pack("{s:o}", "rows", list);
}
