/* The option --bind of kport's commands: the machine gets lists of CPUs (kp_config's `cpus`). */
#include "tools/kport/computer/bind.h"

#include "tools/kport/command.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/computer/cpus.h"

#include <stdlib.h>
#include <string.h>

#define LINE 100 /* a longer text of CPUs is cut when it is printed */

static const char *option; /* what --bind says, or NULL */
static char *cpus;         /* the lists of CPUs */

int computer_bind(const char *bind, kp_config *config)
{
    if (!bind)
        return EXIT_DONE;
    if (processes_refuse(config, "--bind", "mpirun binds processes to cores (--bind-to)"))
        return EXIT_IMPOSSIBLE;
    if (config->pin) {
        fprintf(stderr,
                "kport: --bind is given, but the key pin is given too; it may be one of them\n");
        return EXIT_IMPOSSIBLE;
    }
    free(cpus);
    if (!computer_cpus("kport", bind, &cpus))
        return EXIT_IMPOSSIBLE;
    option = bind;
    config->cpus = cpus;
    return EXIT_DONE;
}

/* --- Printing --- */

void bind_print(const char *before, FILE *out)
{
    if (option)
        fprintf(out, "%sbound by %s: threads on the CPUs %.*s%s\n", before, option, LINE, cpus,
                strlen(cpus) > LINE ? " ..." : "");
}

json_t *bind_json(void)
{
    if (!option)
        return json_null();
    json_t *lists = json_array();
    for (const char *at = cpus; *at;) {
        const size_t length = strcspn(at, ";");
        json_array_append_new(lists, json_stringn(at, length));
        at += length + (at[length] == ';');
    }
    return json_pack("{s:s, s:o}", "option", option, "cpus", lists);
}
