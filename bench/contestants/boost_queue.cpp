/* A contestant of the benchmark: boost::lockfree::spsc_queue passes words between two threads. */
#include "../serve.h"
#include "two_threads.h"

#include <boost/lockfree/spsc_queue.hpp>

using queue = boost::lockfree::spsc_queue<uint64_t, boost::lockfree::capacity<1024>>;

static inline bool put(queue *to, uint64_t word)
{
    return to->push(word);
}

static inline bool take(queue *from, uint64_t *word)
{
    return from->pop(*word);
}

DEFINE_TWO_THREADS(words, queue, put, take)

static void carry_out(const struct request *request, const struct arena *, struct reply *reply)
{
    static queue queues[2];
    run_words(request, queues, reply);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
