/* Makes, frees and describes layouts. */
#include "lib/layout/layout.h"

#include "lib/layout/runs.h"
#include "ports/port.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Offsets and lengths are at most this far from 0, so that sums of a few of them do not overflow.
 */
#define MOST (PTRDIFF_MAX / 4)

/* --- Layouts of one element --- */

#define BYTE KP_TYPES

static struct kp_run basic_runs[KP_TYPES + 1];
static struct kp_layout basic[KP_TYPES + 1];
static pthread_once_t basic_once = PTHREAD_ONCE_INIT;

static void make_basic(void)
{
    for (int type = 0; type <= BYTE; type++) {
        const size_t bytes = type == BYTE ? 1 : kp_type_bytes((kp_type)type);
        basic_runs[type] = (struct kp_run){.bytes = bytes, .count = 1, .rows = 1};
        basic[type] = (struct kp_layout){.bytes = bytes,
                                         .extent = (ptrdiff_t)bytes,
                                         .end = (ptrdiff_t)bytes,
                                         .signature = kp_signature_of(type == BYTE ? -1 : type),
                                         .runs = &basic_runs[type],
                                         .run_count = 1};
        snprintf(basic[type].text, sizeof basic[type].text, "%s",
                 type == BYTE ? "byte" : kp_type_name((kp_type)type));
    }
}

const kp_layout *kp_layout_or_byte(const kp_layout *layout)
{
    pthread_once(&basic_once, make_basic);
    return layout ? layout : &basic[BYTE];
}

const kp_layout *kp_layout_of(kp_type type)
{
    if (!kp_type_name(type) || kp_type_bytes(type) == 0) {
        kp_set_error(KP_EARGUMENT, "type is %d (%s); a layout may have elements of any other type",
                     (int)type, kp_type_name(type) ? kp_type_name(type) : "no type");
        return NULL;
    }
    (void)kp_layout_or_byte(NULL);
    return &basic[type];
}

/* --- Holders --- */

static pthread_mutex_t holders = PTHREAD_MUTEX_INITIALIZER;

const kp_layout *kp_layout_hold(const kp_layout *layout)
{
    /* Nothing but the number of holders ever changes. */
    kp_layout *held = (kp_layout *)layout;
    pthread_mutex_lock(&holders);
    held->holders += held->holders > 0;
    pthread_mutex_unlock(&holders);
    return layout;
}

void kp_layout_free(kp_layout *layout)
{
    if (!layout)
        return;
    pthread_mutex_lock(&holders);
    const bool last = layout->holders > 0 && --layout->holders == 0;
    pthread_mutex_unlock(&holders);
    if (last) {
        free(layout->runs);
        free(layout);
    }
}

/* --- Making --- */

/* `count` blocks of a layout, `step` bytes apart, the first at `offset`. */
struct series {
    const kp_layout *of;
    size_t count;
    ptrdiff_t step, offset;
};

/* Computes the offset of a byte of the last block. Returns false if it is beyond MOST. */
static bool at_last(const struct series *series, ptrdiff_t byte, ptrdiff_t *at)
{
    const ptrdiff_t steps = (ptrdiff_t)series->count - 1, step = series->step;
    if (series->offset > MOST || series->offset < -MOST || series->count - 1 > MOST)
        return false;
    if (step != 0 && steps > MOST / (step < 0 ? -step : step))
        return false;
    *at = series->offset + byte + steps * step;
    return *at <= MOST && *at >= -MOST;
}

static void widen(ptrdiff_t *low, ptrdiff_t *high, bool first, ptrdiff_t begin, ptrdiff_t end)
{
    *low = first || begin < *low ? begin : *low;
    *high = first || end > *high ? end : *high;
}

/* Adds to the range *low ... *high the range begin ... end of each block of a series. */
static bool reach(const struct series *series, ptrdiff_t begin, ptrdiff_t end, bool first,
                  ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t last_begin, last_end;
    if (!at_last(series, begin, &last_begin) || !at_last(series, end, &last_end))
        return false;
    widen(low, high, first, series->offset + begin, series->offset + end);
    widen(low, high, false, last_begin, last_end);
    return true;
}

bool kp_layout_reach(const kp_layout *layout, size_t count, ptrdiff_t *begin, ptrdiff_t *end)
{
    const struct series all = {layout, count, layout->extent, 0};
    *begin = *end = 0;
    if (count == 0 || layout->bytes == 0)
        return true;
    return count <= (size_t)MOST / layout->bytes &&
           reach(&all, layout->begin, layout->end, true, begin, end);
}

static int refuse_far(void)
{
    return kp_set_error(KP_EARGUMENT,
                        "the layout would have offsets or data beyond what memory can hold; "
                        "%td bytes from its origin they may be",
                        MOST);
}

/* A layout that is being made. */
struct making {
    struct kp_layout made;
    struct kp_vector runs;
    bool bounded, has_data; /* whether bounds, and the ends of the data, are set */
};

static int add_series(struct making *m, const struct series *series)
{
    const kp_layout *of = series->of;
    kp_layout *made = &m->made;
    if (series->count == 0)
        return KP_OK;
    ptrdiff_t lower = made->lower, upper = made->lower + made->extent;
    if (!reach(series, of->lower, of->lower + of->extent, !m->bounded, &lower, &upper) ||
        (of->bytes > 0 && series->count > ((size_t)MOST - made->bytes) / of->bytes))
        return refuse_far();
    made->lower = lower;
    made->extent = upper - lower;
    m->bounded = true;
    if (of->bytes == 0)
        return KP_OK;
    if (!reach(series, of->begin, of->end, !m->has_data, &made->begin, &made->end))
        return refuse_far();
    m->has_data = true;
    made->bytes += series->count * of->bytes;
    made->signature =
        kp_signature_joined(made->signature, kp_signature_repeated(of->signature, series->count));
    return kp_runs_repeat(&m->runs, of->runs, of->run_count, series->count, series->step,
                          series->offset);
}

static void begin_making(struct making *m)
{
    memset(m, 0, sizeof *m);
    m->made.holders = 1;
    m->made.signature = kp_signature_none();
}

/* Ends the making of a layout: gives it to the caller, or reports `status`. */
static int end_making(struct making *m, int status, kp_layout **made)
{
    kp_layout *one = status ? NULL : malloc(sizeof *one);
    if (!status && !one)
        status = kp_set_error(KP_EMEMORY, "no memory for a layout");
    if (status) {
        kp_vector_free(&m->runs);
        return status;
    }
    m->made.run_count = m->runs.count;
    m->made.runs = kp_vector_take(&m->runs, sizeof(struct kp_run));
    size_t before = 0;
    for (size_t i = 0; i < m->made.run_count; i++) {
        struct kp_run *run = &m->made.runs[i];
        run->before = before;
        before += run->bytes * run->count * run->rows;
    }
    *one = m->made;
    *made = one;
    return KP_OK;
}

/* Replaces the end of a text that was cut by an ellipsis. */
static void end_text(kp_layout *made, int length)
{
    if (length >= KP_LAYOUT_WORDS)
        memcpy(made->text + KP_LAYOUT_WORDS - 4, "...", 4);
}

/* The first things that all functions below do. Returns false if the result's place is missing. */
static bool may_make(struct making *m, kp_layout **made)
{
    begin_making(m);
    if (made)
        *made = NULL;
    else
        kp_set_error(KP_EARGUMENT, "made is NULL; it must be where the layout goes");
    return made;
}

int kp_layout_contiguous(size_t count, const kp_layout *of, kp_layout **made)
{
    struct making m;
    of = kp_layout_or_byte(of);
    if (!may_make(&m, made))
        return KP_EARGUMENT;
    end_text(&m.made,
             snprintf(m.made.text, sizeof m.made.text, "contiguous(%zu, %s)", count, of->text));
    const struct series all = {of, count, of->extent, 0};
    return end_making(&m, add_series(&m, &all), made);
}

/* Multiplies a number of extents. Returns false if the product is beyond MOST. */
static bool in_bytes(ptrdiff_t extents, const kp_layout *of, ptrdiff_t *bytes)
{
    const ptrdiff_t far = extents < 0 ? -(extents + 1) : extents;
    const ptrdiff_t extent = of->extent < 0 ? -of->extent : of->extent;
    *bytes = 0;
    if (extent > 0 && far >= MOST / extent)
        return false;
    *bytes = extents * of->extent;
    return true;
}

int kp_layout_vector(size_t count, size_t length, ptrdiff_t stride, const kp_layout *of,
                     kp_layout **made)
{
    struct making m;
    kp_layout *group = NULL;
    ptrdiff_t step;
    of = kp_layout_or_byte(of);
    if (!may_make(&m, made))
        return KP_EARGUMENT;
    if (!in_bytes(stride, of, &step))
        return refuse_far();
    int status = kp_layout_contiguous(length, of, &group);
    if (status)
        return status;
    end_text(&m.made, snprintf(m.made.text, sizeof m.made.text, "vector(%zu, %zu, %td, %s)", count,
                               length, stride, of->text));
    const struct series all = {group, length > 0 ? count : 0, step, 0};
    status = end_making(&m, add_series(&m, &all), made);
    kp_layout_free(group);
    return status;
}

static int refuse_array(const char *name, size_t count)
{
    return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be an array of %zu", name, count);
}

int kp_layout_indexed(size_t count, const size_t *lengths, const ptrdiff_t *displacements,
                      const kp_layout *of, kp_layout **made)
{
    struct making m;
    int status = KP_OK;
    of = kp_layout_or_byte(of);
    if (!may_make(&m, made))
        return KP_EARGUMENT;
    if (count > 0 && !displacements)
        return refuse_array("displacements", count);
    end_text(&m.made,
             snprintf(m.made.text, sizeof m.made.text, "indexed(%zu groups, %s)", count, of->text));
    for (size_t i = 0; i < count && !status; i++) {
        struct series series = {of, lengths ? lengths[i] : 1, of->extent, 0};
        status =
            in_bytes(displacements[i], of, &series.offset) ? add_series(&m, &series) : refuse_far();
    }
    return end_making(&m, status, made);
}

static void word_fields(kp_layout *made, size_t count, const size_t *lengths,
                        const kp_layout *const *fields)
{
    size_t at = (size_t)snprintf(made->text, KP_LAYOUT_WORDS, "struct(");
    for (size_t i = 0; i < count && at < KP_LAYOUT_WORDS; i++) {
        const char *comma = i > 0 ? ", " : "", *of = kp_layout_or_byte(fields[i])->text;
        char *text = made->text + at;
        const size_t room = KP_LAYOUT_WORDS - at;
        at += (size_t)(lengths && lengths[i] != 1
                           ? snprintf(text, room, "%s%zu %s", comma, lengths[i], of)
                           : snprintf(text, room, "%s%s", comma, of));
    }
    if (at < KP_LAYOUT_WORDS)
        at += (size_t)snprintf(made->text + at, KP_LAYOUT_WORDS - at, ")");
    end_text(made, (int)(at < KP_LAYOUT_WORDS ? at : KP_LAYOUT_WORDS));
}

int kp_layout_struct(size_t count, const size_t *lengths, const ptrdiff_t *displacements,
                     const kp_layout *const *fields, kp_layout **made)
{
    struct making m;
    int status = KP_OK;
    if (!may_make(&m, made))
        return KP_EARGUMENT;
    if (count > 0 && (!displacements || !fields))
        return refuse_array(displacements ? "fields" : "displacements", count);
    word_fields(&m.made, count, lengths, fields);
    for (size_t i = 0; i < count && !status; i++) {
        const kp_layout *of = kp_layout_or_byte(fields[i]);
        const struct series series = {of, lengths ? lengths[i] : 1, of->extent, displacements[i]};
        status = add_series(&m, &series);
    }
    return end_making(&m, status, made);
}

int kp_layout_bounded(const kp_layout *of, ptrdiff_t lower, ptrdiff_t extent, const char *text,
                      kp_layout **made)
{
    struct making m;
    of = kp_layout_or_byte(of);
    if (!may_make(&m, made))
        return KP_EARGUMENT;
    if (lower > MOST || lower < -MOST || extent > MOST || extent < -MOST)
        return refuse_far();
    end_text(&m.made, snprintf(m.made.text, sizeof m.made.text, "%s", text));
    const struct series all = {of, 1, 0, 0};
    const int status = add_series(&m, &all);
    m.made.lower = lower;
    m.made.extent = extent;
    return end_making(&m, status, made);
}

int kp_layout_resized(const kp_layout *of, ptrdiff_t lower, size_t extent, kp_layout **made)
{
    char text[2 * KP_LAYOUT_WORDS];
    snprintf(text, sizeof text, "resized(%td, %zu, %s)", lower, extent,
             kp_layout_or_byte(of)->text);
    return kp_layout_bounded(of, lower, extent > PTRDIFF_MAX ? PTRDIFF_MAX : (ptrdiff_t)extent,
                             text, made);
}

/* --- Questions --- */

size_t kp_layout_bytes(const kp_layout *layout)
{
    return kp_layout_or_byte(layout)->bytes;
}

ptrdiff_t kp_layout_lower(const kp_layout *layout)
{
    return kp_layout_or_byte(layout)->lower;
}

size_t kp_layout_extent(const kp_layout *layout)
{
    return (size_t)kp_layout_or_byte(layout)->extent;
}

int kp_layout_format(const kp_layout *layout, char *text, size_t size)
{
    layout = kp_layout_or_byte(layout);
    return snprintf(text, size, "%s: %zu byte%s, %zu run%s, extent %td", layout->text,
                    layout->bytes, layout->bytes == 1 ? "" : "s", layout->run_count,
                    layout->run_count == 1 ? "" : "s", layout->extent);
}

bool kp_layout_is_plain(const kp_layout *layout)
{
    return layout->run_count == 1 && layout->runs->count == 1 && layout->runs->rows == 1 &&
           layout->runs->offset == 0 && layout->extent == (ptrdiff_t)layout->bytes;
}

int kp_layout_block(const kp_layout *layout, size_t count, const kp_layout **made)
{
    kp_layout *block = NULL;
    struct kp_run one = layout->run_count == 1 ? layout->runs[0] : (struct kp_run){.rows = 1};
    if (count <= 1 || layout->run_count != 1 || !kp_run_repeat(&one, count, layout->extent)) {
        *made = kp_layout_hold(layout);
        return KP_OK;
    }
    const int status = kp_layout_contiguous(count, layout, &block);
    *made = block;
    return status;
}
