/* BSPlib's rules, one process after the other, as plainly as possible: at the end of a superstep
 * all gets read, then they write, then the puts write, that of the lowest process last. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#define MOST_REGISTRATIONS (MOST_OPS + 1)

struct request { /* a captured put, a get, or a message */
    int process, to, block;
    size_t offset, bytes;
    int other;
    size_t from;
    unsigned char data[BLOCK_BYTES], tag[MOST_TAG];
};

struct inbox {
    struct request messages[MOST_OPS];
    int count, taken;
    size_t tag_bytes;
};

/* The state of all processes. Registrations are the same in all of them: a list of blocks. */
static struct state {
    unsigned char blocks[MOST_PROCESSES][BLOCKS][BLOCK_BYTES];
    int registered[MOST_REGISTRATIONS], pending[MOST_REGISTRATIONS];
    int registered_count, pending_count;
    struct request puts[MOST_OPS], gets[MOST_OPS], sends[MOST_OPS];
    int put_count, get_count, send_count;
    struct inbox inboxes[MOST_PROCESSES];
    size_t tag_bytes, next_tag_bytes;
} state;

static bool counts(int block)
{
    for (int i = 0; i < state.registered_count; i++) {
        if (state.registered[i] == block)
            return true;
    }
    return false;
}

static void draw_tag(unsigned char *tag, uint64_t value)
{
    fill(tag, state.tag_bytes, value + 1);
}

static void look(struct outcome *outcome, int process, const void *data, size_t bytes)
{
    outcome->seen[process] = mixed_bytes(outcome->seen[process], data, bytes);
}

/* --- Of all processes --- */

static bool pop(int block)
{
    for (int i = state.pending_count - 1; i >= 0; i--) {
        if (state.pending[i] != block)
            continue;
        memmove(&state.pending[i], &state.pending[i + 1],
                (size_t)(state.pending_count - i - 1) * sizeof state.pending[0]);
        state.pending_count--;
        return true;
    }
    return false;
}

static bool carry_out_of_all(const struct op *op)
{
    if (op->kind == PUSH)
        state.pending[state.pending_count++] = op->block;
    else if (op->kind == POP)
        return pop(op->block);
    else
        state.next_tag_bytes = op->bytes;
    return true;
}

/* --- Of one process --- */

static bool take_message(const struct op *op, struct outcome *outcome)
{
    struct inbox *inbox = &state.inboxes[op->process];
    if (inbox->taken == inbox->count)
        return false;
    const struct request *message = &inbox->messages[inbox->taken++];
    size_t bytes = message->bytes;
    look(outcome, op->process, message->tag, inbox->tag_bytes);
    if (op->kind == MOVE && op->bytes < bytes)
        bytes = op->bytes;
    look(outcome, op->process, message->data, bytes);
    return true;
}

static bool carry_out_hp(const struct op *op, struct outcome *outcome)
{
    if (!counts(0))
        return false;
    if (op->kind == HPPUT) {
        fill(&state.blocks[op->to][0][op->process * HP_BYTES], HP_BYTES, op->value);
        return true;
    }
    /* Nobody writes there in this superstep, so it does not matter when it is read. */
    outcome->fetched[op->process] =
        mixed_bytes(outcome->fetched[op->process], &state.blocks[op->to][0][op->offset], HP_BYTES);
    return true;
}

static bool carry_out(const struct op *op, struct outcome *outcome)
{
    unsigned char *own = state.blocks[op->process][op->other];
    struct request request = {.process = op->process,
                              .to = op->to,
                              .block = op->block,
                              .offset = op->offset,
                              .bytes = op->bytes,
                              .other = op->other,
                              .from = op->from};
    switch (op->kind) {
    case CHANGE:
        fill(own + op->from, op->bytes, op->value);
        return true;
    case PUT:
        memcpy(request.data, own + op->from, op->bytes);
        if (counts(op->block))
            state.puts[state.put_count++] = request;
        return counts(op->block);
    case GET:
        if (counts(op->block))
            state.gets[state.get_count++] = request;
        return counts(op->block);
    case SEND:
        memcpy(request.data, own + op->from, op->bytes);
        draw_tag(request.tag, op->value);
        state.sends[state.send_count++] = request;
        return true;
    case MOVE:
    case HPMOVE:
        return take_message(op, outcome);
    default:
        return carry_out_hp(op, outcome);
    }
}

/* --- The end of a superstep --- */

static void exchange(const struct program *program)
{
    for (int i = 0; i < state.get_count; i++) {
        struct request *get = &state.gets[i];
        memcpy(get->data, &state.blocks[get->to][get->block][get->offset], get->bytes);
    }
    for (int i = 0; i < state.get_count; i++) {
        const struct request *get = &state.gets[i];
        memcpy(&state.blocks[get->process][get->other][get->from], get->data, get->bytes);
    }
    for (int process = program->processes - 1; process >= 0; process--) {
        for (int i = 0; i < state.put_count; i++) {
            const struct request *put = &state.puts[i];
            if (put->process == process)
                memcpy(&state.blocks[put->to][put->block][put->offset], put->data, put->bytes);
        }
    }
    for (int process = 0; process < program->processes; process++) {
        struct inbox *inbox = &state.inboxes[process];
        inbox->count = inbox->taken = 0;
        inbox->tag_bytes = state.tag_bytes;
        for (int from = 0; from < program->processes; from++) {
            for (int i = 0; i < state.send_count; i++) {
                if (state.sends[i].to == process && state.sends[i].process == from)
                    inbox->messages[inbox->count++] = state.sends[i];
            }
        }
    }
    state.put_count = state.get_count = state.send_count = 0;
    memcpy(state.registered, state.pending, sizeof state.pending);
    state.registered_count = state.pending_count;
    state.tag_bytes = state.next_tag_bytes;
}

void reference_run(struct program *program, struct outcome *outcome)
{
    memset(&state, 0, sizeof state);
    memset(outcome, 0, sizeof *outcome);
    for (int superstep = 0; superstep < program->supersteps; superstep++) {
        for (int i = 0; i < program->count; i++) {
            struct op *op = &program->ops[i];
            if (op->superstep != superstep || op->off)
                continue;
            op->off = !(op->process < 0 ? carry_out_of_all(op) : carry_out(op, outcome));
        }
        exchange(program);
        for (int process = 0; process < program->processes; process++)
            outcome->blocks[process][superstep] =
                hash_of_blocks(program, superstep, state.blocks[process]);
    }
}
