#include "tools/kport/common/trace_file.h"

#include "ports/port.h"
#include "tools/kport/command.h"
#include "tools/kport/common/new_file.h"
#include "tools/kport/common/output_file.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/schedule/facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

int trace_file_refuse(const char *path, const kp_config *config)
{
    return path ? processes_refuse(config, "--trace", "nothing is recorded over MPI") : EXIT_DONE;
}

int trace_file_begin(const char *path, size_t records, kp_config *config)
{
    if (!path)
        return EXIT_DONE;
    int status = output_file_check(path);
    return !status && kp_trace_create(records, &config->trace) ? facts_refuse() : status;
}

static int write_trace(kp_trace *trace, const char *path)
{
    struct new_file file;
    bool written = new_file_begin(&file, path);
    errno = 0;
    int status = written ? kp_trace_write_to(trace, file.out) : KP_OK;
    if (status)
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
    written = written && new_file_end(&file, !status);
    if (!written)
        fprintf(stderr, "kport: the trace \"%s\" could not be written: %s\n", path, file.why);
    return written && !status ? EXIT_DONE : EXIT_IMPOSSIBLE;
}

int trace_file_end(const char *path, kp_config *config, int status)
{
    kp_trace *trace = config->trace;
    if (!trace)
        return status;
    uint64_t dropped = kp_trace_dropped(trace);
    if (status == EXIT_IMPOSSIBLE) {
        /* no machine has run, so there is no trace to write */
    } else if (write_trace(trace, path)) {
        status = EXIT_IMPOSSIBLE;
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
