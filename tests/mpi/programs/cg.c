/* Conjugate gradients for a line of springs: a product with a tridiagonal matrix by exchanges with
 * two neighbours, scalar products by MPI_Allreduce. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    UNKNOWNS = 512,
    MOST = 400
};

static int rank, size, first, mine;

static double dot(const double *a, const double *b)
{
    double sum = 0, total;
    for (int i = 1; i <= mine; i++)
        sum += a[i] * b[i];
    MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return total;
}

/* y = A x; the places beside x's own ones are filled from the neighbours. */
static void product(double *x, double *y)
{
    MPI_Request requests[4];
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
        right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    x[0] = x[mine + 1] = 0;
    MPI_Irecv(&x[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&x[mine + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&x[mine], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&x[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[3]);
    for (int i = 2; i < mine; i++)
        y[i] = 2.5 * x[i] - x[i - 1] - x[i + 1];
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    y[1] = 2.5 * x[1] - x[0] - x[2];
    y[mine] = 2.5 * x[mine] - x[mine - 1] - x[mine + 1];
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = UNKNOWNS * rank / size;
    mine = UNKNOWNS * (rank + 1) / size - first;
    double *v[4];
    for (int i = 0; i < 4; i++)
        v[i] = calloc(mine + 2, sizeof(double));
    double *x = v[0], *r = v[1], *p = v[2], *q = v[3];
    for (int i = 1; i <= mine; i++)
        r[i] = p[i] = 1 + (first + i) % 5;
    double rr = dot(r, r), start = rr;
    int steps = 0;
    for (; steps < MOST && rr > 1e-20 * start; steps++) {
        product(p, q);
        double alpha = rr / dot(p, q), old = rr;
        for (int i = 1; i <= mine; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        rr = dot(r, r);
        for (int i = 1; i <= mine; i++)
            p[i] = r[i] + rr / old * p[i];
    }
    double energy = dot(x, x);
    product(x, q);
    double error = 0, worst;
    for (int i = 1; i <= mine; i++)
        error = fmax(error, fabs(q[i] - (1 + (first + i) % 5)));
    MPI_Reduce(&error, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("cg: %s, |x| = %.8f, %s\n", steps < MOST ? "converged" : "DIVERGED", sqrt(energy),
               worst < 1e-8 ? "solved" : "WRONG");
    for (int i = 0; i < 4; i++)
        free(v[i]);
    MPI_Finalize();
    return 0;
}
