/* Measures how much of the machine other programs use. The result is the busy time of all cores
 * minus the processor time of this benchmark. Time that a hypervisor gave to other machines counts
 * as busy. The kernel counts in ticks of some milliseconds, so up to ROUNDING_TICKS ticks may be
 * rounding errors and are subtracted. */
#include "row.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define ROUNDING_TICKS 2

static double tick_ns(void)
{
    return 1e9 / (double)sysconf(_SC_CLK_TCK);
}

static double busy_ns(void)
{
    double user, nice, system, idle, waiting, irq, softirq, steal, busy = 0;
    FILE *f = fopen("/proc/stat", "r");
    if (f && fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle,
                    &waiting, &irq, &softirq, &steal) == 8)
        busy = (user + nice + system + irq + softirq + steal) * tick_ns();
    if (f)
        fclose(f);
    return busy;
}

static double spent_ns(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return ((double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec) * 1e9 +
           ((double)usage.ru_utime.tv_usec + (double)usage.ru_stime.tv_usec) * 1e3;
}

struct load load_now(void)
{
    return (struct load){.busy_ns = busy_ns(),
                         .own_ns = spent_ns(RUSAGE_SELF) + spent_ns(RUSAGE_CHILDREN),
                         .at = now_ns()};
}

double others_since(const struct load *before, double children_ns)
{
    struct load now = load_now();
    double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double others = now.busy_ns - before->busy_ns - (now.own_ns - before->own_ns) - children_ns;
    others -= ROUNDING_TICKS * tick_ns();
    double share = others / (cores * (double)(now.at - before->at));
    return share > 0 && before->busy_ns > 0 ? share : 0;
}
