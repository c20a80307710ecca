/* Broadcast on a torus in two halves, in packets.
 *
 * Source: Saad and Schultz 1986, section 3.2, (3.19): one half of the data spreads row first, the
 * other column first. As printed the processors of the root's row and column lack one half, and
 * the remedy given sends it over links that still carry the other one. Here each half goes down
 * (along) its lines in one direction only; the link that closes each line is free then, and brings
 * the half to the root's row (column). So every link carries one half, in one direction. Serves k
 * >= 4 and n = rows times columns, as near to each other as n allows, both at least 3.
 *
 * How it works. Rows and columns are counted from the root's. One half goes along row 0 both ways,
 * from there down all other columns to the last row, and from the last column's processors to
 * column 0. The other half does the same with rows and columns exchanged. A processor passes a
 * packet on in the round after it came.
 *
 * Cost. The half that spreads column first has the greater depth, D = max(floor(rows / 2), 2) +
 * columns - 1,
 * and the odd byte: h = ceil(b / 2) bytes (a block of one byte or none is not cut). With m packets
 * in each half, C1 = m - 1 + D, C2 = C1 floor(h / m) + (0 if m divides h, else h mod m - 1 + D). */
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

/* One half as a processor sees it. Line 0 is the one it goes along first: the root's column for the
 * first half (across = 0), the root's row for the second. */
struct half {
    struct kp_torus torus;
    const kp_problem *problem;
    int across;
    int64_t lines, length; /* how many lines cross line 0, and the places on each */
    int64_t line, place;   /* of this processor */
    int64_t first, bytes;  /* of the block, in units */
};

static int processor(const struct half *h, int64_t line, int64_t place)
{
    int64_t row = h->problem->root / h->torus.columns, column = h->problem->root % h->torus.columns;
    return kp_torus_at(h->torus, row + (h->across ? place : line),
                       column + (h->across ? line : place));
}

static int64_t along(const struct half *h, int64_t line)
{
    return kp_least(line, h->lines - line);
}

/* Links from the root. Place 0 of a line that is not the first is reached over line 0; the places
 * of line 0 over the last line. */
static int64_t depth_of(const struct half *h)
{
    if (h->place == 0)
        return along(h, h->line);
    return h->line > 0 ? along(h, h->line) + h->place : h->place + 2;
}

/* From which place on which line a processor gets the half. */
static int source(const struct half *h)
{
    if (h->place == 0)
        return processor(h, h->line <= h->lines / 2 ? h->line - 1 : h->line + 1, 0);
    return processor(h, h->line > 0 ? h->line : -1, h->line > 0 ? h->place - 1 : h->place);
}

/* To whom it goes on: at most three. */
static int targets(const struct half *h, int to[3])
{
    int count = 0;
    if (h->place == 0) {
        if (h->line < h->lines / 2)
            to[count++] = processor(h, h->line + 1, 0);
        if (h->line == 0 ? h->lines > 2 : h->line > h->lines / 2 + 1)
            to[count++] = processor(h, h->line - 1, 0);
    }
    if (h->line > 0 && h->place + 1 < h->length)
        to[count++] = processor(h, h->line, h->place + 1);
    if (h->line == h->lines - 1 && h->place > 0)
        to[count++] = processor(h, 0, h->place);
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
                         .place = across ? row : column,
                         .first = across ? longer : 0,
                         .bytes = across ? units - longer : longer};
}

/* Packet i of a half; the last ones are longer, the first ones may be empty. */
static kp_piece packet(const struct half *h, int64_t i)
{
    int64_t m = h->problem->values[0], length = h->bytes / m, longer = m - h->bytes % m;
    int64_t before = i > longer ? i - longer : 0;
    return kp_run_of(KP_IN, h->first + i * length + before, length + (i >= longer));
}

/* Ports: the first half sends on 0, 1, 2, the second on what is left, and receives on 1. */
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
