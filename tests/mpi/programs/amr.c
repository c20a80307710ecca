/* An adaptive mesh: a pulse moves round a ring of blocks. A block is split where the pulse is
 * steep, and two blocks become one where it is flat; neighbours differ by one level at most. Blocks
 * are shared out along the ring again after each change. Nothing depends on the number of ranks by
 * a single bit. */
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOTS = 16,
    CELLS = 8,
    LEVELS = 4,
    MOST = ROOTS << LEVELS,
    CHANGES = 12,
    STEPS = 6 /* between changes */
};

struct block {
    int32_t level, index;
    double cell[CELLS];
};

/* A change of the list of blocks: the new block comes from one old block or from two. */
struct change {
    int32_t level, index, from, count;
};

static int rank, size, count, total;
static struct block *blocks;
static MPI_Datatype block_type;

/* The first of those `of` blocks that a rank has. */
static int first_of(int r, int of)
{
    return (int)((int64_t)of * r / size);
}

static int owner(int i, int of)
{
    int r = (int)((int64_t)i * size / of);
    while (first_of(r + 1, of) <= i)
        r++;
    return r;
}

static void make_type(void)
{
    int lengths[] = {2, CELLS};
    MPI_Aint places[] = {offsetof(struct block, level), offsetof(struct block, cell)};
    MPI_Datatype types[] = {MPI_INT32_T, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, types, &block_type);
    MPI_Type_commit(&block_type);
}

static double pulse(double x)
{
    return 1 + exp(-300 * (x - 0.3) * (x - 0.3));
}

/* -1, 0 or 1: the block should become one with its sibling, stay, or be split. */
static int wish(const struct block *b)
{
    double most = 0;
    for (int i = 1; i < CELLS; i++)
        most = fmax(most, fabs(b->cell[i] - b->cell[i - 1]));
    return most > 0.02 ? b->level < LEVELS : most < 0.004 && b->level > 0 ? -1 : 0;
}

/* Raises wishes until neighbours fit and siblings agree. */
static void agree(const int (*all)[3], int *levels)
{
    for (int again = 1; again;) {
        again = 0;
        for (int i = 0; i < total; i++) {
            int left = levels[(i + total - 1) % total], right = levels[(i + 1) % total];
            int least = (left > right ? left : right) - 1;
            if (levels[i] < all[i][0]) {
                int other = all[i][1] % 2 ? i - 1 : i + 1;
                int pair = other >= 0 && other < total && all[other][0] == all[i][0] &&
                           all[other][1] / 2 == all[i][1] / 2 && levels[other] == levels[i];
                least = pair ? least : all[i][0];
            }
            if (levels[i] < least) {
                levels[i] = least > all[i][0] ? all[i][0] + 1 : least;
                again = 1;
            }
        }
    }
}

/* Every rank works out the whole new list. */
static int plan(struct change *changes)
{
    int mine[MOST][3], all[MOST][3], levels[MOST], counts[MOST], places[MOST], made = 0;
    for (int i = 0; i < count; i++) {
        mine[i][0] = blocks[i].level;
        mine[i][1] = blocks[i].index;
        mine[i][2] = wish(&blocks[i]);
    }
    for (int r = 0; r < size; r++) {
        places[r] = 3 * first_of(r, total);
        counts[r] = 3 * first_of(r + 1, total) - places[r];
    }
    MPI_Allgatherv(mine, 3 * count, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < total; i++)
        levels[i] = all[i][0] + all[i][2];
    agree((const int(*)[3])all, levels);
    for (int i = 0; i < total; i++) {
        int level = all[i][0], index = all[i][1];
        if (levels[i] > level) {
            changes[made++] = (struct change){level + 1, 2 * index, i, 1};
            changes[made++] = (struct change){level + 1, 2 * index + 1, i, 1};
        } else if (levels[i] < level) {
            changes[made++] = (struct change){level - 1, index / 2, i++, 2};
        } else {
            changes[made++] = (struct change){level, index, i, 1};
        }
    }
    return made;
}

static void make_block(struct block *b, const struct change *change, const struct block *old)
{
    *b = (struct block){.level = change->level, .index = change->index};
    for (int i = 0; i < CELLS; i++) {
        if (change->level > old->level)
            b->cell[i] = old->cell[(change->index % 2 * CELLS + i) / 2];
        else if (change->level < old->level)
            b->cell[i] = 0.5 * (old[2 * i / CELLS].cell[2 * i % CELLS] +
                                old[2 * i / CELLS].cell[2 * i % CELLS + 1]);
        else
            b->cell[i] = old->cell[i];
    }
}

/* Every rank gets the old blocks that its new ones come from, and makes the new ones. */
static void change_mesh(void)
{
    static struct change changes[MOST];
    int made = plan(changes), begin = first_of(rank, made), end = first_of(rank + 1, made);
    int start = first_of(rank, total), requests_made = 0, in = 0;
    struct block *old = malloc((2 * (size_t)(end - begin) + 1) * sizeof *old);
    struct block *fresh = malloc(((size_t)(end - begin) + 1) * sizeof *fresh);
    MPI_Request *requests = malloc((2 * MOST + 2 * (size_t)(end - begin) + 1) * sizeof *requests);
    for (int i = 0; i < made; i++) {
        for (int k = 0; k < changes[i].count; k++) {
            int from = changes[i].from + k;
            if (i >= begin && i < end)
                MPI_Irecv(&old[in++], 1, block_type, owner(from, total), 2 * i + k, MPI_COMM_WORLD,
                          &requests[requests_made++]);
            if (from >= start && from < start + count)
                MPI_Isend(&blocks[from - start], 1, block_type, owner(i, made), 2 * i + k,
                          MPI_COMM_WORLD, &requests[requests_made++]);
        }
    }
    MPI_Waitall(requests_made, requests, MPI_STATUSES_IGNORE);
    for (int i = begin, from = 0; i < end; from += changes[i++].count)
        make_block(&fresh[i - begin], &changes[i], &old[from]);
    free(blocks);
    free(old);
    free(requests);
    blocks = fresh;
    count = end - begin;
    total = made;
}

/* The last cell before each own block; all ranks tell theirs, and the smallest width of a cell. */
static double find_edges(double *edges)
{
    double last[2] = {0, 1}, *all = malloc(2 * (size_t)size * sizeof *all), width = 1;
    for (int i = 0; i < count; i++) {
        last[0] = blocks[i].cell[CELLS - 1];
        last[1] = fmin(last[1], 1.0 / (CELLS * (ROOTS << blocks[i].level)));
    }
    MPI_Allgather(last, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++)
        width = fmin(width, all[2 * r + 1]);
    if (count > 0)
        edges[0] = all[2 * owner((first_of(rank, total) + total - 1) % total, total)];
    for (int i = 1; i < count; i++)
        edges[i] = blocks[i - 1].cell[CELLS - 1];
    free(all);
    return width;
}

static void advance(void)
{
    double edges[MOST], step = 0.9 * find_edges(edges);
    for (int i = 0; i < count; i++) {
        double width = 1.0 / (CELLS * (ROOTS << blocks[i].level)), before = edges[i];
        for (int k = 0; k < CELLS; k++) {
            double here = blocks[i].cell[k];
            blocks[i].cell[k] -= step / width * (here - before);
            before = here;
        }
    }
}

int main(int argc, char **argv)
{
    int most = 0, deepest;
    double mass = 0, all, start = 0;
    uint64_t sum = 0, sums;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_type();
    total = ROOTS;
    count = first_of(rank + 1, total) - first_of(rank, total);
    blocks = calloc((size_t)count + 1, sizeof *blocks);
    for (int i = 0; i < ROOTS * CELLS; i++) {
        int b = i / CELLS - first_of(rank, total);
        double value = pulse((i + 0.5) / (ROOTS * CELLS));
        start += value / (ROOTS * CELLS);
        if (b >= 0 && b < count) {
            blocks[b].index = i / CELLS;
            blocks[b].cell[i % CELLS] = value;
        }
    }
    for (int change = 0; change < CHANGES; change++) {
        change_mesh();
        for (int step = 0; step < STEPS; step++)
            advance();
    }
    for (int i = 0; i < count; i++) {
        most = blocks[i].level > most ? blocks[i].level : most;
        for (int k = 0; k < CELLS; k++) {
            uint64_t bits;
            memcpy(&bits, &blocks[i].cell[k], sizeof bits);
            sum += (bits ^ (uint64_t)(blocks[i].index * CELLS + k)) * UINT64_C(0x9e3779b97f4a7c15);
            mass += blocks[i].cell[k] / (CELLS * (ROOTS << blocks[i].level));
        }
    }
    MPI_Reduce(&most, &deepest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mass, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sum, &sums, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("amr: %d blocks, levels 0 ... %d, mass %.9f%s, cells %016llx\n", total, deepest, all,
               deepest == LEVELS && fabs(all - start) < 0.01 ? "" : " WRONG",
               (unsigned long long)sums);
    free(blocks);
    MPI_Type_free(&block_type);
    MPI_Finalize();
    return 0;
}
