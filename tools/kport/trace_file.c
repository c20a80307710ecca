#include "trace_file.h"

#include "command.h"
#include "facts.h"

#include <inttypes.h>
#include <stdio.h>

int trace_file_begin(const char *path, size_t records, kp_config *config)
{
    return path && kp_trace_create(records, &config->trace) ? facts_refuse() : EXIT_DONE;
}

int trace_file_end(const char *path, kp_config *config, int status)
{
    kp_trace *trace = config->trace;
    if (!trace)
        return status;
    uint64_t dropped = kp_trace_dropped(trace);
    if (status == EXIT_IMPOSSIBLE) {
        /* nothing ran */
    } else if (kp_trace_write(trace, path)) {
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
        status = EXIT_FAILED;
    } else if (dropped > 0) {
        fprintf(stderr,
                "kport: %s begins in the middle: the first %" PRIu64
                " records were overwritten by later ones\n",
                path, dropped);
    }
    config->trace = NULL;
    (void)kp_trace_free(trace);
    return status;
}
