/* With this object a copy says that its program is one of BSPlib (kportcc -bsp). */
#include "host.h"

const char kp_copy_is_bsp = 1;
