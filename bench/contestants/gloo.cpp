/* A contestant of the benchmark: the library gloo. Its ranks are threads that communicate by TCP
 * over the loopback interface, as in gloo's own tests.
 *
 * As in MPI, calls with a root do not wait for all ranks. If each call must be complete
 * everywhere, gloo's barrier follows the call. */
#include "../serve.h"
#include "pin.h"

#include <gloo/allgather.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/gather.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/hash_store.h>
#include <gloo/scatter.h>
#include <gloo/transport/tcp/device.h>
#include <map>
#include <thread>
#include <vector>

using context = std::shared_ptr<gloo::rendezvous::Context>;

static std::vector<context> connect(int n)
{
    gloo::rendezvous::HashStore store;
    auto device = gloo::transport::tcp::CreateDevice("localhost");
    std::vector<context> contexts;
    std::vector<std::thread> threads;
    for (int rank = 0; rank < n; rank++)
        contexts.push_back(std::make_shared<gloo::rendezvous::Context>(rank, n));
    for (context &one : contexts)
        threads.emplace_back([&] { one->connectFullMesh(store, device); });
    for (std::thread &thread : threads)
        thread.join();
    return contexts;
}

/* Returns the contexts of n ranks. The first call for an n connects the ranks. */
static const std::vector<context> &contexts_of(int n)
{
    static std::map<int, std::vector<context>> known;
    auto found = known.find(n);
    if (found == known.end())
        found = known.emplace(n, connect(n)).first;
    return found->second;
}

/* --- One call of one rank --- */

static void wait_for_all(const context &c)
{
    gloo::BarrierOptions options(c);
    gloo::barrier(options);
}

template <typename Options>
static Options options_of(const context &c, char *out, size_t out_bytes, char *in, size_t in_bytes)
{
    Options options(c);
    options.setInput(out, out_bytes);
    options.setOutput(in, in_bytes);
    return options;
}

static void scatter(const context &c, const struct job *job, char *out, char *in)
{
    gloo::ScatterOptions options(c);
    std::vector<char *> blocks;
    for (int i = 0; i < job->n && c->rank == job->root; i++)
        blocks.push_back(out + static_cast<size_t>(i) * job->b);
    options.setInputs(blocks, job->b);
    options.setOutput(in, job->b);
    options.setRoot(job->root);
    gloo::scatter(options);
}

static void gather(const context &c, const struct job *job, char *out, char *in)
{
    gloo::GatherOptions options(c);
    options.setInput(out, job->b);
    if (c->rank == job->root)
        options.setOutput(in, job->b * static_cast<size_t>(job->n));
    options.setRoot(job->root);
    gloo::gather(options);
}

static void call(const context &c, const struct job *job, char *out, char *in)
{
    size_t b = job->b, all = b * static_cast<size_t>(job->n);
    if (job->operation == INDEX) {
        auto options = options_of<gloo::AlltoallOptions>(c, out, all, in, all);
        gloo::alltoall(options);
    } else if (job->operation == CONCAT) {
        auto options = options_of<gloo::AllgatherOptions>(c, out, b, in, all);
        gloo::allgather(options);
    } else if (job->operation == BROADCAST) {
        gloo::BroadcastOptions options(c);
        options.setOutput(in, b);
        options.setRoot(job->root);
        gloo::broadcast(options);
    } else if (job->operation == SCATTER) {
        scatter(c, job, out, in);
    } else if (job->operation == GATHER) {
        gather(c, job, out, in);
    }
    if (job->operation == BARRIER || (has_root(job) && !job->batch))
        wait_for_all(c);
}

static void run(const struct request *request, const struct arena *arena, const context &c,
                struct member_times *times)
{
    const struct job *job = &request->job;
    struct job_steps steps;
    pin_self(job, c->rank);
    steps_of(job, arena, 0, &steps);
    RUN_CALLS(request, arena, c->rank, &steps, times, wait_for_all(c),
              call(c, job, out_of(arena, c->rank), in_of(arena, c->rank)));
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    int n = request->job.n;
    std::vector<member_times> times(static_cast<size_t>(n));
    std::vector<std::thread> threads;
    for (const context &c : contexts_of(n))
        threads.emplace_back([&] { run(request, arena, c, &times[static_cast<size_t>(c->rank)]); });
    for (std::thread &thread : threads)
        thread.join();
    join_times(&request->job, times.data(), n, reply);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
