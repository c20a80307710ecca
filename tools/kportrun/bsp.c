#include "bsp.h"

#include "lib/bsp/measure.h"
#include "lib/bsp/record.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD 8

/* A superstep in the report: what it took, and what the model says. Times in microseconds. */
struct line {
    struct kp_bsp_total total;
    double work;      /* the longest work, or all work divided by the threads, if that is more */
    double h;         /* in words */
    double g;         /* for messages of this length */
    double predicted; /* work + h * g + l */
};

struct account {
    const struct options *options;
    int processes;
    int threads; /* that carry them and have a core each */
    struct kp_bsp_parameters parameters;
    const struct kp_bsp_record *record;
    size_t count;
};

static struct line line_of(const struct account *account, size_t number)
{
    struct line line = {.total = kp_bsp_record_total(account->record, number)};
    const struct kp_bsp_total *total = &line.total;
    const double shared = total->works / account->threads;
    line.work = 1e6 * (shared > total->work ? shared : total->work);
    line.h = (double)total->h / WORD;
    line.g =
        1e6 * kp_bsp_g_of(&account->parameters,
                          total->messages ? (double)total->bytes / (double)total->messages : 0);
    line.predicted = line.work + line.h * line.g + 1e6 * account->parameters.l;
    return line;
}

/* Writes "prog.c:12 ... prog.c:20", without what is not known. */
static void say_places(const struct kp_bsp_total *total, char *text, size_t size)
{
    const struct kp_bsp_spot *begin = &total->begin, *end = &total->end;
    if (begin->file && end->file)
        (void)snprintf(text, size, "%s:%d ... %s:%d", begin->file, begin->line, end->file,
                       end->line);
    else if (end->file)
        (void)snprintf(text, size, "... %s:%d", end->file, end->line);
    else
        (void)snprintf(text, size, "?");
}

/* --- As text --- */

static void write_text(const struct account *account, FILE *out)
{
    const struct kp_bsp_parameters *p = &account->parameters;
    double predicted = 0, measured = 0;
    char places[400];
    fprintf(out,
            "BSP: %d processes, %zu supersteps; g = %.1f ns a word (%.2f ns in messages of 4 KiB), "
            "l = %.2f us\n",
            account->processes, account->count, 1e9 * p->g, 1e9 * p->g_long, 1e6 * p->l);
    fprintf(out, "times in us, h in words of 8 bytes, g of the mean length of the messages\n");
    fprintf(out, "%9s %12s %12s %12s %12s %12s %12s  %-12s  %s\n", "superstep", "w", "h",
            "messages", "g", "w + h g + l", "measured", "way",
            "from bsp_begin or bsp_sync to the next");
    for (size_t i = 0; i < account->count; i++) {
        const struct line line = line_of(account, i);
        say_places(&line.total, places, sizeof places);
        fprintf(out, "%9zu %12.2f %12.1f %12llu %12.5f %12.2f %12.2f  %-12s  %s\n", i, line.work,
                line.h, (unsigned long long)line.total.messages, line.g, line.predicted,
                1e6 * line.total.wall, line.total.way, places);
        predicted += line.predicted;
        measured += 1e6 * line.total.wall;
    }
    fprintf(out, "%9s %12s %12s %12s %12s %12.2f %12.2f\n", "all", "", "", "", "", predicted,
            measured);
}

/* --- As JSON --- */

static void write_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

/* Writes the place as two members, whose names begin with `name`. */
static void write_spot(const struct kp_bsp_spot *spot, const char *name, FILE *out)
{
    fprintf(out, "\"%sfile\": ", name);
    if (spot->file)
        write_string(spot->file, out);
    else
        fputs("null", out);
    fprintf(out, ", \"%sline\": %d", name, spot->line);
}

static void write_json(const struct account *account, FILE *out)
{
    const struct kp_bsp_parameters *p = &account->parameters;
    fprintf(out,
            "{\"processes\": %d, \"g_us\": %.6g, \"g_long_us\": %.6g, \"l_us\": %.6g, "
            "\"word_bytes\": %d,\n \"supersteps\": [",
            account->processes, 1e6 * p->g, 1e6 * p->g_long, 1e6 * p->l, WORD);
    for (size_t i = 0; i < account->count; i++) {
        const struct line line = line_of(account, i);
        fprintf(out,
                "%s\n  {\"w_us\": %.6g, \"h\": %.6g, \"messages\": %llu, \"bytes\": %llu, "
                "\"g_us\": %.6g, \"predicted_us\": %.6g, \"measured_us\": %.6g, \"way\": \"%s\", ",
                i ? "," : "", line.work, line.h, (unsigned long long)line.total.messages,
                (unsigned long long)line.total.bytes, line.g, line.predicted, 1e6 * line.total.wall,
                line.total.way);
        write_spot(&line.total.end, "", out);
        fputs(", ", out);
        write_spot(&line.total.begin, "begin_", out);
        fputc('}', out);
    }
    fputs("\n]}\n", out);
}

/* --- As a drawing: a bar of the model's three parts for each superstep, beside the measured one
 * ---
 */

#define BAR_WIDTH   12
#define GROUP_WIDTH 34
#define HEIGHT      240
#define LEFT        70
#define TOP         40
#define MOST_DRAWN  500

static void write_bar(double x, double from, double to, double scale, const char *colour,
                      const char *title, double value, FILE *out)
{
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.2f\" width=\"%d\" height=\"%.2f\" fill=\"%s\">"
            "<title>%s: %.2f us</title></rect>\n",
            x, TOP + HEIGHT - to * scale, BAR_WIDTH, (to - from) * scale, colour, title, value);
}

static void write_group(const struct account *account, size_t number, double scale, FILE *out)
{
    const struct line line = line_of(account, number);
    const double x = LEFT + GROUP_WIDTH * (double)number, travel = line.h * line.g;
    const double measured = 1e6 * line.total.wall;
    write_bar(x, 0, line.work, scale, "#4477aa", "w", line.work, out);
    write_bar(x, line.work, line.work + travel, scale, "#ee8866", "h g", travel, out);
    write_bar(x, line.work + travel, line.predicted, scale, "#bbbbbb", "l",
              1e6 * account->parameters.l, out);
    write_bar(x + BAR_WIDTH + 2, 0, measured, scale, "#222222", "measured", measured, out);
    fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%zu</text>\n", x + BAR_WIDTH + 1,
            TOP + HEIGHT + 16, number);
}

static void write_svg(const struct account *account, FILE *out)
{
    const size_t count = account->count < MOST_DRAWN ? account->count : MOST_DRAWN;
    double most = 1e-3;
    for (size_t i = 0; i < count; i++) {
        const struct line line = line_of(account, i);
        most = line.predicted > most ? line.predicted : most;
        most = 1e6 * line.total.wall > most ? 1e6 * line.total.wall : most;
    }
    const double scale = HEIGHT / most;
    const size_t width = LEFT + GROUP_WIDTH * count + 420;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"20\">%d processes: supersteps as the BSP model predicts them (w "
            "blue, h g orange, l grey), and measured (black)%s</text>\n",
            width, TOP + HEIGHT + 30, LEFT, account->processes,
            count < account->count ? "; only the first 500" : "");
    for (int i = 0; i <= 4; i++) {
        const double y = TOP + HEIGHT - HEIGHT * i / 4.0;
        fprintf(out,
                "<line x1=\"%d\" x2=\"%zu\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.3g us</text>\n",
                LEFT - 6, width - 10, y, y, LEFT - 10, y + 4, most * i / 4);
    }
    for (size_t i = 0; i < count; i++)
        write_group(account, i, scale, out);
    fputs("</svg>\n", out);
}

/* --- The report --- */

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

static int write_report(const struct account *account)
{
    const char *name = account->options->bsp_report;
    FILE *out = strcmp(name, "-") == 0 ? stderr : fopen(name, "we");
    if (out) {
        if (ends_in(name, ".json"))
            write_json(account, out);
        else if (ends_in(name, ".svg"))
            write_svg(account, out);
        else
            write_text(account, out);
        if (fflush(out) == 0 && !ferror(out) && (out == stderr || fclose(out) == 0))
            return 0;
    }
    fprintf(stderr, "kportrun: cannot write %s: %s\n", name, strerror(errno));
    return STATUS_UNLOADED;
}

static int threads_of(const kp_config *config)
{
    const int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int most = config->workers > 0 ? config->workers : config->processors;
    return most < cores ? most : cores;
}

int bsp_run(struct kp_bsp_job *job, const struct options *options,
            int (*process_main)(int number, void *argument), kp_report *report, int *exit_status)
{
    struct kp_bsp_record record = {0};
    if (!options->bsp_report)
        return kp_bsp_run(job, process_main, NULL, report, exit_status);
    job->record = &record;
    int status = kp_bsp_run(job, process_main, NULL, report, exit_status);
    kp_config config = options_config(options);
    config.processors = record.size;
    if (!status && record.size > 0) {
        struct account account = {.options = options,
                                  .processes = record.size,
                                  .threads = threads_of(&config),
                                  .record = &record,
                                  .count = kp_bsp_record_steps(&record)};
        status = kp_bsp_measure(&config, &account.parameters);
        if (!status && write_report(&account) != 0)
            *exit_status = *exit_status ? *exit_status : 1;
    }
    kp_bsp_record_free(&record);
    return status;
}

/* Under load the line through the times may fall with h, and then its slope is no time. */
static bool print_slope(double seconds)
{
    if (seconds > 0)
        printf(" %16.2f", 1e9 * seconds);
    else
        printf(" %16s", "-");
    return seconds > 0;
}

int bsp_print_parameters(const struct options *options)
{
    struct kp_bsp_parameters parameters;
    const kp_config config = options_config(options);
    if (kp_bsp_measure(&config, &parameters) != 0) {
        fprintf(stderr, "kportrun: g and l cannot be measured: %s\n", kp_last_error()->sentence);
        return 1;
    }
    if (!options->bsp_row)
        printf("%6s  %-8s %16s %16s %10s\n", "n", "carrier", "g, ns/word", "g 4 KiB, ns/word",
               "l, us");
    printf("%6d  %-8s", options->ranks, options->threads ? "threads" : "fibers");
    const bool word = print_slope(parameters.g), block = print_slope(parameters.g_long);
    printf(" %10.2f\n", 1e6 * parameters.l);
    if (!word || !block)
        fprintf(stderr, "kportrun: a g is \"-\": too much other load to tell; repeat\n");
    return 0;
}
