/* Fuzzes relation files, which have `source destination bytes` on each line. Any text must be read
 * or refused. A file that was read must give one message for each line that describes one, and all
 * its processors must exist. */
#include "fuzz.h"

#include "tools/kport/command.h"
#include "tools/kport/route/relations.h"

#include <string.h>
#include <unistd.h>

#define PROCESSORS 9

/* Returns the number of lines that have a character other than a blank before a #. */
static size_t lines_that_say(const uint8_t *data, size_t size)
{
    size_t count = 0;
    int says = 0, comment = 0;
    for (size_t i = 0; i <= size; i++) {
        if (i == size || data[i] == '\n') {
            count += (size_t)says;
            says = comment = 0;
            continue;
        }
        comment = comment || data[i] == '#';
        says = says || (!comment && !strchr(" \t\r\v\f", data[i]));
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[] = "/tmp/kport-fuzz-route-XXXXXX";
    static FILE *written;
    if (!written) {
        int descriptor = mkstemp(path);
        written = descriptor >= 0 ? fdopen(descriptor, "r+") : NULL;
        if (!written)
            wrong("%s cannot be made", path);
        unlink(path);
        snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
    }
    rewind(written);
    if (fwrite(data, 1, size, written) != size || fflush(written) ||
        ftruncate(fileno(written), (off_t)size))
        wrong("%s cannot be written", path);
    rewind(written);

    struct relation_file file;
    int status = relation_read(path, PROCESSORS, &file);
    if (status != EXIT_DONE && status != EXIT_IMPOSSIBLE)
        wrong("status %d", status);
    if (status != EXIT_DONE)
        return 0;
    if (size > 0 && !memchr(data, 0, size) && file.count != lines_that_say(data, size))
        wrong("%zu messages of %zu lines", file.count, lines_that_say(data, size));
    for (size_t i = 0; i < file.count; i++) {
        const struct relation_line *line = &file.lines[i];
        if (line->source < 0 || line->source >= PROCESSORS || line->destination < 0 ||
            line->destination >= PROCESSORS)
            wrong("message %zu from %d to %d", i, (int)line->source, (int)line->destination);
    }
    free(file.lines);
    return 0;
}
