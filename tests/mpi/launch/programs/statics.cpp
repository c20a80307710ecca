/* C++: objects of which a program has one, whatever the number of its parts; their ends; the
 * streams. */
#include <cstdlib>
#include <iostream>
#include <mpi.h>
#include <stdexcept>
#include <string>

inline int &counter()
{
    static int count;
    return count;
}

template <class T> struct Of {
    static int value;
};
template <class T> int Of<T>::value;

struct Loud {
    int rank = -1;
    ~Loud()
    {
        std::cout << "destroyed " << rank << std::endl;
    }
};

static Loud loud;

int main(int argc, char **argv)
{
    int rank;
    std::string caught;
    std::ios_base::sync_with_stdio(false);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    counter() = Of<int>::value = loud.rank = rank;
    static Loud inside;
    inside.rank = 100 + rank;
    std::cout << "rank " << rank;
    ::MPI_Barrier(MPI_COMM_WORLD);
    try {
        throw std::runtime_error("caught");
    } catch (const std::exception &error) {
        caught = error.what();
    }
    bool right = counter() == rank && Of<int>::value == rank;
    std::cout << (right ? " right " : " wrong ") << caught << std::endl;
    MPI_Finalize();
    if (rank == 1)
        exit(0);
}
