/* C++20's std::barrier around copies. */
#include "place.h"
#include "serve.h"

#include <barrier>
#include <thread>
#include <vector>

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    std::vector<member_times> times(static_cast<size_t>(n));
    std::barrier<> barrier(n), of_half[2]{std::barrier<>(n / 2), std::barrier<>(n / 2)};
    std::vector<std::thread> threads;
    for (int rank = 0; rank < n; rank++)
        threads.emplace_back([&, rank] {
            take_place(&request->job, rank);
            std::barrier<> *own = request->job.halves ? &of_half[rank / (n / 2)] : &barrier;
            RUN_MEMBER(request, arena, rank, &times[static_cast<size_t>(rank)],
                       barrier.arrive_and_wait(), own->arrive_and_wait());
        });
    for (std::thread &thread : threads)
        thread.join();
    join_times(&request->job, times.data(), n, reply);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
