/* Pins the threads of every machine on threads, so that the tests of the counter test core sets,
 * too. */
#include "tests/common/on_another.h"

kp_config another_machine(kp_config asked)
{
    if (asked.carrier == KP_CARRIER_THREADS && asked.pin == 0)
        asked.pin = kp_pinning() != NULL;
    return asked;
}
