/* What a build without hwloc knows of the computer. */
#include "tools/kport/computer/look.h"

const struct computer *computer_look(void)
{
    static const struct computer nothing = {
        .missing = "this build lacks hwloc, which knows cores and caches (Meson option hwloc)"};
    return &nothing;
}

int computer_list(enum computer_part part, FILE *out)
{
    (void)part, (void)out;
    return 0;
}

void computer_usable(FILE *out)
{
    (void)out;
}

bool computer_has(unsigned cpu)
{
    (void)cpu;
    return false;
}
