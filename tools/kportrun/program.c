#include "program.h"

#include "options.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

/* Set in the environment of a kportrun that has been started again, to what was preloaded before.
 */
#define AGAIN "KPORTRUN_PRELOADED"

/* --- Finding --- */

static bool is_program(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode) && access(path, X_OK) == 0;
}

static char *find(const char *name)
{
    char *path = NULL, *copy, *rest;
    if (strchr(name, '/'))
        return strdup(name);
    copy = rest = strdup(getenv("PATH") ? getenv("PATH") : "");
    for (char *folder; copy && (folder = strsep(&rest, ":"));) {
        if (asprintf(&path, "%s/%s", *folder ? folder : ".", name) < 0)
            path = NULL;
        if (path && is_program(path))
            break;
        free(path);
        path = NULL;
    }
    free(copy);
    if (!path && asprintf(&path, "./%s", name) < 0)
        return NULL;
    return path;
}

int program_open(const char *name, char **path, int *status)
{
    *path = find(name);
    int file = *path ? open(*path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0 && is_program(*path))
        return file;
    if (file >= 0) {
        close(file);
        errno = EACCES;
    }
    *status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_UNLOADED;
    fprintf(stderr, "kportrun: cannot run %s: %s\n", name, strerror(errno));
    free(*path);
    return -1;
}

/* --- Sanitizers --- */

/* Returns whether `bytes` bytes at `offset` lie in a file of `size` bytes. */
static bool within(size_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

/* What the dynamic section of a program says of a sanitizer. */
struct runtime {
    const char *name;    /* as in libtsan.so.2, or NULL */
    const char *folders; /* where the program's libraries are, separated by colons, or NULL */
};

static bool is_runtime(const char *name)
{
    static const char *const runtimes[] = {"libtsan.", "libasan.", "liblsan.", "libclang_rt.asan"};
    for (size_t i = 0; i < sizeof runtimes / sizeof runtimes[0]; i++) {
        if (strncmp(name, runtimes[i], strlen(runtimes[i])) == 0)
            return true;
    }
    return false;
}

/* Returns what the program says of the runtime that it needs. */
static struct runtime runtime_of(const char *image, size_t size)
{
    struct runtime runtime = {NULL, NULL};
    const ElfW(Ehdr) *head = (const void *)image;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        head->e_shentsize != sizeof(ElfW(Shdr)) ||
        !within(size, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
        return runtime;
    const ElfW(Shdr) *sections = (const void *)(image + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_DYNAMIC || sections[i].sh_link >= head->e_shnum)
            continue;
        const ElfW(Shdr) *names = &sections[sections[i].sh_link];
        if (!within(size, sections[i].sh_offset, sections[i].sh_size) ||
            !within(size, names->sh_offset, names->sh_size) || names->sh_size == 0 ||
            image[names->sh_offset + names->sh_size - 1] != '\0')
            return runtime;
        const ElfW(Dyn) *entries = (const void *)(image + sections[i].sh_offset);
        for (size_t e = 0; e < sections[i].sh_size / sizeof *entries; e++) {
            if (entries[e].d_un.d_val >= names->sh_size)
                continue;
            const char *text = image + names->sh_offset + entries[e].d_un.d_val;
            if (entries[e].d_tag == DT_NEEDED && !runtime.name && is_runtime(text))
                runtime.name = text;
            else if (entries[e].d_tag == DT_RUNPATH || entries[e].d_tag == DT_RPATH)
                runtime.folders = text;
        }
    }
    return runtime;
}

/* Returns the runtime's path, if it is in one of the program's folders, and otherwise its name. */
static char *path_of(const struct runtime *runtime)
{
    char *folders = runtime->folders ? strdup(runtime->folders) : NULL, *rest = folders;
    char *path = NULL;
    for (char *folder; folders && (folder = strsep(&rest, ":"));) {
        if (asprintf(&path, "%s/%s", folder, runtime->name) < 0)
            path = NULL;
        if (path && access(path, R_OK) == 0)
            break;
        free(path);
        path = NULL;
    }
    free(folders);
    return path ? path : strdup(runtime->name);
}

static void preload(const char *runtime, char **arguments)
{
    const char *before = getenv("LD_PRELOAD");
    char *all = NULL, *earlier = strdup(before ? before : "");
    if (asprintf(&all, "%s%s%s", runtime, before ? ":" : "", before ? before : "") < 0 || !earlier)
        return;
    setenv(AGAIN, earlier, 1);
    setenv("LD_PRELOAD", all, 1);
    /* gcc's ThreadSanitizer does not bear widely spread addresses. */
    int persona = personality(0xffffffff);
    if (persona != -1)
        (void)personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
    execv("/proc/self/exe", arguments);
    fprintf(stderr, "kportrun: cannot preload %s: %s\n", runtime, strerror(errno));
}

void program_preload(int file, char **arguments)
{
    const char *again = getenv(AGAIN);
    struct stat found;
    if (again) {
        /* What the program starts is not to have the runtime preloaded. */
        if (*again)
            setenv("LD_PRELOAD", again, 1);
        else
            unsetenv("LD_PRELOAD");
        unsetenv(AGAIN);
        return;
    }
    if (fstat(file, &found) != 0 || found.st_size <= 0)
        return;
    size_t size = (size_t)found.st_size;
    const char *image = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (image == MAP_FAILED)
        return;
    const struct runtime runtime = runtime_of(image, size);
    if (runtime.name && !dlopen(runtime.name, RTLD_LAZY | RTLD_NOLOAD)) {
        char *path = path_of(&runtime);
        if (path)
            preload(path, arguments);
        free(path);
    }
    munmap((void *)image, size);
}
