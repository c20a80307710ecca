/* Keeps the threads of every machine on cores. The group's barrier then uses core sets instead of
 * one counter. So the tests of the counter test core sets too. */
#include "tests/common/on_another.h"

kp_config another_machine(kp_config asked)
{
    if (asked.carrier == KP_CARRIER_THREADS && asked.pin == 0)
        asked.pin = kp_pinning() != NULL;
    return asked;
}
