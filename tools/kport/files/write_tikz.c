#include "tools/kport/files/write.h"

int write_tikz(const kp_schedule *schedule, FILE *out)
{
    (void)schedule;
    (void)out;
    fprintf(stderr, "kport: the format tikz is not written yet\n");
    return 2;
}
