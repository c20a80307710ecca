/* Tests layouts without calls: their bytes, bounds, signatures and runs, what overlaps, and copies
 * between streams, against plain lists of elements. The layouts are random trees. A tree for which
 * a test fails is made smaller before it is printed. */
#include "tests/layout/naive.h"

#include "lib/layout/overlap.h"
#include "lib/layout/stream.h"

/* --- Lists of bytes --- */

/* The offsets of the bytes of a layout's data, in order. */
struct offsets {
    size_t count;
    ptrdiff_t at[8 * MOST_ELEMENTS];
};

static void offsets_of_naive(const struct naive *n, struct offsets *all)
{
    all->count = 0;
    for (size_t i = 0; i < n->count; i++) {
        for (size_t j = 0; j < element_bytes(n->elements[i]); j++)
            all->at[all->count++] = n->elements[i].offset + (ptrdiff_t)j;
    }
}

static void offsets_of_runs(const kp_layout *layout, struct offsets *all)
{
    all->count = 0;
    for (size_t i = 0; i < layout->run_count; i++) {
        const struct kp_run *run = &layout->runs[i];
        for (size_t row = 0; row < run->rows; row++) {
            for (size_t piece = 0; piece < run->count; piece++) {
                for (size_t byte = 0; byte < run->bytes; byte++)
                    all->at[all->count++] = run->offset + (ptrdiff_t)row * run->pitch +
                                            (ptrdiff_t)piece * run->stride + (ptrdiff_t)byte;
            }
        }
    }
}

/* --- Random trees --- */

/* What a test asks of a tree: the list of its elements, the library's layout of it, and a seed.
 * Returns whether the two agree. */
typedef bool agrees(const struct naive *n, const kp_layout *layout, uint64_t seed);

struct question {
    agrees *agrees;
    uint64_t seed;
};

static bool is_wrong(const struct node *root, void *context)
{
    const struct question *question = context;
    struct naive *n = malloc(sizeof *n);
    kp_layout *layout = NULL;
    bool wrong = false;
    naive_of(root, n);
    if (!n->too_many)
        wrong = layout_of(root, &layout) != KP_OK ||
                !question->agrees(n, kp_layout_or_byte(layout), question->seed);
    kp_layout_free(layout);
    free(n);
    return wrong;
}

static void ask(agrees *what, int trees)
{
    uint64_t seed = 24;
    for (int i = 0; i < trees; i++) {
        struct question question = {what, random_next(&seed)};
        struct node *root = random_node(&seed, 1 + random_below(&seed, 4));
        if (is_wrong(root, &question)) {
            node_shrink(root, is_wrong, &question);
            fail_msg("tree %d, seed %llu", i, (unsigned long long)question.seed);
        }
        node_free(root);
    }
}

static bool has_its_bytes(const struct naive *n, const kp_layout *layout, uint64_t seed)
{
    static struct offsets expected, seen;
    (void)seed;
    offsets_of_naive(n, &expected);
    if (kp_layout_bytes(layout) != expected.count || kp_layout_lower(layout) != n->lower ||
        (ptrdiff_t)kp_layout_extent(layout) != n->upper - n->lower)
        return false;
    offsets_of_runs(layout, &seen);
    ptrdiff_t begin = 0, end = 0;
    for (size_t i = 0; i < expected.count; i++) {
        begin = i == 0 || expected.at[i] < begin ? expected.at[i] : begin;
        end = i == 0 || expected.at[i] + 1 > end ? expected.at[i] + 1 : end;
    }
    return seen.count == expected.count && layout->begin == begin && layout->end == end &&
           memcmp(seen.at, expected.at, seen.count * sizeof *seen.at) == 0;
}

static void runs_are_the_elements(void **state)
{
    (void)state;
    ask(has_its_bytes, scaled(4000, 20000, 200000));
}

/* --- Signatures --- */

/* Makes one struct of all elements, and one in which a single element has another type of the same
 * length. */
static bool tells_sequences_apart(const struct naive *n, const kp_layout *layout, uint64_t seed)
{
    struct kp_signature same = kp_signature_none(), other = same;
    const size_t changed = n->count > 0 ? (size_t)random_below(&seed, (int)n->count) : 0;
    bool typed = false;
    for (size_t i = 0; i < n->count; i++) {
        const int type = n->elements[i].type;
        const int else_type = type == KP_UINT8     ? KP_INT8
                              : type == KP_INT16   ? KP_UINT16
                              : type == KP_FLOAT32 ? KP_INT32
                              : type == KP_FLOAT64 ? KP_INT64
                                                   : KP_UINT8;
        typed = typed || type >= 0;
        same = kp_signature_joined(same, kp_signature_of(type));
        other = kp_signature_joined(other, kp_signature_of(i == changed ? else_type : type));
    }
    const uint64_t number = kp_signature_number(layout->signature);
    return number == kp_signature_number(same) && typed == (number != 0) &&
           (n->count == 0 || number != kp_signature_number(other));
}

static void signatures_are_those_of_the_sequence(void **state)
{
    (void)state;
    ask(tells_sequences_apart, scaled(2000, 10000, 100000));
}

static void a_repeated_signature_is_that_of_all(void **state)
{
    (void)state;
    const struct kp_signature pair =
        kp_signature_joined(kp_signature_of(KP_INT32), kp_signature_of(KP_FLOAT64));
    struct kp_signature all = kp_signature_none();
    for (size_t count = 0; count < 70; count++) {
        assert_int_equal(kp_signature_number(kp_signature_repeated(pair, count)),
                         kp_signature_number(all));
        all = kp_signature_joined(all, pair);
    }
}

/* --- Streams --- */

#define MEMORY 200000
#define BLOCKS 3

/* Returns whether BLOCKS blocks lie within MEMORY / 2 bytes of their origin. */
static bool fits(const kp_layout *layout)
{
    ptrdiff_t begin, end;
    return kp_layout_reach(layout, BLOCKS, &begin, &end) && begin > -MEMORY / 2 && end < MEMORY / 2;
}

static bool copies_like_the_list(const struct naive *n, const kp_layout *layout, uint64_t seed)
{
    static struct offsets offsets;
    static unsigned char laid[MEMORY], kept[MEMORY], line[MEMORY];
    const ptrdiff_t extent = n->upper - n->lower;
    const size_t blocks = 1 + (size_t)random_below(&seed, BLOCKS);
    offsets_of_naive(n, &offsets);
    if (offsets.count == 0 || !fits(layout))
        return true;
    const size_t all = blocks * offsets.count;
    const size_t from = (size_t)random_below(&seed, (int)all);
    const size_t bytes = 1 + (size_t)random_below(&seed, (int)(all - from));
    for (size_t i = 0; i < MEMORY; i++)
        laid[i] = (unsigned char)random_next(&seed);
    memcpy(kept, laid, MEMORY);
    const struct kp_position in_layout = {(char *)laid + MEMORY / 2, layout, from};
    const struct kp_position in_line = {(char *)line, NULL, 0};
    kp_stream_copy(&in_line, &in_layout, bytes);
    for (size_t i = 0; i < bytes; i++) {
        const ptrdiff_t at = (ptrdiff_t)((from + i) / offsets.count) * extent +
                             offsets.at[(from + i) % offsets.count];
        if (line[i] != laid[MEMORY / 2 + at])
            return false;
        line[i] = kept[MEMORY / 2 + at] = (unsigned char)i;
    }
    /* Where elements overlap, the order in which they are written is open. */
    const struct kp_laid_data data = {(char *)laid + MEMORY / 2, layout, blocks};
    if (kp_layout_overlaps(&data) != KP_APART)
        return true;
    kp_stream_copy(&in_layout, &in_line, bytes);
    return memcmp(laid, kept, MEMORY) == 0;
}

static void copies_move_the_right_bytes(void **state)
{
    (void)state;
    ask(copies_like_the_list, scaled(600, 3000, 30000));
}

/* Two layouts with the same elements, whose runs do not begin and end at the same places. */
static void runs_of_different_lengths_meet(void **state)
{
    (void)state;
    unsigned char a[600], b[600], expected[600];
    for (size_t length = 1; length < 8; length++) {
        for (size_t other = 1; other < 8; other++) {
            kp_layout *x, *y;
            assert_int_equal(kp_layout_vector(7 * other, length, 9, NULL, &x), 0);
            assert_int_equal(kp_layout_vector(7 * length, other, 10, NULL, &y), 0);
            fill(a, sizeof a, length);
            memset(b, UINT8_MAX, sizeof b);
            memset(expected, UINT8_MAX, sizeof expected);
            for (size_t i = 0; i < 7 * length * other; i++)
                expected[i / other * 10 + i % other] = a[i / length * 9 + i % length];
            const struct kp_position from = {(char *)a, x, 0}, to = {(char *)b, y, 0};
            kp_stream_copy(&to, &from, kp_layout_bytes(x));
            assert_memory_equal(b, expected, sizeof b);
            kp_layout_free(x);
            kp_layout_free(y);
        }
    }
}

/* A part of a matrix, sent row by row, becomes columns: for all small sizes, from any position. */
static void rows_become_columns(void **state)
{
    (void)state;
    static unsigned char from[20 * 24 * 8], to[20 * 24 * 8], expected[20 * 24 * 8];
    for (size_t size = 0; size < 20 * 20 * 3; size++) {
        const size_t rows = 1 + size % 20, columns = 1 + size / 20 % 20;
        const size_t bytes = size / 400 == 0 ? 8 : size / 400 == 1 ? 4 : 2;
        const size_t skip = size % 5 % rows * columns * bytes;
        kp_layout *piece, *lines, *line, *column, *all;
        assert_int_equal(kp_layout_contiguous(bytes, NULL, &piece), 0);
        assert_int_equal(kp_layout_vector(rows, columns, 24, piece, &lines), 0);
        assert_int_equal(kp_layout_vector(columns, 1, 24, piece, &line), 0);
        assert_int_equal(kp_layout_resized(line, 0, bytes, &column), 0);
        assert_int_equal(kp_layout_contiguous(rows, column, &all), 0);
        fill(from, sizeof from, size);
        memset(to, 0, sizeof to);
        memset(expected, 0, sizeof expected);
        for (size_t i = skip; i < rows * columns * bytes; i++) {
            const size_t row = i / bytes / columns, at = i / bytes % columns;
            expected[(at * 24 + row) * bytes + i % bytes] =
                from[(row * 24 + at) * bytes + i % bytes];
        }
        const struct kp_position out = {(char *)from, lines, skip}, into = {(char *)to, all, skip};
        kp_stream_copy(&into, &out, rows * columns * bytes - skip);
        assert_memory_equal(to, expected, sizeof to);
        kp_layout *made[] = {piece, lines, line, column, all};
        for (int i = 0; i < 5; i++)
            kp_layout_free(made[i]);
    }
}

/* --- Overlaps --- */

static bool finds_overlaps(const struct naive *n, const kp_layout *layout, uint64_t seed)
{
    static struct offsets offsets;
    static unsigned char written[MEMORY];
    const size_t blocks = 1 + (size_t)random_below(&seed, BLOCKS);
    const struct kp_laid_data data = {(char *)written + MEMORY / 2, layout, blocks};
    bool overlap = false;
    if (!fits(layout))
        return true;
    memset(written, 0, MEMORY);
    offsets_of_naive(n, &offsets);
    for (size_t i = 0; i < blocks * offsets.count; i++) {
        const ptrdiff_t block = (ptrdiff_t)(i / offsets.count) * (n->upper - n->lower);
        unsigned char *byte = &written[MEMORY / 2 + block + offsets.at[i % offsets.count]];
        overlap = overlap || *byte;
        *byte = 1;
    }
    if (kp_layout_overlaps(&data) != (overlap ? KP_OVERLAP : KP_APART))
        return false;
    /* A single byte beside the data meets them where it lies on one of their bytes. */
    const size_t at = MEMORY / 2 - 60 + (size_t)random_below(&seed, 120);
    const struct kp_laid_data byte = {(char *)written + at, kp_layout_or_byte(NULL), 1};
    return kp_layouts_meet(&byte, 1, &data, 1) == (written[at] ? KP_OVERLAP : KP_APART);
}

static void overlaps_are_found(void **state)
{
    (void)state;
    ask(finds_overlaps, scaled(3000, 10000, 100000));
}

/* --- Runs stay few, and what cannot be is refused --- */

static void a_column_is_one_run(void **state)
{
    (void)state;
    kp_layout *column, *next, *columns;
    char text[200];
    assert_int_equal(kp_layout_vector(2048, 1, 2048, kp_layout_of(KP_FLOAT64), &column), 0);
    assert_int_equal(column->run_count, 1);
    kp_layout_format(column, text, sizeof text);
    assert_string_equal(text, "vector(2048, 1, 2048, float64): 16384 bytes, 1 run, extent "
                              "33538056");
    assert_int_equal(kp_layout_resized(column, 0, 8, &next), 0);
    assert_int_equal(kp_layout_contiguous(256, next, &columns), 0);
    assert_int_equal(columns->run_count, 1);
    assert_int_equal(columns->extent, 2048);
    assert_int_equal(columns->bytes, 256 * 16384);
    const struct kp_laid_data all = {NULL, columns, 8};
    assert_int_equal(kp_layout_overlaps(&all), KP_APART);
    kp_layout_free(column);
    kp_layout_free(next);
    kp_layout_free(columns);
}

#define REFUSED(call, words)                                                                       \
    do {                                                                                           \
        kp_layout *refused = (kp_layout *)1;                                                       \
        assert_int_equal(call, KP_EARGUMENT);                                                      \
        assert_null(refused);                                                                      \
        assert_non_null(strstr(kp_last_error()->sentence, words));                                 \
    } while (0)

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    const size_t length = 1;
    const ptrdiff_t far = PTRDIFF_MAX;
    const kp_layout *of = kp_layout_of(KP_FLOAT64);
    assert_null(kp_layout_of(KP_OPAQUE));
    assert_non_null(strstr(kp_last_error()->sentence, "opaque"));
    assert_null(kp_layout_of((kp_type)99));
    assert_int_equal(kp_layout_contiguous(1, NULL, NULL), KP_EARGUMENT);
    REFUSED(kp_layout_contiguous(SIZE_MAX, of, &refused), "beyond");
    REFUSED(kp_layout_contiguous(SIZE_MAX / 8, of, &refused), "beyond");
    REFUSED(kp_layout_vector(2, 1, PTRDIFF_MAX, of, &refused), "beyond");
    REFUSED(kp_layout_vector(2, 1, PTRDIFF_MIN, of, &refused), "beyond");
    REFUSED(kp_layout_vector(SIZE_MAX, 1, 2, NULL, &refused), "beyond");
    REFUSED(kp_layout_indexed(1, &length, NULL, of, &refused), "displacements is NULL");
    REFUSED(kp_layout_indexed(1, &length, &far, of, &refused), "beyond");
    REFUSED(kp_layout_struct(1, NULL, &far, &of, &refused), "beyond");
    REFUSED(kp_layout_struct(1, NULL, &far, NULL, &refused), "fields is NULL");
    REFUSED(kp_layout_resized(of, PTRDIFF_MIN, 8, &refused), "beyond");
    REFUSED(kp_layout_resized(of, 0, SIZE_MAX, &refused), "beyond");
    /* A layout of no width may be repeated without end, but its data have an end. */
    kp_layout *flat;
    assert_int_equal(kp_layout_resized(of, 0, 0, &flat), 0);
    REFUSED(kp_layout_contiguous(SIZE_MAX / 16, flat, &refused), "beyond");
    kp_layout_free(flat);
    kp_layout_free(NULL);
    kp_layout_free((kp_layout *)of);
}

static void too_many_runs_are_refused(void **state)
{
    (void)state;
    const size_t lengths[] = {1, 2};
    const ptrdiff_t displacements[] = {0, 3};
    kp_layout *uneven;
    assert_int_equal(kp_layout_indexed(2, lengths, displacements, NULL, &uneven), 0);
    assert_int_equal(uneven->run_count, 2);
    REFUSED(kp_layout_contiguous((size_t)1 << 30, uneven, &refused), "4194304 runs");
    kp_layout_free(uneven);
}

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(runs_are_the_elements),
        TEST(signatures_are_those_of_the_sequence),
        TEST(a_repeated_signature_is_that_of_all),
        TEST(copies_move_the_right_bytes),
        TEST(runs_of_different_lengths_meet),
        TEST(rows_become_columns),
        TEST(overlaps_are_found),
        TEST(a_column_is_one_run),
        TEST(what_cannot_be_is_refused),
        TEST(too_many_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
