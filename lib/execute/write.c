/* Writes pieces as instructions that copy or combine. */
#include "lib/execute/write.h"

#include "lib/execute/way.h"

/* Returns whether `next` combines further data into the result of `last`. */
static bool adds_on(const struct kp_instruction *last, const struct kp_instruction *next)
{
    return (last->kind == KP_COMBINE_LEFT || last->kind == KP_COMBINE_RIGHT) &&
           next->to == last->to && next->operand == next->to &&
           next->operand_space == next->to_space;
}

/* Joins `next` to `last` if the copies of `next` continue those of `last` at the same distances.
 * Returns whether the two are joined. */
static bool joins(struct kp_instruction *last, const struct kp_instruction *next)
{
    int64_t to = (int64_t)(next->to - last->to), from = (int64_t)(next->from - last->from);
    const bool combines = last->kind >= KP_COMBINE_LEFT;
    if (!KP_HAS(JOINED) || last->kind != next->kind || last->bytes != next->bytes ||
        last->to_space != next->to_space || last->from_space != next->from_space ||
        (combines && !adds_on(last, next)))
        return false;
    if (last->count > 1 &&
        (from != last->count * last->from_step || (!combines && to != last->count * last->to_step)))
        return false;
    if (last->count == 1 && !combines)
        last->to_step = to;
    if (last->count == 1)
        last->from_step = from;
    if (next->count > 1 && (next->to_step != last->to_step || next->from_step != last->from_step))
        return false;
    last->count += next->count;
    return true;
}

/* Returns the kind of an instruction: copies to or from blocks with layouts are of one kind. */
static uint8_t kind_of(const struct kp_writer *w, const struct kp_instruction *next)
{
    const unsigned laid = w->of->laid >> next->to_space | w->of->laid >> next->from_space;
    if (next->kind > KP_COPY_PAST || !(laid & 1))
        return next->kind;
    return next->kind == KP_COPY_PAST ? KP_COPY_STREAM_PAST : KP_COPY_STREAM;
}

static void add(struct kp_writer *w, struct kp_instruction next)
{
    struct kp_instruction *last = w->count > w->begin ? &w->items[w->count - 1] : NULL;
    next.kind = kind_of(w, &next);
    if (next.bytes == 0 || (last && joins(last, &next)))
        return;
    if (w->count == w->room && w->hand_on)
        w->hand_on(w);
    if (w->count == w->room)
        w->fits = false;
    else
        w->items[w->count++] = next;
}

/* Adds copies from the buffer to a space. If `into`, adds copies from the space to the buffer. */
static void add_buffered(struct kp_writer *w, struct kp_instruction space_side, uint64_t at,
                         int64_t step, bool into)
{
    struct kp_instruction next = space_side; /* a copy from the buffer to the space */
    next.kind = KP_COPY_BUFFER;
    next.from_space = KP_BUFFER;
    next.from = at;
    next.from_step = step;
    if (into) {
        next = (struct kp_instruction){.kind = KP_COPY_BUFFER,
                                       .to_space = KP_BUFFER,
                                       .from_space = space_side.to_space,
                                       .count = space_side.count,
                                       .bytes = space_side.bytes,
                                       .to = at,
                                       .from = space_side.to,
                                       .to_step = step,
                                       .from_step = space_side.to_step};
    }
    add(w, next);
}

/* Writes the runs of a piece. One instruction holds all runs up to the end of the space, where
 * places wrap around. */
static uint64_t write_piece(struct kp_writer *w, const kp_piece *piece, uint64_t at, bool into)
{
    const struct kp_lowering *l = w->of;
    const size_t unit = l->unit, bytes = (size_t)piece->run * unit;
    const int64_t size = l->size[piece->space];
    const uint8_t space = (uint8_t)piece->space;
    int64_t place = kp_start_of(l, &l->own, piece);
    for (int64_t left = piece->count; left > 0;) {
        int64_t runs = 1, room = size - place;
        size_t before_end = piece->run > room ? (size_t)room * unit : bytes;
        if (piece->stride > 0 && piece->run < room)
            runs = 1 + (room - piece->run) / piece->stride;
        if (runs > left)
            runs = left;
        add_buffered(w,
                     (struct kp_instruction){.to_space = space,
                                             .count = (uint32_t)runs,
                                             .bytes = before_end,
                                             .to = (uint64_t)place * unit,
                                             .to_step = piece->stride * (int64_t)unit},
                     at, (int64_t)bytes, into);
        if (before_end < bytes)
            add_buffered(
                w,
                (struct kp_instruction){.to_space = space, .count = 1, .bytes = bytes - before_end},
                at + before_end, 0, into);
        at += (uint64_t)runs * bytes;
        left -= runs;
        place += (runs - 1) * piece->stride;
        place = kp_step_on(l, piece, place);
    }
    return at;
}

void kp_write_buffered(struct kp_writer *w, const kp_piece *pieces, size_t count, uint64_t at,
                       bool into)
{
    const struct kp_lowering *l = w->of;
    for (size_t i = 0; i < count; i++) {
        if (!l->digits[pieces[i].space]) {
            at = write_piece(w, &pieces[i], at, into);
            continue;
        }
        struct kp_cursor c = kp_cursor_at(l, &l->own, &pieces[i], 1);
        for (; kp_cursor_next(&c); at += c.left)
            add_buffered(w,
                         (struct kp_instruction){
                             .to_space = c.space, .count = 1, .bytes = c.left, .to = c.at},
                         at, 0, into);
    }
}

static uint8_t copier_of(const struct kp_writer *w)
{
    return w->of->way.past_cache ? KP_COPY_PAST : KP_COPY_SPACE;
}

void kp_write_whole(struct kp_writer *w, kp_space to, kp_space from, size_t bytes)
{
    add(w, (struct kp_instruction){.kind = copier_of(w),
                                   .to_space = (uint8_t)to,
                                   .from_space = (uint8_t)from,
                                   .count = 1,
                                   .bytes = bytes});
}

/* --- Blocks with lengths of their own --- */

void kp_write_blocks(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from, uint8_t kind)
{
    const size_t bytes = w->of->unit; /* of an entry in the table of blocks.h */
    while ((to.left > 0 || kp_cursor_next(&to)) && (from.left > 0 || kp_cursor_next(&from))) {
        add(w, (struct kp_instruction){.kind = kind,
                                       .to_space = to.space,
                                       .from_space = from.space,
                                       .count = 1,
                                       .bytes = bytes,
                                       .to = to.at,
                                       .from = from.at});
        kp_cursor_skip(&to, bytes);
        kp_cursor_skip(&from, bytes);
    }
}

void kp_write_all_blocks(struct kp_writer *w, uint8_t kind)
{
    const struct kp_lowering *l = w->of;
    const size_t longest = l->way.padded ? l->unit * (size_t)l->schedule->units_of_block : 0;
    add(w, (struct kp_instruction){.kind = kind,
                                   .to_space = KP_OUT,
                                   .from_space = KP_IN,
                                   .bytes = 1,
                                   .to_step = (int64_t)longest,
                                   .from_step = (int64_t)longest});
}

void kp_write_meeting(struct kp_writer *w, int peer)
{
    add(w,
        (struct kp_instruction){.kind = KP_MEET_LAYOUTS, .count = 1, .bytes = 1, .to_step = peer});
}

void kp_write_end(struct kp_writer *w, uint8_t kind, int port, int peer)
{
    add(w, (struct kp_instruction){.kind = kind,
                                   .count = (uint32_t)port,
                                   .bytes = 1,
                                   .to_step = peer,
                                   .from_step = w->round});
}

/* --- Copies and combinations between spaces --- */

void kp_write_copies(struct kp_writer *w, struct kp_cursor to, struct kp_cursor from,
                     struct kp_section section)
{
    if (w->of->way.of_blocks) {
        kp_write_blocks(w, to, from, w->round < 0 ? KP_POINT_BLOCKS : KP_TAKE_BLOCKS);
        return;
    }
    for (size_t at = 0; at < section.end && (to.left > 0 || kp_cursor_next(&to)) &&
                        (from.left > 0 || kp_cursor_next(&from));) {
        size_t bytes = to.left < from.left ? to.left : from.left;
        struct kp_section here = kp_section_within(section, at, bytes);
        if (here.begin < here.end)
            add(w, (struct kp_instruction){.kind = copier_of(w),
                                           .to_space = to.space,
                                           .from_space = from.space,
                                           .count = 1,
                                           .bytes = here.end - here.begin,
                                           .to = to.at + here.begin,
                                           .from = from.at + here.begin});
        at += bytes;
        kp_cursor_skip(&to, bytes);
        kp_cursor_skip(&from, bytes);
    }
}

void kp_write_combined(struct kp_writer *w, struct kp_cursor to, struct kp_cursor operand,
                       struct kp_cursor from, uint8_t kind)
{
    while ((to.left > 0 || kp_cursor_next(&to)) && (operand.left > 0 || kp_cursor_next(&operand)) &&
           (from.left > 0 || kp_cursor_next(&from))) {
        size_t bytes = to.left < from.left ? to.left : from.left;
        bytes = bytes < operand.left ? bytes : operand.left;
        add(w, (struct kp_instruction){.kind = kind,
                                       .to_space = to.space,
                                       .from_space = from.space,
                                       .operand_space = operand.space,
                                       .count = 1,
                                       .bytes = bytes / w->of->element,
                                       .to = to.at,
                                       .from = from.at,
                                       .operand = operand.at});
        kp_cursor_skip(&to, bytes);
        kp_cursor_skip(&operand, bytes);
        kp_cursor_skip(&from, bytes);
    }
}
