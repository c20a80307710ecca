#include "lib/layout/runs.h"

#include "ports/port.h"

/* Writes a run in the simplest way: pieces that touch each other become one piece, and a column of
 * rows of one piece becomes a row. */
static void simplify(struct kp_run *run)
{
    for (;;) {
        if (run->count == 1 && run->rows > 1) {
            run->count = run->rows;
            run->stride = run->pitch;
            run->rows = 1;
        } else if (run->count > 1 && run->stride == (ptrdiff_t)run->bytes) {
            run->bytes *= run->count;
            run->count = 1;
        } else if (run->rows > 1 && run->pitch == (ptrdiff_t)run->count * run->stride) {
            run->count *= run->rows;
            run->rows = 1;
        } else {
            break;
        }
    }
    run->pitch = run->rows > 1 ? run->pitch : 0;
    run->stride = run->count > 1 ? run->stride : 0;
}

bool kp_run_repeat(struct kp_run *run, size_t count, ptrdiff_t step)
{
    if (count == 1)
        return true;
    if (run->rows > 1 && step != (ptrdiff_t)run->rows * run->pitch)
        return false;
    if (run->rows == 1)
        run->pitch = step;
    run->rows *= count;
    simplify(run);
    return true;
}

/* Joins `next` to `last`, if the two together are one run. */
static bool joins(struct kp_run *last, const struct kp_run *next)
{
    const ptrdiff_t apart = next->offset - last->offset;
    const bool alike = last->bytes == next->bytes && last->count == next->count &&
                       last->stride == next->stride && next->rows == 1;
    if (last->rows > 1) {
        if (!alike || apart != (ptrdiff_t)last->rows * last->pitch)
            return false;
        last->rows++;
        return true;
    }
    if (last->count == 1 && next->count == 1 && next->rows == 1 &&
        apart == (ptrdiff_t)last->bytes) {
        last->bytes += next->bytes;
        return true;
    }
    if (last->bytes == next->bytes && next->rows == 1 && last->count > 1 &&
        apart == (ptrdiff_t)last->count * last->stride &&
        (next->count == 1 || next->stride == last->stride)) {
        last->count += next->count;
        return true;
    }
    if (!alike)
        return false;
    last->rows = 2;
    last->pitch = apart;
    simplify(last);
    return true;
}

static int add(struct kp_vector *to, struct kp_run next)
{
    struct kp_run *items = to->items;
    if (to->count > 0 && joins(&items[to->count - 1], &next))
        return KP_OK;
    if (to->count == KP_MOST_RUNS)
        return kp_set_error(KP_EARGUMENT,
                            "the layout would have more than %zu runs (regular patterns of pieces "
                            "of memory)",
                            KP_MOST_RUNS);
    struct kp_run *one = kp_vector_add(to, sizeof *one);
    if (!one)
        return kp_set_error(KP_EMEMORY, "no memory for %zu runs of a layout", to->count + 1);
    *one = next;
    return KP_OK;
}

int kp_runs_repeat(struct kp_vector *to, const struct kp_run *runs, size_t runs_count, size_t count,
                   ptrdiff_t step, ptrdiff_t offset)
{
    int status = KP_OK;
    struct kp_run all = runs_count == 1 ? runs[0] : (struct kp_run){.rows = 1};
    all.offset += offset;
    if (runs_count == 1 && count > 0 && kp_run_repeat(&all, count, step))
        return add(to, all);
    for (size_t i = 0; i < count && runs_count > 0 && !status; i++) {
        for (size_t j = 0; j < runs_count && !status; j++) {
            struct kp_run one = runs[j];
            one.offset += offset + (ptrdiff_t)i * step;
            status = add(to, one);
        }
    }
    return status;
}
