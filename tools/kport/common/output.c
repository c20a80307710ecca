#include "tools/kport/common/output.h"

#include "tools/kport/command.h"
#include "tools/kport/common/output_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t length;
static bool lost; /* a part of the output found no memory */

FILE *output_begin(void)
{
    lost = false;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        fprintf(stderr, "kport: no memory for the output\n");
    return out;
}

static int write_out(void)
{
    errno = 0;
    if (fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "kport: the output could not be written: %s\n", strerror(errno));
    return EXIT_IMPOSSIBLE;
}

int output_end(FILE *out, int status)
{
    return output_end_in(out, status, "-");
}

int output_end_in(FILE *out, int status, const char *path)
{
    bool failed = ferror(out) != 0 || lost;
    failed = fclose(out) != 0 || failed;
    if (status == 0 && failed) {
        fprintf(stderr, "kport: no memory for the output\n");
        status = EXIT_IMPOSSIBLE;
    }
    if (status == 0)
        status = strcmp(path, "-") == 0 ? write_out() : output_file_or_pipe(path, text, length);
    free(text);
    text = NULL;
    return status;
}

void output_json(FILE *out, const char *name, json_t *object)
{
    json_t *whole = json_pack("{s:s++}", "schema", "kport ", name, OUTPUT_VERSION);
    if (!whole || json_object_update(whole, object) != 0) {
        json_decref(whole);
        whole = NULL;
    }
    char *dump = json_dumps(whole, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(whole);
    json_decref(object);
    lost |= dump == NULL;
    if (dump)
        fprintf(out, "%s\n", dump);
    free(dump);
}
