/* kportcc calls this program after linking. A debugger finds the shared objects of a process by the
 * entry DT_DEBUG in the program's dynamic section, which the dynamic linker fills in. Linkers write
 * this entry into executables only, and a program of kportcc is a shared object. So this program
 * turns one of the empty entries at the section's end into that entry. Without an empty entry it
 * does nothing: gdb then knows the program but not its libraries. */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Returns whether `bytes` bytes at `offset` lie in a file of `size` bytes. */
static bool within(size_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

static void change(ElfW(Dyn) * entries, size_t count)
{
    for (size_t i = 0; i + 1 < count && entries[i].d_tag != DT_DEBUG; i++) {
        if (entries[i].d_tag == DT_NULL) {
            entries[i].d_tag = DT_DEBUG;
            entries[i].d_un.d_val = 0;
            return;
        }
    }
}

static void finish(char *image, size_t size)
{
    const ElfW(Ehdr) *head = (const void *)image;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        !within(size, head->e_phoff, (uint64_t)head->e_phnum * sizeof(ElfW(Phdr))))
        return;
    const ElfW(Phdr) *parts = (const void *)(image + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++) {
        if (parts[i].p_type == PT_DYNAMIC && within(size, parts[i].p_offset, parts[i].p_filesz))
            change((void *)(image + parts[i].p_offset), parts[i].p_filesz / sizeof(ElfW(Dyn)));
    }
}

int main(int argc, char **argv)
{
    struct stat found;
    int file = argc == 2 ? open(argv[1], O_RDWR) : -1;
    if (file < 0 || fstat(file, &found) != 0) {
        perror(argc == 2 ? argv[1] : "usage: finish PROGRAM");
        return 1;
    }
    if (!S_ISREG(found.st_mode) || found.st_size == 0)
        return 0;
    size_t size = (size_t)found.st_size;
    char *image = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (image == MAP_FAILED) {
        perror(argv[1]);
        return 1;
    }
    finish(image, size);
    return 0;
}
