/* The name that MulticoreBSP gives to bsp.h. */
#include "bsp.h"
