/* With this object a copy says that it has private functions of libc, and globals of its own. */
#include "host.h"

const char kp_copy_is_private = 1;
