/* The command that the page has beside those of kport. */
#ifndef KPORT_TOOLS_CHOICES_H
#define KPORT_TOOLS_CHOICES_H

#include "tools/kport/command.h"

extern const struct command command_choices;

#endif
