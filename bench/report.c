/* Prints the results of the benchmark as text, and writes them as JSON. */
#include "row.h"

#include <jansson.h>
#include <stdio.h>

void report_head(const struct options *options)
{
    printf(
        "# us a call: medians of interleaved repetitions of about %g ms each (of calls of some\n"
        "# milliseconds up to five times as long), from the last member's start (in a batch the\n"
        "# first one's) to the last one's end. ratio: kport's best form to the best of those it\n"
        "# is compared with; median, quartiles and extremes over the repetitions, and the bound\n"
        "# below which the median of such pairs lies by 95 %% (from five repetitions on).\n"
        "# Of a program a call is its whole list of calls, each once.\n"
        "# A call with a root that returns before all have come (MPI's, kport's by mailboxes) is\n"
        "# followed by a barrier of its own, except in batches; calls that nobody leaves before "
        "all\n"
        "# have come need none. First look only: so much slower than the best of its kind in a "
        "first\n"
        "# look (the best of five, in turns) that it was not repeated.\n",
        options->budget_ns / 1e6);
}

static void report_entry(const struct entry *entry)
{
    double ns = entry->count > 0 ? entry->median : entry->first_ns;
    if (ns > 0)
        printf("  %-40s %13.3f us", entry->contestant->name, ns / 1e3);
    else
        printf("  %-40s %13s   ", entry->contestant->name, "-");
    printf("%s%s\n", entry->note[0] ? "   " : "", entry->note);
}

static const char *judgement(const struct verdict *v)
{
    return !is_judged(v) ? "not judged" : holds(v) ? "holds" : "DOES NOT HOLD";
}

static void report_verdict(const struct verdict *v)
{
    bool compared = v->ours && v->peer;
    printf("  to %s: ", v->limit->name);
    if (compared)
        printf("%.3f (%.3f-%.3f, %.3f-%.3f), ", v->ratio, v->low, v->high, v->least, v->most);
    if (compared && v->upper > 0)
        printf("bound %.3f, ", v->upper);
    printf("%s at most %.2f: %s", v->limit->upper ? "the bound" : "the median", v->limit->at_most,
           judgement(v));
    if (!compared)
        printf(" (%s %s)\n", v->ours ? "who it is compared with" : "kport's part",
               v->failed ? "failed" : "is not here");
    else
        printf("%s [%s / %s]\n", is_judged(v) ? "" : " (too few repetitions for a bound)",
               v->ours->contestant->name, v->peer->contestant->name);
}

/* Returns whether the row limits kport's own time and memory (`seconds` and `gib` in row.h), and
 * whether these limits can be judged. */
static bool absolute_judged(const struct result *result)
{
    return result->row->seconds > 0 && result->entry_count > 0 &&
           (result->entries[0].failed || !result->entries[0].dropped);
}

static bool absolute_holds(const struct result *result)
{
    return !result->entries[0].failed && result->entries[0].median / 1e9 <= result->row->seconds &&
           result->gib <= result->row->gib;
}

static void report_absolute(const struct result *result)
{
    const struct row *row = result->row;
    const char *judged = "not judged (kport's part is not here)";
    if (absolute_judged(result)) {
        judged = absolute_holds(result) ? "holds" : "DOES NOT HOLD";
        if (!result->entries[0].failed)
            printf("  %.2f s, %.2f GiB;", result->entries[0].median / 1e9, result->gib);
    }
    printf("  at most %g s, %g GiB: %s\n", row->seconds, row->gib, judged);
}

void report_row(const struct result *result)
{
    const struct row *row = result->row;
    printf("\n%s%s\n", row->name, row->per_processor ? " (a processor)" : "");
    for (int i = 0; i < result->entry_count; i++)
        report_entry(&result->entries[i]);
    for (int i = 0; i < result->verdict_count; i++)
        report_verdict(&result->verdicts[i]);
    if (row->seconds > 0)
        report_absolute(result);
    if (result->repeated || result->disturbed)
        printf("  other load: %d repetitions done again, %d of the %d that count disturbed (others "
               "used up to %.0f %%)\n",
               result->repeated, result->disturbed, result->repetitions, result->others * 100);
}

void report_end(const struct result *results, size_t count)
{
    int held = 0, fails = 0, open = 0, repeated = 0, disturbed = 0;
    printf("\n# limits that do not hold:\n");
    for (size_t i = 0; i < count; i++) {
        repeated += results[i].repeated;
        disturbed += results[i].disturbed;
        if (results[i].row->seconds > 0) {
            bool judged = absolute_judged(&results[i]);
            bool kept = judged && absolute_holds(&results[i]);
            held += kept;
            fails += judged && !kept;
            open += !judged;
            if (judged && results[i].entries[0].failed)
                printf("#   %-34s failed\n", results[i].row->name);
            else if (judged && !kept)
                printf("#   %-34s %.2f s, %.2f GiB\n", results[i].row->name,
                       results[i].entries[0].median / 1e9, results[i].gib);
        }
        for (int j = 0; j < results[i].verdict_count; j++) {
            const struct verdict *v = &results[i].verdicts[j];
            held += holds(v);
            fails += is_judged(v) && !holds(v);
            open += !is_judged(v);
            if (v->failed)
                printf("#   %-34s failed\n", results[i].row->name);
            else if (is_judged(v) && !holds(v))
                printf("#   %-34s %8.3f, at most %.2f to %s (%s)\n", results[i].row->name,
                       judged_ratio(v), v->limit->at_most, v->limit->name,
                       v->peer->contestant->name);
        }
    }
    printf("# %d hold, %d do not, %d not judged; %d repetitions done again because of other load, "
           "%d disturbed nevertheless\n",
           held, fails, open, repeated, disturbed);
}

/* --- JSON --- */

static json_t *entry_json(const struct entry *entry)
{
    json_t *times = json_array(), *object;
    for (int i = 0; i < entry->count; i++)
        json_array_append_new(times, json_real(entry->ns[i] / 1e3));
    object = json_pack("{s:s, s:b, s:I, s:o}", "name", entry->contestant->name, "here",
                       !entry->missing, "calls", (json_int_t)entry->calls, "us", times);
    if (entry->count > 0)
        json_object_set_new(object, "median_us", json_real(entry->median / 1e3));
    if (entry->first_ns > 0)
        json_object_set_new(object, "first_us", json_real(entry->first_ns / 1e3));
    if (entry->note[0])
        json_object_set_new(object, "note", json_string(entry->note));
    return object;
}

static json_t *verdict_json(const struct verdict *v)
{
    json_t *object = json_pack("{s:s, s:f, s:s}", "against", v->limit->name, "at_most",
                               v->limit->at_most, "judged_by", v->limit->upper ? "upper" : "ratio");
    if (!v->ours || !v->peer) {
        json_object_set_new(object, "holds", v->failed ? json_false() : json_null());
        return object;
    }
    json_object_update_new(
        object, json_pack("{s:s, s:s, s:f, s:[ff], s:[ff], s:o, s:o}", "kport",
                          v->ours->contestant->name, "peer", v->peer->contestant->name, "ratio",
                          v->ratio, "quartiles", v->low, v->high, "extremes", v->least, v->most,
                          "upper", v->upper > 0 ? json_real(v->upper) : json_null(), "holds",
                          is_judged(v) ? json_boolean(holds(v)) : json_null()));
    return object;
}

static json_t *row_json(const struct result *result)
{
    json_t *contestants_json = json_array(), *limits = json_array();
    for (int i = 0; i < result->entry_count; i++)
        json_array_append_new(contestants_json, entry_json(&result->entries[i]));
    for (int i = 0; i < result->verdict_count; i++)
        json_array_append_new(limits, verdict_json(&result->verdicts[i]));
    if (result->row->seconds > 0)
        json_array_append_new(
            limits, json_pack("{s:s, s:f, s:f, s:f, s:o}", "against", "nobody", "seconds_at_most",
                              result->row->seconds, "gib_at_most", result->row->gib, "gib",
                              result->gib, "holds",
                              absolute_judged(result) ? json_boolean(absolute_holds(result))
                                                      : json_null()));
    return json_pack("{s:s, s:i, s:i, s:i, s:f, s:o, s:o}", "row", result->row->name, "repetitions",
                     result->repetitions, "repeated", result->repeated, "disturbed",
                     result->disturbed, "others", result->others, "contestants", contestants_json,
                     "limits", limits);
}

bool report_json(const char *path, const struct result *results, size_t count)
{
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(all, row_json(&results[i]));
    json_t *document = json_pack("{s:s, s:o}", "kport", kp_version(), "rows", all);
    bool written = document && json_dump_file(document, path, JSON_INDENT(1)) == 0;
    if (!written)
        fprintf(stderr, "peers: \"%s\" cannot be written\n", path);
    json_decref(document);
    return written;
}
