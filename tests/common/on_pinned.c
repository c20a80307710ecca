/* Every machine on threads has each kept on a core, so that what holds for one counter is tested of
 * one for each core. */
#include "tests/common/on_another.h"

kp_config another_machine(kp_config asked)
{
    if (asked.carrier == KP_CARRIER_THREADS && asked.pin == 0)
        asked.pin = kp_pinning() != NULL;
    return asked;
}
