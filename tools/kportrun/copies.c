#include "copies.h"

#include "options.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <kport.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that the program itself may open, beside those of its copies. */
#define OTHER_FILES 1024

static int fail(const char *path, int rank, const char *what)
{
    fprintf(stderr, "kportrun: cannot load %s for rank %d: %s\n", path, rank, what);
    return STATUS_UNLOADED;
}

/* Every copy keeps its file open. The dynamic linker takes files of the same path for the same
 * object, so a copy in a file whose number is used again would silently be an earlier copy. */
static void allow_files(int ranks)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    rlim_t wanted = (rlim_t)ranks + OTHER_FILES;
    if (limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static bool copy_file(int from, int to)
{
    struct stat found;
    off_t done = 0;
    if (fstat(from, &found) != 0)
        return false;
    while (done < found.st_size) {
        ssize_t sent = sendfile(to, from, &done, (size_t)(found.st_size - done));
        if (sent <= 0) {
            errno = sent == 0 ? EIO : errno; /* the file has become shorter */
            return false;
        }
    }
    return true;
}

/* Makes a copy of the program's file in memory, and stores its path. */
static int make_file(int program, const char *name, int rank, char path[64])
{
    char title[64];
    (void)snprintf(title, sizeof title, "%.40s.%d", name, rank);
    int file = memfd_create(title, MFD_CLOEXEC);
    if (file < 0 || !copy_file(program, file))
        return -1;
    /* With the number of the process, debuggers and symbolizers find the file too. */
    (void)snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), file);
    return file;
}

/* Loads one object, and checks that kportcc of this version has linked it. */
static int load(const char *object, const char *path, int rank, const struct kp_copy **copy)
{
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *reason = dlerror();
        bool is_foreign = strstr(reason, "executable") || strstr(reason, "ELF header");
        return fail(path, rank, is_foreign ? "it has not been linked by kportcc" : reason);
    }
    *copy = dlsym(handle, "kp_copy");
    if (!*copy)
        return fail(path, rank, "it has not been linked by kportcc");
    if (strcmp((*copy)->version, kp_version()) != 0) {
        fprintf(stderr, "kportrun: %s has been linked by kportcc of version %s, and this is %s\n",
                path, (*copy)->version, kp_version());
        return STATUS_UNLOADED;
    }
    return 0;
}

int copies_load(int file, const char *path, int ranks, void (*loading)(int rank),
                const struct kp_copy **copies)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    int status = 0;
    allow_files(ranks);
    for (int rank = 0; status == 0 && rank < ranks; rank++) {
        char object[64];
        loading(rank);
        if (make_file(file, name, rank, object) < 0)
            status = fail(path, rank, strerror(errno));
        else
            status = load(object, path, rank, &copies[rank]);
        if (status == 0 && !copies[0]->private_mark) {
            for (int other = 1; other < ranks; other++)
                copies[other] = copies[0];
            break;
        }
    }
    loading(-1);
    return status;
}
