#include "tools/kport/common/output_file.h"

#include "tools/kport/command.h"
#include "tools/kport/common/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(const char *path, const char *why)
{
    fprintf(stderr, "kport: \"%s\" could not be written: %s\n", path, why);
    return EXIT_IMPOSSIBLE;
}

int output_file_check(const char *path)
{
    struct new_file file;
    return new_file_begin(&file, path) && new_file_end(&file, false) ? 0 : fails(path, file.why);
}

int output_file_is_free(const char *path)
{
    struct stat state;
    if (stat(path, &state) != 0 || !S_ISREG(state.st_mode) || state.st_size == 0)
        return 0;
    fprintf(stderr,
            "kport: %s exists already, and is not overwritten; give another FILE, or remove it\n",
            path);
    return EXIT_IMPOSSIBLE;
}

int output_file(const char *path, const char *text, size_t length)
{
    struct new_file file;
    if (!new_file_begin(&file, path))
        return fails(path, file.why);
    errno = 0;
    fwrite(text, 1, length, file.out);
    return new_file_end(&file, true) ? 0 : fails(path, file.why);
}

/* Writes the text to the descriptor and closes the descriptor. Returns 0 or an errno. */
static int fill(int descriptor, const char *text, size_t length)
{
    int error = 0;
    while (length > 0 && !error) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        error = written < 0 ? errno : 0;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    if (close(descriptor) != 0 && !error)
        error = errno;
    return error;
}

int output_file_or_pipe(const char *path, const char *text, size_t length)
{
    struct stat state;
    if (stat(path, &state) != 0 || S_ISREG(state.st_mode) || S_ISDIR(state.st_mode))
        return output_file(path, text, length);
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    int error = descriptor < 0 ? errno : fill(descriptor, text, length);
    return error ? fails(path, strerror(error)) : 0;
}
