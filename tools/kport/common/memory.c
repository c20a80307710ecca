#include "tools/kport/common/memory.h"

#include "tools/kport/run/reference.h"

#include <stdio.h>

static double memory_free(void)
{
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f)) {
        if (sscanf(line, "MemAvailable: %llu", &kilobytes) == 1)
            break;
    }
    if (f)
        fclose(f);
    return kilobytes ? (double)kilobytes * 1024 : (double)UINT64_MAX;
}

/* Returns the largest number of blocks of scratch that a processor needs. Scratch is memory that a
 * schedule needs beside the caller's buffers. */
static double scratch_blocks(const kp_problem *problem)
{
    kp_schedule *schedule;
    if (kp_schedule_build(problem, &schedule))
        return 0; /* the run will report why the schedule cannot be built */
    double units = (double)kp_schedule_units(schedule, KP_SCRATCH);
    double blocks = units / (double)kp_schedule_unit_of_block(schedule);
    kp_schedule_free(schedule);
    return blocks;
}

double memory_wanted(const kp_problem *problem, int scratch)
{
    double blocks = scratch ? (double)problem->n * scratch_blocks(problem) : 0;
    for (int rank = 0; rank < problem->n; rank++)
        blocks += (double)reference_out_blocks(problem, rank) +
                  (double)reference_in_blocks(problem, rank);
    return blocks * (double)problem->b + (double)reference_results_bytes(problem);
}

int memory_fits(const kp_problem *problem, double times)
{
    double bytes = times * memory_wanted(problem, 1), most = memory_free();
    if (bytes <= most)
        return 1;
    fprintf(stderr,
            "kport: n is %d and b %zu: the buffers would take %.1f GiB; %.1f GiB are free\n",
            problem->n, problem->b, bytes / 0x1p30, most / 0x1p30);
    return 0;
}
