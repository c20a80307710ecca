/* Broadcast on a torus, in packets and in two halves.
 *
 * Source: Saad and Schultz 1986, section 3.2, (3.19). One half of the block spreads along the rows
 * first, the other half along the columns first. In the printed algorithm the processors in the
 * root's row and column do not get one of the halves. The printed remedy sends this half over links
 * that still carry the other half. Here each half goes along its lines in one direction only, and
 * stops before the link that would close the line to a ring. This free link then brings the half to
 * the root's row or column. So every link carries one half only, in one direction. The algorithm
 * needs k >= 4 and a torus whose sides are both at least 3 (torus.h).
 *
 * How it works. Rows and columns count from those of the root, so the root is in row 0 and column
 * 0. One half goes along row 0 in both directions. From row 0 this half goes down all columns
 * except column 0, to the last row. Then the processors of the last column send this half to the
 * processors of column 0. The other half does the same with rows and columns exchanged. A processor
 * receives a packet in one round and passes it on in the next round.
 *
 * Cost. The half that goes along column 0 first has the greater depth,
 * D = max(floor(rows / 2), 2) + columns - 1. If b is odd, this half is also the longer one. It has
 * h = ceil(b / 2) bytes. A block of at most one byte is not cut. Let m be the number of packets of
 * each half. C1 = m - 1 + D, C2 = C1 floor(h / m) + (0 if m divides h, else h mod m - 1 + D). */
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"
#include "lib/algorithms/torus.h"
#include "lib/schedule/arithmetic.h"

static const char restriction[] =
    "k at least 4, n = rows times columns up to 4096, both at least 3";

static const char *serves(const kp_problem *p)
{
    return kp_torus_serves(p) || p->k < 4 ? restriction : NULL;
}

/* One half of the block, and the position of one processor on the path of this half. For the first
 * half (across = 0) a line is a row, and its positions are columns. For the second half, with
 * across = 1, a line is a column, and its positions are rows. The root is at position 0 of line 0.
 * The half goes first to position 0 of all lines, in both directions. Then it goes along every line
 * except line 0. At last it goes from the last line to line 0. */
struct half {
    struct kp_torus torus;
    const kp_problem *problem;
    int across;
    int64_t lines, length;  /* the number of lines, and of positions on each line */
    int64_t line, position; /* the line and the position of this processor */
    int64_t first, bytes;   /* the half is the units first ... first + bytes - 1 of the block */
};

static int processor(const struct half *h, int64_t line, int64_t position)
{
    int64_t row = h->problem->root / h->torus.columns, column = h->problem->root % h->torus.columns;
    return kp_torus_at(h->torus, row + (h->across ? position : line),
                       column + (h->across ? line : position));
}

static int64_t along(const struct half *h, int64_t line)
{
    return kp_least(line, h->lines - line);
}

/* Returns the number of links over which the half travels from the root to this processor. */
static int64_t depth_of(const struct half *h)
{
    if (h->position == 0)
        return along(h, h->line);
    return h->line > 0 ? along(h, h->line) + h->position : h->position + 2;
}

/* Returns the processor that sends the half to this processor. */
static int source(const struct half *h)
{
    if (h->position == 0)
        return processor(h, h->line <= h->lines / 2 ? h->line - 1 : h->line + 1, 0);
    return processor(h, h->line > 0 ? h->line : -1, h->line > 0 ? h->position - 1 : h->position);
}

/* Stores in `to` the processors to which this processor sends the half. Returns their number. */
static int targets(const struct half *h, int to[3])
{
    int count = 0;
    if (h->position == 0) {
        if (h->line < h->lines / 2)
            to[count++] = processor(h, h->line + 1, 0);
        if (h->line == 0 ? h->lines > 2 : h->line > h->lines / 2 + 1)
            to[count++] = processor(h, h->line - 1, 0);
    }
    if (h->line > 0 && h->position + 1 < h->length)
        to[count++] = processor(h, h->line, h->position + 1);
    if (h->line == h->lines - 1 && h->position > 0)
        to[count++] = processor(h, 0, h->position);
    return count;
}

static struct half half_of(const kp_problem *p, int across)
{
    struct kp_torus torus = kp_torus_of(p->n);
    int64_t row = kp_mod(p->rank / torus.columns - p->root / torus.columns, torus.rows);
    int64_t column = kp_mod(p->rank % torus.columns - p->root % torus.columns, torus.columns);
    int64_t units = p->b > 1 ? (int64_t)p->b : 1, longer = (units + 1) / 2;
    return (struct half){.torus = torus,
                         .problem = p,
                         .across = across,
                         .lines = across ? torus.columns : torus.rows,
                         .length = across ? torus.rows : torus.columns,
                         .line = across ? column : row,
                         .position = across ? row : column,
                         .first = across ? longer : 0,
                         .bytes = across ? units - longer : longer};
}

/* Returns the piece that holds packet i of a half. The last packets may be one unit longer, and the
 * first packets may be empty. */
static kp_piece packet(const struct half *h, int64_t i)
{
    int64_t m = h->problem->values[0], length = h->bytes / m, longer = m - h->bytes % m;
    int64_t before = i > longer ? i - longer : 0;
    return kp_run_of(KP_IN, h->first + i * length + before, length + (i >= longer));
}

/* Writes this processor's messages of one half in a round, and returns the next free port. The
 * processor sends on the ports from `port` on, and receives on port h->across. */
static int build_half(kp_builder *b, const struct half *h, int64_t round, int port)
{
    int to[3], count = targets(h, to);
    int64_t leaving = round - depth_of(h), coming = leaving + 1, m = h->problem->values[0];
    int sends = leaving >= 0 && leaving < m && packet(h, leaving).run > 0 ? count : 0;
    for (int i = 0; i < sends; i++) {
        kp_build_send(b, port + i, to[i]);
        kp_build_piece(b, packet(h, leaving));
    }
    if (h->problem->rank != h->problem->root && coming >= 0 && coming < m &&
        packet(h, coming).run > 0) {
        kp_build_receive(b, h->across, source(h));
        kp_build_piece(b, packet(h, coming));
    }
    return port + sends;
}

static uint64_t depth(const kp_problem *p)
{
    struct kp_torus torus = kp_torus_of(p->n);
    return (uint64_t)((torus.rows > 4 ? torus.rows / 2 : 2) + torus.columns - 1);
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct half first = half_of(p, 0), second = half_of(p, 1);
    int64_t rounds = p->values[0] - 1 + (int64_t)depth(p);
    for (int64_t round = 0; round < rounds; round++) {
        kp_build_round(b);
        build_half(b, &second, round, build_half(b, &first, round, 0));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_problem half = *p;
    half.b = p->b - p->b / 2;
    kp_packets_cost(&half, depth(p), c1, c2);
}

static long most_packets(const kp_problem *p)
{
    kp_problem half = *p;
    half.b = p->b - p->b / 2;
    return kp_packets_high(&half);
}

static int splits(const kp_problem *p)
{
    return p->b > 1;
}

const kp_algorithm kp_broadcast_torus = {
    .operation = KP_BROADCAST,
    .name = "torus",
    .summary = "one half of the block row first, the other column first over a torus, in packets",
    .source = "Saad and Schultz 1986, section 3.2, grid, (3.19)",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {{.name = "packets",
                    .summary = "in how many packets each half of the block is cut",
                    .range = "1 ... min(b / 2, 4096, 2^20 / n)",
                    .low = kp_packets_low,
                    .high = most_packets}},
    .restriction = restriction,
    .serves = serves,
    .splits = splits,
    .build = build,
    .own_root = 1,
    .stated_cost = stated_cost,
};
