/* Allreduce by recursive doubling, generalized to k ports and any n. It combines operands in the
 * order of the ranks, so the operator need not be commutative.
 *
 * Source: folklore. The exchange is that of concat_recursive_doubling.c (Bruck et al. 1997, section
 * 4, references 4 and 20), with sums instead of blocks. The first and the last round are from
 * Thakur, Rabenseifner and Gropp 2005, whose algorithm is for k = 1.
 *
 * How it works. A sum is a combination of operands. Let N = (k + 1)^d be the largest power of k + 1
 * that is at most n. If n > N, the lowest ranks form ceil((n - N) / k) teams of at most k + 1
 * consecutive ranks. In the first round the first member of each team receives the operands of the
 * other members and combines all of them. The other members wait until the last round. Now N
 * processors remain. These processors are numbered in the order of their ranks, and the numbers are
 * written in radix k + 1. In each of the next d rounds, t = 0 ... d - 1, the k + 1 processors whose
 * numbers differ only in digit t send each other their sums. Each of them combines the k + 1 sums
 * from the lowest digit to the highest. So all processors compute the same result, bit for bit. In
 * the last round the first member of each team sends the result to the other members. A round must
 * not overwrite data that it sends, so the sum alternates between the incoming buffer and scratch.
 *
 * Cost. C1 = d if n = N, else d + 2. C2 = b C1. */
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

struct folding {
    int64_t rounds; /* d */
    int64_t power;  /* N */
    int64_t extra;  /* n - N */
    int64_t teams;
};

static struct folding folding_of(const kp_problem *p)
{
    struct folding f = {.power = 1};
    while (f.power * (p->k + 1) <= p->n) {
        f.power *= p->k + 1;
        f.rounds++;
    }
    f.extra = p->n - f.power;
    f.teams = (int64_t)kp_ceil_div((uint64_t)f.extra, (uint64_t)p->k);
    return f;
}

/* `rank_of` returns the rank of the remaining processor with this number. `members_of` returns the
 * size of the team of that processor, or 1 if the processor has no team. */
static int64_t rank_of(const kp_problem *p, const struct folding *f, int64_t number)
{
    return number < f->teams ? number * (p->k + 1) : number + f->extra;
}

static int64_t members_of(const kp_problem *p, const struct folding *f, int64_t number)
{
    return number < f->teams ? kp_least(p->k, f->extra - number * p->k) + 1 : 1;
}

static int64_t number_of(const kp_problem *p, const struct folding *f, int64_t rank)
{
    int64_t folded = f->extra + f->teams;
    return rank < folded ? rank / (p->k + 1) : rank - f->extra;
}

/* Returns where the sum lies before round t = 0 ... d - 1 of the exchanges. For t = d it returns
 * where the last sum lies, which is the incoming buffer. */
static kp_piece sum_before(const struct folding *f, int64_t t)
{
    return kp_run_of((f->rounds - t) % 2 == 0 ? KP_IN : KP_SCRATCH, 0, 1);
}

static void combine(kp_builder *b, int port, int64_t peer, kp_combining side, kp_piece to,
                    kp_piece operand)
{
    kp_build_combine(b, port, (int)peer, side);
    kp_build_piece(b, to);
    kp_build_operand(b, operand);
}

static void build_fold(kp_builder *b, const kp_problem *p, const struct folding *f, int64_t number)
{
    int64_t first = rank_of(p, f, number);
    kp_piece own = kp_run_of(KP_OUT, 0, 1), sum = sum_before(f, 0);
    kp_build_round(b);
    if (p->rank != first) {
        kp_build_send(b, 0, (int)first);
        kp_build_piece(b, own);
        return;
    }
    for (int i = 1; i < members_of(p, f, number); i++)
        combine(b, i - 1, first + i, KP_RIGHT, sum, i == 1 ? own : sum);
}

static void receive(kp_builder *b, int port, int64_t peer, kp_piece to)
{
    kp_build_receive(b, port, (int)peer);
    kp_build_piece(b, to);
}

/* Writes the exchange with the k processors whose numbers differ from `number` only in the digit of
 * weight `weight`. The new sum `to` has to combine the k + 1 sums in the order of this digit. The
 * sums from processors with a lower digit arrive on the lower ports and are combined first. Then
 * this processor's own sum is added. The sums from processors with a higher digit wait in scratch
 * until then. If this processor's digit is 0, no sum has to wait. */
static void build_exchange(kp_builder *b, const kp_problem *p, const struct folding *f,
                           int64_t number, int64_t weight, kp_piece from, kp_piece to)
{
    int64_t radix = p->k + 1, digit = number / weight % radix, zero = number - digit * weight;
    for (int64_t port = 0; port < p->k; port++) {
        int64_t other = port < digit ? port : port + 1;
        int64_t peer = rank_of(p, f, zero + other * weight);
        kp_build_send(b, (int)port, (int)peer);
        kp_build_piece(b, from);
        if (digit == 0)
            combine(b, (int)port, peer, KP_RIGHT, to, port ? to : from);
        else if (other > digit)
            receive(b, (int)port, peer, kp_run_of(KP_SCRATCH, other, 1));
        else if (port > 0)
            combine(b, (int)port, peer, KP_RIGHT, to, to);
        else
            receive(b, (int)port, peer, to);
    }
    if (digit > 0)
        kp_build_fold(b, from, to, KP_RIGHT);
    for (int64_t other = digit + 1; digit > 0 && other < radix; other++)
        kp_build_fold(b, kp_run_of(KP_SCRATCH, other, 1), to, KP_RIGHT);
}

static void build_unfold(kp_builder *b, const kp_problem *p, const struct folding *f,
                         int64_t number)
{
    int64_t first = rank_of(p, f, number);
    kp_build_round(b);
    for (int i = 1; p->rank == first && i < members_of(p, f, number); i++) {
        kp_build_send(b, i - 1, (int)first + i);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
    if (p->rank != first) {
        kp_build_receive(b, 0, (int)first);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct folding f = folding_of(p);
    int64_t number = number_of(p, &f, p->rank), weight = 1;
    bool leads = rank_of(p, &f, number) == p->rank;
    kp_piece from = kp_run_of(KP_OUT, 0, 1);
    kp_build_scratch(b, p->k > 1 ? p->k + 1 : 1);
    if (p->n == 1)
        kp_build_move(b, from, kp_run_of(KP_IN, 0, 1));
    if (f.extra > 0)
        build_fold(b, p, &f, number);
    if (members_of(p, &f, number) > 1)
        from = sum_before(&f, 0);
    for (int64_t t = 0; t < f.rounds; t++, weight *= p->k + 1) {
        kp_build_round(b);
        if (leads)
            build_exchange(b, p, &f, number, weight, from, sum_before(&f, t + 1));
        from = sum_before(&f, t + 1);
    }
    if (f.extra > 0)
        build_unfold(b, p, &f, number);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    struct folding f = folding_of(p);
    *c1 = (uint64_t)f.rounds + (f.extra > 0 ? 2 : 0);
    *c2 = kp_times(p->b, *c1);
}

const kp_algorithm kp_allreduce_recursive_doubling = {
    .operation = KP_ALLREDUCE,
    .name = "recursive-doubling",
    .summary = "k + 1 neighbours in one digit exchange their sums; any operator",
    .source = "folklore; Bruck et al. 1997, section 4, references 4 and 20; Thakur et al. 2005",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
    .same_order = 1,
};
