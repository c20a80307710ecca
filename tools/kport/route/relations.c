#include "tools/kport/route/relations.h"

#include "lib/route/random.h"
#include "tools/kport/command.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Returns a generator of random numbers for the messages of `source`. No routing protocol uses the
 * same random numbers. */
static struct kp_random draws_of(uint64_t seed, int32_t source)
{
    return kp_random_of(seed, (UINT64_C(1) << 40) + (uint64_t)source);
}

static int32_t *row_of(int32_t *counts, int32_t n, int32_t source)
{
    return counts + (int64_t)source * n;
}

/* The relation of the paper: every processor sends h messages, each to a random processor. */
static const char *fill_random(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    for (int32_t i = 0; i < n; i++) {
        struct kp_random random = draws_of(seed, i);
        for (int32_t k = 0; k < h; k++)
            row_of(counts, n, i)[kp_random_below(&random, (uint32_t)n)]++;
    }
    return NULL;
}

static const char *fill_permutation(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    struct kp_random random = draws_of(seed, 0);
    int32_t *to = malloc((size_t)n * sizeof *to);
    if (!to)
        return "as many as memory holds";
    for (int32_t i = 0; i < n; i++)
        to[i] = i;
    kp_random_shuffle(&random, to, n);
    for (int32_t i = 0; i < n; i++)
        row_of(counts, n, i)[to[i]] = h;
    free(to);
    return NULL;
}

/* All processors together send h messages, all to processor 0. */
static const char *fill_all_to_one(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    (void)seed;
    for (int32_t i = 0; i < n; i++)
        row_of(counts, n, i)[0] = h / n + (i < h % n);
    return NULL;
}

/* The processors form a grid. The processor in row r and column c sends to the processor in row c
 * and column r. If the grid is not square, the receivers are numbered in the transposed grid. */
static const char *fill_transposition(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    int32_t rows = 1;
    (void)seed;
    for (int32_t i = 2; i <= n / i; i++)
        rows = n % i == 0 ? i : rows;
    if (rows == 1 && n > 1)
        return "the product of two numbers above 1, rows and columns";
    for (int32_t i = 0; i < n; i++)
        row_of(counts, n, i)[i % (n / rows) * rows + i / (n / rows)] = h;
    return NULL;
}

/* The first n / 16 processors (rounded up) are hot spots. A message goes to a random hot spot with
 * probability 1/2, and otherwise to any random processor. */
static const char *fill_hot_spots(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    uint32_t hot = (uint32_t)(n + 15) / 16;
    for (int32_t i = 0; i < n; i++) {
        struct kp_random random = draws_of(seed, i);
        for (int32_t k = 0; k < h; k++) {
            uint32_t of = kp_random_below(&random, 2) ? hot : (uint32_t)n;
            row_of(counts, n, i)[kp_random_below(&random, of)]++;
        }
    }
    return NULL;
}

/* The receiver of each message is random. Processor j is chosen with a probability proportional to
 * 1 / (j + 1). Integers are used, so the result is the same on every computer. */
static const char *fill_zipf(int32_t n, int32_t h, uint64_t seed, int32_t *counts)
{
    uint32_t *sums = malloc((size_t)n * sizeof *sums), sum = 0;
    if (!sums)
        return "as many as memory holds";
    for (int32_t j = 0; j < n; j++)
        sums[j] = sum += (UINT32_C(1) << 26) / (uint32_t)(j + 1);
    for (int32_t i = 0; i < n; i++) {
        struct kp_random random = draws_of(seed, i);
        for (int32_t k = 0; k < h; k++) {
            uint32_t drawn = kp_random_below(&random, sum);
            int32_t low = 0, high = n - 1;
            while (low < high) {
                int32_t middle = (low + high) / 2;
                if (drawn < sums[middle])
                    high = middle;
                else
                    low = middle + 1;
            }
            row_of(counts, n, i)[low]++;
        }
    }
    free(sums);
    return NULL;
}

static const struct relation_kind kinds[] = {
    {"random", "h messages from every processor, each to a random one", fill_random},
    {"permutation", "h messages from every processor to one, its own", fill_permutation},
    {"all-to-one", "h messages in all, for processor 0", fill_all_to_one},
    {"transposition", "h messages from (row, column) to (column, row)", fill_transposition},
    {"hot-spots", "half of all messages for a sixteenth of the processors", fill_hot_spots},
    {"zipf", "destination j as often as 1 / (j + 1) says", fill_zipf},
};

#define KINDS ((int)(sizeof kinds / sizeof kinds[0]))

const struct relation_kind *relation_at(int i)
{
    return i >= 0 && i < KINDS ? &kinds[i] : NULL;
}

const struct relation_kind *relation_find(const char *name)
{
    int i = 0;
    while (i < KINDS && strcmp(kinds[i].name, name) != 0)
        i++;
    return relation_at(i);
}

void relation_names(FILE *out)
{
    for (int i = 0; i < KINDS; i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", kinds[i].name);
}

/* --- Relations from files --- */

#define LINE_BYTES 256

/* Reads a decimal number and the blanks after it. Returns 0 if there is no number, or if the number
 * is greater than `most`. */
static int read_number(const char **at, uint64_t most, uint64_t *number)
{
    const char *c = *at;
    uint64_t value = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (digit > most || value > (most - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    size_t blanks = strspn(c, " \t\r");
    if (c == *at || (blanks == 0 && *c != '\0'))
        return 0;
    *at = c + blanks;
    *number = value;
    return 1;
}

static int refuse(const char *path, uint64_t number, const char *what, const char *text)
{
    fprintf(stderr, "kport route: %s, line %" PRIu64 ": %s: \"%s\"\n", path, number, what, text);
    return EXIT_IMPOSSIBLE;
}

static int add_line(struct relation_file *file, const struct relation_line *line)
{
    if ((file->count & (file->count - 1)) == 0) {
        size_t room = file->count ? 2 * file->count : 1;
        struct relation_line *lines = realloc(file->lines, room * sizeof *lines);
        if (!lines) {
            fprintf(stderr, "kport route: no memory for %zu messages\n", room);
            return EXIT_IMPOSSIBLE;
        }
        file->lines = lines;
    }
    file->lines[file->count++] = *line;
    return EXIT_DONE;
}

static int read_line(const char *path, uint64_t number, char *text, int32_t n,
                     struct relation_file *file)
{
    uint64_t source, destination, bytes;
    char wanted[96];
    text[strcspn(text, "#\n")] = '\0';
    const char *at = text + strspn(text, " \t\r");
    if (*at == '\0')
        return EXIT_DONE;
    if (!read_number(&at, (uint64_t)n - 1, &source) ||
        !read_number(&at, (uint64_t)n - 1, &destination) ||
        !read_number(&at, INT64_MAX / 4, &bytes) || *at != '\0') {
        snprintf(wanted, sizeof wanted,
                 "it may be \"source destination bytes\" with processors 0 ... %" PRId32, n - 1);
        return refuse(path, number, wanted, text);
    }
    return add_line(file,
                    &(struct relation_line){(int32_t)source, (int32_t)destination, bytes, number});
}

/* Reads the next line into `text`. Returns its length, or 0 at the end of the file. A line that
 * contains a zero byte must be found, and strlen would stop at that byte. So the buffer is first
 * filled with newlines. Then the last zero byte in the buffer is the one that fgets has put after
 * the line. */
static size_t next_line(FILE *in, char text[LINE_BYTES])
{
    size_t end = LINE_BYTES;
    memset(text, '\n', LINE_BYTES);
    if (!fgets(text, LINE_BYTES, in))
        return 0;
    while (text[end - 1] != '\0')
        end--;
    return end - 1;
}

int relation_read(const char *path, int32_t n, struct relation_file *file)
{
    char text[LINE_BYTES];
    FILE *in = fopen(path, "r");
    int status = EXIT_DONE;
    *file = (struct relation_file){0};
    if (!in) {
        fprintf(stderr, "kport route: %s cannot be read: %s\n", path, strerror(errno));
        return EXIT_IMPOSSIBLE;
    }
    size_t length;
    for (uint64_t number = 1; !status && (length = next_line(in, text)) > 0; number++) {
        if (strlen(text) != length)
            status = refuse(path, number, "it has a byte of zero", text);
        else if (length == sizeof text - 1 && text[length - 1] != '\n')
            status = refuse(path, number, "it is longer than 254 characters", text);
        else
            status = read_line(path, number, text, n, file);
    }
    if (!status && ferror(in)) {
        fprintf(stderr, "kport route: %s cannot be read: %s\n", path, strerror(errno));
        status = EXIT_IMPOSSIBLE;
    }
    fclose(in);
    if (status) {
        free(file->lines);
        *file = (struct relation_file){0};
    }
    return status;
}
