/* A contestant of the benchmark: C++20's std::barrier. Each thread copies data between two
 * barriers. */
#include "../apps/whole.h"
#include "../serve.h"
#include "pin.h"

#include <barrier>
#include <thread>
#include <vector>

static void meet(void *barrier)
{
    static_cast<std::barrier<> *>(barrier)->arrive_and_wait();
}

/* Runs all members as threads. `team` is the team of a whole program, or null. */
static void run(const struct request *request, const struct arena *arena,
                const struct whole_team *team, std::barrier<> &barrier,
                std::vector<member_times> &times)
{
    int n = request->job.n;
    std::barrier<> of_half[2]{std::barrier<>(n / 2), std::barrier<>(n / 2)};
    std::vector<std::thread> threads;
    for (int rank = 0; rank < n; rank++)
        threads.emplace_back([&, rank] {
            member_times &own = times[static_cast<size_t>(rank)];
            std::barrier<> *half = request->job.halves ? &of_half[rank / (n / 2)] : &barrier;
            pin_self(&request->job, rank);
            if (team)
                whole_times(team, &team->talks[rank], request, &own);
            else
                RUN_MEMBER(request, arena, rank, &own, barrier.arrive_and_wait(),
                           half->arrive_and_wait());
        });
    for (std::thread &thread : threads)
        thread.join();
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    std::vector<member_times> times(static_cast<size_t>(request->job.n));
    std::barrier<> barrier(request->job.n);
    struct sharing sharing = {meet, &barrier, nullptr};
    struct whole_team team = {};
    bool whole = request->job.operation == WHOLE;
    if (whole && !whole_open_shared(&team, request, &sharing)) {
        reply->status = NO_MEMORY;
    } else {
        run(request, arena, whole ? &team : nullptr, barrier, times);
        join_times(&request->job, times.data(), request->job.n, reply);
        if (whole)
            whole_verify(&team, request, reply);
    }
    if (whole)
        whole_close_shared(&team, &sharing);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
