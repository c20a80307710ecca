#include "whole.h"

#include <sys/mman.h>

extern const struct whole cg, fft2d, gauss, nbody, power_iteration, sample_sort, transpose;
const struct whole *const wholes[WHOLES] = {
    &cg, &fft2d, &gauss, &nbody, &power_iteration, &sample_sort, &transpose};

/* Makes the problem of a whole program, once for each size, and keeps it for all contestants. The
 * size is that of the table, or the small one for tests. */
static bool pose(const struct whole *whole, size_t size, struct posed *posed)
{
    static struct {
        const struct whole *whole;
        size_t size;
        struct posed posed;
    } known[2 * WHOLES];
    int i = 0;
    while (known[i].whole && (known[i].whole != whole || known[i].size != size))
        i++;
    if (!known[i].whole) {
        if (!whole->pose(size, &known[i].posed))
            return false;
        known[i].whole = whole;
        known[i].size = size;
    }
    *posed = known[i].posed;
    return true;
}

/* Returns the address of the next `bytes` bytes in the team's memory. If the team has no memory
 * yet, only adds to the number of bytes that the team needs. */
static void *take(struct whole_team *team, size_t bytes)
{
    char *at = team->memory ? team->memory + team->bytes : NULL;
    team->bytes += stride_of(bytes);
    return at;
}

static void lay_out(struct whole_team *team, const struct room *rooms, bool shared, int count)
{
    team->bytes = 0;
    for (int a = 0; a < MOST_ARRAYS; a++) {
        void *common = rooms[a].common && shared ? take(team, rooms[a].bytes) : NULL;
        for (int i = 0; i < count; i++)
            team->talks[i].array[a] =
                rooms[a].common && shared ? common : take(team, rooms[a].bytes);
    }
}

bool whole_open(struct whole_team *team, const struct request *request,
                const struct talk_calls *calls, void *link, int first, int count)
{
    struct room rooms[MOST_ARRAYS] = {{0}};
    size_t n = (size_t)request->job.n;
    *team = (struct whole_team){.whole = wholes[request->job.list]};
    if (!pose(team->whole, request->job.b, &team->posed))
        return false;
    team->talks = calloc((size_t)count, sizeof *team->talks);
    if (!team->talks)
        return false;
    for (int i = 0; i < count; i++)
        team->talks[i] =
            (struct talk){.calls = calls, .link = link, .n = n, .me = (size_t)(first + i)};
    team->whole->plan(team->posed.problem, n, calls->shared, rooms);
    lay_out(team, rooms, calls->shared, count);
    void *memory =
        mmap(NULL, team->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    team->memory = memory;
    lay_out(team, rooms, calls->shared, count);
    if (request->verify)
        memset(team->posed.result, 0, team->posed.result_bytes);
    return true;
}

void whole_close(struct whole_team *team)
{
    if (team->memory)
        munmap(team->memory, team->bytes);
    free(team->talks);
}

bool whole_open_shared(struct whole_team *team, const struct request *request,
                       struct sharing *sharing)
{
    bool opened = whole_open(team, request, &sharing_calls, sharing, 0, request->job.n);
    return sharing_open(sharing, request->job.n) && opened;
}

void whole_close_shared(struct whole_team *team, struct sharing *sharing)
{
    sharing_close(sharing);
    whole_close(team);
}

int whole_run(const struct whole_team *team, struct talk *t)
{
    team->whole->run(t, team->posed.problem);
    t->calls->barrier(t);
    return t->status;
}

void whole_times(const struct whole_team *team, struct talk *t, const struct request *request,
                 struct member_times *times)
{
    times->wrong = false;
    for (int i = 0; i < 2; i++) /* two untimed runs touch the pages */
        whole_run(team, t);
    times->start = now_ns();
    for (uint64_t i = 0; i < request->calls; i++)
        whole_run(team, t);
    times->end = now_ns();
}

void whole_verify(const struct whole_team *team, const struct request *request, struct reply *reply)
{
    if (request->verify && !team->whole->right(team->posed.problem))
        reply->status = WRONG_DATA;
}
