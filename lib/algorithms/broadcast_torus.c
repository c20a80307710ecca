/* Broadcast on a torus in two halves, in packets.
 *
 * Source: Saad and Schultz 1986, section 3.2, (3.19). One half of the data spreads along the rows
 * first, the other half along the columns first. As printed, the processors of the root's row and
 * column lack one half, and the printed remedy sends it over links that still carry the other half.
 * Here each half goes along its lines in one direction only. So the link that closes each line is
 * free, and it brings the half to the root's row or column. Every link carries one half, in one
 * direction. Serves k >= 4 and n = rows times columns, as near to each other as n allows, both at
 * least 3.
 *
 * How it works. Rows and columns are counted from the root's. One half goes along row 0 in both
 * directions, from there down all other columns to the last row, and from the processors of the
 * last column to those of column 0. The other half does the same with rows and columns exchanged. A
 * processor passes a packet on in the round after it received the packet.
 *
 * Cost. The half that spreads column first has the greater depth, D = max(floor(rows / 2),
 * 2) + columns - 1. It also has the odd byte, so it has h = ceil(b / 2) bytes. A block of at most
 * one byte is not cut. With m packets in each half C1 = m - 1 + D, C2 = C1 floor(h / m) + (0 if m
 * divides h, else h mod m - 1 + D). */
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

/* One half, as one processor sees it. The half goes along line 0 first. Line 0 is the root's column
 * for the first half (across = 0) and the root's row for the second. */
struct half {
    struct kp_torus torus;
    const kp_problem *problem;
    int across;
    int64_t lines, length; /* the number of lines that cross line 0, and of places on each */
    int64_t line, place;   /* line and place of this processor */
    int64_t first, bytes;  /* the part of the block that is this half, in units */
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

/* Returns the number of links from the root. The half reaches place 0 of the other lines over line
 * 0, and the places of line 0 over the last line. */
static int64_t depth_of(const struct half *h)
{
    if (h->place == 0)
        return along(h, h->line);
    return h->line > 0 ? along(h, h->line) + h->place : h->place + 2;
}

/* Returns the processor from which this processor receives the half. */
static int source(const struct half *h)
{
    if (h->place == 0)
        return processor(h, h->line <= h->lines / 2 ? h->line - 1 : h->line + 1, 0);
    return processor(h, h->line > 0 ? h->line : -1, h->line > 0 ? h->place - 1 : h->place);
}

/* Sets `to` to the processors that receive the half from this one, and returns how many they are.
 */
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

/* Returns the place of packet i of a half. The last packets are longer; the first may be empty. */
static kp_piece packet(const struct half *h, int64_t i)
{
    int64_t m = h->problem->values[0], length = h->bytes / m, longer = m - h->bytes % m;
    int64_t before = i > longer ? i - longer : 0;
    return kp_run_of(KP_IN, h->first + i * length + before, length + (i >= longer));
}

/* Writes one half's messages. The first half sends on ports from 0 on, the second on the ports
 * after these. Half `across` receives on port `across`. Returns the next free port. */
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
