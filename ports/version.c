#include "kport/machine.h"

const char *kp_version(void)
{
    return KP_VERSION;
}
