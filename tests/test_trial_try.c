#include "tools/kport/trial.h"
#include <stdlib.h>
#include <time.h>
static bool fails(const struct trial *t, void *c)
{
    (void)c;
    for (int i = 0; i < 3; i++) {
        struct trial_result r;
        if (!trial_run_alone(t, &r))
            return true;
    }
    return false;
}
int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], 0, 10) : 1;
    int count = argc > 2 ? atoi(argv[2]) : 100;
    if (getenv("REPLAY")) {
        struct trial t;
        FILE *f = fopen(getenv("REPLAY"), "r");
        if (!trial_read(f, &t))
            return 2;
        trial_print(&t, stdout);
        struct trial_result r;
        bool ok = trial_run_alone(&t, &r);
        printf("%d %s ops %d planted %d named %d\n", ok, r.shortfall, (int)r.operations,
               (int)r.planted, (int)r.named);
        return !ok;
    }
    struct trial_scope scope = {.most_processors = 64,
                                .most_steps = 150,
                                .most_bytes = 100000,
                                .may_exit = true,
                                .faults = argc > 3 ? atoi(argv[3]) : 0,
                                .endings = argc > 4 ? atoi(argv[4]) : 0};
    uint64_t ops = 0, pl = 0, na = 0;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int i = 0; i < count; i++) {
        uint64_t r = (seed + i) * 1000003;
        struct trial t;
        trial_draw_machine(&t, &r, &scope);
        if (!trial_draw(&t, &r, &scope))
            return 2;
        if (getenv("SHOW")) {
            trial_print(&t, stderr);
        }
        struct trial_result res;
        bool ok = trial_run_alone(&t, &res);
        ops += res.operations;
        pl += res.planted;
        na += res.named;
        if (!ok) {
            fprintf(stderr, "seed %llu: %s\n", (unsigned long long)(seed + i), res.shortfall);
            if (getenv("STOP")) {
                if (getenv("SHRINK")) {
                    int n = trial_shrink(&t, fails, 0, 3000);
                    fprintf(stderr, "%d attempts\n", n);
                    trial_run_alone(&t, &res);
                    fprintf(stderr, "%s\n", res.shortfall);
                }
                trial_print(&t, stderr);
                return 1;
            }
        }
        trial_free(&t);
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%llu operations %llu planted %llu named, %.2f s\n", (unsigned long long)ops,
           (unsigned long long)pl, (unsigned long long)na,
           (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9);
}
