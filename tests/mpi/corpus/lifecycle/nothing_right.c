/* Nobody uses MPI at all.
 *
 * ranks: 2
 * goal: right
 */
#include <mpi.h>
#include <stdio.h>

int main(void)
{
    puts("Nothing to do.");
    return 0;
}
