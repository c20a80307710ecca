/* Where a call is whose macro was not used: a function of MPI was taken by its address, or the code
 * was compiled without the macros. The return address is found in the file of its object, by
 * addr2line if it is there and the object has debug information, otherwise by the object's symbols.
 */
#include "lib/mpi/rank.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_PLACES 64

/* Ranks have copies of one program, so a place is known by its distance from the object's
 * beginning. */
struct found {
    char object[64];
    size_t offset;
    char *file; /* kept for the process's life, as findings refer to it */
    int line;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct found known[MOST_PLACES];
static int known_count;

/* --- Debug information --- */

/* Starts addr2line, and returns the end of a pipe from which its answer is read, or -1. */
static int start(const char *object, size_t offset, pid_t *child)
{
    char address[32];
    int ends[2], status = -1;
    snprintf(address, sizeof address, "%#zx", offset);
    char *arguments[] = {"addr2line", "-e", (char *)object, address, NULL};
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    if (posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) ==
                0)
            status = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    if (status == 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Reads "app.c:31", perhaps with words behind it. */
static bool read_answer(char *answer, char **file, int *line)
{
    char *colon = strrchr(answer, ':');
    if (!colon || answer[0] == '?' || (*line = atoi(colon + 1)) <= 0)
        return false;
    *colon = '\0';
    return (*file = strdup(answer)) != NULL;
}

static bool ask_debugger(const char *object, size_t offset, char **file, int *line)
{
    char answer[4096];
    size_t bytes = 0;
    pid_t child;
    const int from = start(object, offset, &child);
    if (from < 0)
        return false;
    for (ssize_t got; bytes + 1 < sizeof answer; bytes += (size_t)got) {
        got = read(from, answer + bytes, sizeof answer - 1 - bytes);
        if (got < 0 && errno == EINTR)
            got = 0;
        else if (got <= 0)
            break;
    }
    answer[bytes] = '\0';
    close(from);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return read_answer(answer, file, line);
}

/* --- Symbols --- */

/* Returns whether `bytes` bytes at `offset` lie in a file of `size` bytes. */
static bool within(size_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

/* Finds the function in a table of symbols, and writes "talk+0x1c". */
static bool find_symbol(const char *image, const ElfW(Shdr) * table, const char *names,
                        size_t names_size, size_t offset, char *text, size_t text_size)
{
    const ElfW(Sym) *symbols = (const void *)(image + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const ElfW(Sym) *s = &symbols[i];
        if ((s->st_info & 15) != STT_FUNC || s->st_shndx == SHN_UNDEF || s->st_name >= names_size ||
            offset < s->st_value || offset - s->st_value >= s->st_size)
            continue;
        snprintf(text, text_size, "%s+%#zx", names + s->st_name, offset - (size_t)s->st_value);
        return true;
    }
    return false;
}

static bool find_in_image(const char *image, size_t size, size_t offset, char *text,
                          size_t text_size)
{
    const ElfW(Ehdr) *head = (const void *)image;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)) ||
        !within(size, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
        return false;
    const ElfW(Shdr) *sections = (const void *)(image + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum)
            continue;
        const ElfW(Shdr) *names = &sections[sections[i].sh_link];
        if (within(size, sections[i].sh_offset, sections[i].sh_size) && names->sh_size > 0 &&
            within(size, names->sh_offset, names->sh_size) &&
            image[names->sh_offset + names->sh_size - 1] == '\0' &&
            find_symbol(image, &sections[i], image + names->sh_offset, names->sh_size, offset, text,
                        text_size))
            return true;
    }
    return false;
}

static bool find_function(const char *object, size_t offset, char *text, size_t size)
{
    struct stat status;
    bool is_found = false;
    const int file = open(object, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        const size_t bytes = (size_t)status.st_size;
        char *image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
        if (image != MAP_FAILED) {
            is_found = find_in_image(image, bytes, offset, text, size);
            munmap(image, bytes);
        }
    }
    close(file);
    return is_found;
}

/* --- Places --- */

/* The file that the user knows, from which a rank's copy was made. kportrun sets the two names. A
 * copy lies in memory, or on disk, where it has no name any more. */
static const char *file_of(const char *object)
{
    const bool is_copy = strncmp(object, "/proc/", 6) == 0 || access(object, F_OK) != 0;
    return is_copy ? program_invocation_name : object;
}

static const char *name_of(const char *object)
{
    const char *file = file_of(object), *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static void look_up(const char *object, struct found *found)
{
    char text[300];
    if (ask_debugger(object, found->offset, &found->file, &found->line))
        return;
    found->line = 0;
    if (!find_function(object, found->offset, text, sizeof text))
        snprintf(text, sizeof text, "%s+%#zx", found->object, found->offset);
    found->file = strdup(text);
}

/* Returns what is known of a return address, or NULL. */
static const struct found *find(const void *caller)
{
    Dl_info object;
    if (!dladdr(caller, &object) || !object.dli_fname || !object.dli_fbase)
        return NULL;
    struct found wanted = {.offset = (size_t)((const char *)caller - (char *)object.dli_fbase) - 1};
    snprintf(wanted.object, sizeof wanted.object, "%s", name_of(object.dli_fname));
    const struct found *result = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < known_count && !result; i++) {
        if (known[i].offset == wanted.offset && strcmp(known[i].object, wanted.object) == 0)
            result = &known[i];
    }
    if (!result && known_count < MOST_PLACES) {
        look_up(file_of(object.dli_fname), &wanted);
        known[known_count] = wanted;
        result = wanted.file ? &known[known_count++] : NULL;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

struct kp_mpi_place kp_mpi_place_found(const struct kp_mpi_place *place)
{
    struct kp_mpi_place result = *place;
    const struct found *found = place->file || !place->caller ? NULL : find(place->caller);
    if (found && found->line > 0) {
        result.file = found->file;
        result.line = found->line;
    }
    return result;
}

void kp_mpi_say_place(const struct kp_mpi_place *place, char *text, size_t size)
{
    const struct found *found = place->file || !place->caller ? NULL : find(place->caller);
    text[0] = '\0';
    if (place->file)
        snprintf(text, size, " at %s:%d", place->file, place->line);
    else if (found && found->line > 0)
        snprintf(text, size, " at %s:%d", found->file, found->line);
    else if (found)
        snprintf(text, size, " at %s", found->file);
}
