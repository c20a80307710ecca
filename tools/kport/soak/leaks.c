#include "tools/kport/soak/leaks.h"

#include <dirent.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <time.h>

/* If file offsets have 64 bits, glibc's name for mmap is mmap64. */
#ifdef __USE_FILE_OFFSET64
#define REAL_MMAP __real_mmap64
#define WRAP_MMAP __wrap_mmap64
#else
#define REAL_MMAP __real_mmap
#define WRAP_MMAP __wrap_mmap
#endif

static bool counting;
static atomic_int_least64_t allocations, bytes, mappings;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void __real_free(void *memory);
void *REAL_MMAP(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);
void __wrap_free(void *memory);
void *WRAP_MMAP(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t size);

static void add(void *memory, int sign)
{
    if (!counting || !memory)
        return;
    atomic_fetch_add_explicit(&allocations, sign, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, sign * (int64_t)malloc_usable_size(memory),
                              memory_order_relaxed);
}

void *__wrap_malloc(size_t size)
{
    void *memory = __real_malloc(size);
    add(memory, 1);
    return memory;
}

void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = __real_calloc(count, size);
    add(memory, 1);
    return memory;
}

/* Replaces realloc. The size of the old memory must be read before realloc frees that memory. */
void *__wrap_realloc(void *memory, size_t size)
{
    int64_t old = counting && memory ? (int64_t)malloc_usable_size(memory) : 0;
    bool had = memory != NULL;
    void *more = __real_realloc(memory, size);
    if (counting && had && (more || size == 0)) {
        atomic_fetch_add_explicit(&allocations, -1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, -old, memory_order_relaxed);
    }
    add(more, 1);
    return more;
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size)
{
    int failed = __real_posix_memalign(memory, alignment, size);
    if (!failed)
        add(*memory, 1);
    return failed;
}

void __wrap_free(void *memory)
{
    add(memory, -1);
    __real_free(memory);
}

void *WRAP_MMAP(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    void *memory = REAL_MMAP(address, size, protection, flags, file, offset);
    if (counting && memory != MAP_FAILED)
        atomic_fetch_add_explicit(&mappings, (int64_t)size, memory_order_relaxed);
    return memory;
}

int __wrap_munmap(void *address, size_t size)
{
    int failed = __real_munmap(address, size);
    if (counting && !failed)
        atomic_fetch_add_explicit(&mappings, -(int64_t)size, memory_order_relaxed);
    return failed;
}

/* --- Counts that the system keeps --- */

static int64_t entries_of(const char *folder)
{
    int64_t count = 0;
    DIR *directory = opendir(folder);
    if (!directory)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

void leaks_count(void)
{
    counting = true;
}

struct held leaks_held(void)
{
    return (struct held){
        .allocations = atomic_load_explicit(&allocations, memory_order_relaxed),
        .bytes = atomic_load_explicit(&bytes, memory_order_relaxed),
        .mappings = atomic_load_explicit(&mappings, memory_order_relaxed),
        .threads = entries_of("/proc/self/task"),
        .files = entries_of("/proc/self/fd"),
    };
}

int leaks_since(const struct held *before, char *text, size_t size)
{
    struct held now = leaks_held();
    struct timespec moment = {0, 100000};
    for (int i = 0; i < 5000 && now.threads > before->threads; i++) {
        nanosleep(&moment, NULL);
        now = leaks_held();
    }
    const struct {
        const char *what;
        int64_t more;
    } kinds[] = {
        {"allocations", now.allocations - before->allocations},
        {"bytes allocated", now.bytes - before->bytes},
        {"bytes mapped", now.mappings - before->mappings},
        {"threads", now.threads - before->threads},
        {"files", now.files - before->files},
    };
    int found = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(text);
        if (kinds[i].more == 0)
            continue;
        snprintf(text + length, size - length, "%s%" PRId64 " %s",
                 found++ ? ", " : "left: ", kinds[i].more, kinds[i].what);
    }
    return found;
}
