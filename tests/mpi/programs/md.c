/* Molecular dynamics: atoms with the forces of Lennard-Jones in a periodic box, which is cut into
 * slabs. Atoms move to other ranks, and each rank has copies of its neighbours' atoms near by. The
 * forces on an atom are added in the order of the other atoms' numbers, so the result does not
 * depend on the number of ranks by a single bit. */
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 12, /* atoms along the box; two other sides have fewer */
    DEPTH = 4,
    ATOMS = SIDE * DEPTH * DEPTH,
    STEPS = 100
};

#define SPACING  1.2
#define CUTOFF   2.0
#define TIMESTEP 0.004

struct atom {
    double at[3], speed[3], force[3];
    int64_t number;
};

static const double box[3] = {SIDE * SPACING, DEPTH *SPACING, DEPTH *SPACING};
static int rank, size, count;
static struct atom atoms[ATOMS];
static MPI_Datatype atom_type;

static int owner(const struct atom *atom)
{
    int slab = (int)(atom->at[0] / box[0] * size);
    return slab < size ? slab : size - 1;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = ((const struct atom *)a)->number, y = ((const struct atom *)b)->number;
    return (x > y) - (x < y);
}

static void make_type(void)
{
    int lengths[] = {9, 1};
    MPI_Aint places[] = {offsetof(struct atom, at), offsetof(struct atom, number)};
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT64_T}, bare;
    MPI_Type_create_struct(2, lengths, places, types, &bare);
    MPI_Type_create_resized(bare, 0, sizeof(struct atom), &atom_type);
    MPI_Type_commit(&atom_type);
    MPI_Type_free(&bare);
}

static void place_atoms(void)
{
    uint32_t seed = 4711;
    for (int i = 0; i < ATOMS; i++) {
        struct atom atom = {.number = i};
        int cell[] = {i / (DEPTH * DEPTH), i / DEPTH % DEPTH, i % DEPTH};
        for (int d = 0; d < 3; d++) {
            seed = seed * 1664525u + 1013904223u;
            atom.at[d] = (cell[d] + 0.5) * SPACING;
            atom.speed[d] = (seed >> 8) / 4194304.0 - 2;
        }
        if (owner(&atom) == rank)
            atoms[count++] = atom;
    }
}

/* Each atom goes to the rank of its slab. */
static void migrate(void)
{
    int *counts = calloc(4 * (size_t)size, sizeof *counts), *places = counts + size,
        *in_counts = places + size, *in_places = in_counts + size, in = 0;
    struct atom *sorted = malloc((count + 1) * sizeof *sorted);
    for (int i = 0; i < count; i++)
        counts[owner(&atoms[i])]++;
    for (int r = 1; r < size; r++)
        places[r] = places[r - 1] + counts[r - 1];
    for (int i = 0; i < count; i++)
        sorted[places[owner(&atoms[i])]++] = atoms[i];
    for (int r = 0; r < size; r++)
        places[r] -= counts[r];
    MPI_Alltoall(counts, 1, MPI_INT, in_counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int r = 0; r < size; r++) {
        in_places[r] = in;
        in += in_counts[r];
    }
    MPI_Alltoallv(sorted, counts, places, atom_type, atoms, in_counts, in_places, atom_type,
                  MPI_COMM_WORLD);
    count = in;
    free(counts);
    free(sorted);
}

/* Passes atoms along, once in each direction for every slab that the cutoff reaches. Returns how
 * many atoms are known then; those of other ranks stand behind the own ones. */
static int fetch_others(struct atom *known)
{
    int reach = (int)ceil(CUTOFF / (box[0] / size)), total = count;
    memcpy(known, atoms, count * sizeof *known);
    for (int way = 0; way < 2; way++) {
        int to = (rank + (way ? size - 1 : 1)) % size, from = (rank + (way ? 1 : size - 1)) % size;
        int first = 0, passed = count;
        for (int hop = 0; hop < reach && 2 * hop + way < size - 1; hop++) {
            MPI_Request sent;
            MPI_Status status;
            MPI_Isend(known + first, passed, atom_type, to, hop, MPI_COMM_WORLD, &sent);
            MPI_Probe(from, hop, MPI_COMM_WORLD, &status);
            first = total;
            MPI_Get_count(&status, atom_type, &passed);
            MPI_Recv(known + first, passed, atom_type, from, hop, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            total += passed;
            MPI_Wait(&sent, MPI_STATUS_IGNORE);
        }
    }
    return total;
}

static void push(struct atom *atom, const struct atom *other)
{
    double apart[3], square = 0;
    for (int d = 0; d < 3; d++) {
        apart[d] = atom->at[d] - other->at[d];
        apart[d] -= box[d] * rint(apart[d] / box[d]);
        square += apart[d] * apart[d];
    }
    if (square >= CUTOFF * CUTOFF)
        return;
    double inverse = 1 / square, sixth = inverse * inverse * inverse;
    for (int d = 0; d < 3; d++)
        atom->force[d] += 48 * inverse * sixth * (sixth - 0.5) * apart[d];
}

static void find_forces(void)
{
    static struct atom known[ATOMS];
    int total = fetch_others(known);
    qsort(known, total, sizeof *known, by_number);
    for (int i = 0; i < count; i++) {
        memset(atoms[i].force, 0, sizeof atoms[i].force);
        for (int j = 0; j < total; j++) {
            if (known[j].number != atoms[i].number)
                push(&atoms[i], &known[j]);
        }
    }
}

static void move(struct atom *atom)
{
    for (int d = 0; d < 3; d++) {
        atom->speed[d] += 0.5 * TIMESTEP * atom->force[d];
        atom->at[d] = fmod(atom->at[d] + TIMESTEP * atom->speed[d] + box[d], box[d]);
    }
}

int main(int argc, char **argv)
{
    uint64_t sum = 0, total;
    double push_of[3] = {0}, momentum[3];
    int all, moved = 0, moves;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_type();
    place_atoms();
    find_forces();
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < count; i++) {
            move(&atoms[i]);
            moved += owner(&atoms[i]) != rank;
        }
        migrate();
        find_forces();
        for (int i = 0; i < count; i++) {
            for (int d = 0; d < 3; d++)
                atoms[i].speed[d] += 0.5 * TIMESTEP * atoms[i].force[d];
        }
    }
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        for (int d = 0; d < 3; d++) {
            memcpy(&bits, &atoms[i].at[d], sizeof bits);
            sum += (bits ^ (uint64_t)(3 * atoms[i].number + d)) * UINT64_C(0x9e3779b97f4a7c15);
            push_of[d] += atoms[i].speed[d];
        }
    }
    MPI_Reduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(push_of, momentum, 3, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&count, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&moved, &moves, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("md: %d atoms%s, places %016llx, momentum %.6f %.6f %.6f\n", all,
               all != ATOMS || (size > 1 && moves == 0) ? " WRONG" : "", (unsigned long long)total,
               momentum[0], momentum[1], momentum[2]);
    MPI_Type_free(&atom_type);
    MPI_Finalize();
    return 0;
}
