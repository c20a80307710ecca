#include "copies.h"

#include "interface.h"
#include "options.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <kport.h>
#include <limits.h>
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

static bool fill(int from, int to)
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

/* valgrind reads the names of functions from a file that has a path. It tells its programs that it
 * is there by preloading objects of its own. */
static bool is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "vgpreload");
}

struct copy_file {
    int file;
    bool on_disk;
    char path[PATH_MAX];
};

/* Makes a copy of the program's file, in memory if possible. Returns false, with errno, if that
 * fails. */
static bool make_file(int program, const char *name, int rank, struct copy_file *made)
{
    char title[64];
    (void)snprintf(title, sizeof title, "%.40s.%d", name, rank);
    made->file = is_under_valgrind() ? -1 : memfd_create(title, MFD_CLOEXEC);
    made->on_disk = made->file < 0;
    if (made->on_disk) {
        const char *folder = getenv("TMPDIR");
        (void)snprintf(made->path, sizeof made->path, "%s/%s.XXXXXX", folder ? folder : "/tmp",
                       title);
        made->file = mkostemp(made->path, O_CLOEXEC);
    } else {
        /* With the number of the process, debuggers and symbolizers find the file too. */
        (void)snprintf(made->path, sizeof made->path, "/proc/%d/fd/%d", (int)getpid(), made->file);
    }
    return made->file >= 0 && fill(program, made->file);
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
    if (!(*copy)->interface || strcmp((*copy)->interface, KP_INTERFACE) != 0) {
        fprintf(stderr,
                "kportrun: %s has been linked by kportcc of another build of kport %s; link it "
                "again with the kportcc that belongs to this kportrun\n",
                path, kp_version());
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
        struct copy_file made;
        loading(rank);
        if (make_file(file, name, rank, &made))
            status = load(made.path, path, rank, &copies[rank]);
        else
            status = fail(path, rank, strerror(errno));
        /* The open file keeps the copy's number from being used again. */
        if (made.on_disk)
            (void)unlink(made.path);
        if (status == 0 && !copies[0]->private_mark) {
            for (int other = 1; other < ranks; other++)
                copies[other] = copies[0];
            break;
        }
    }
    loading(-1);
    return status;
}
