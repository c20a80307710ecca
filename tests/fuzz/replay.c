/* Runs a fuzz target once with each of its seed files, as an ordinary test. It needs no libFuzzer,
 * so any compiler can build it.
 *
 * Usage: fuzz_NAME FOLDER */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

#define MOST_BYTES 65536

static size_t read_file(const char *folder, const char *name, uint8_t *to)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        wrong("%s cannot be read", path);
    size_t bytes = fread(to, 1, MOST_BYTES, file);
    fclose(file);
    return bytes;
}

int main(int count, char **arguments)
{
    int seeds = 0;
    DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
    if (!folder)
        wrong("no folder of seeds: %s", count == 2 ? arguments[1] : "one is the argument");
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        uint8_t *all = malloc(MOST_BYTES);
        if (!all)
            wrong("no memory");
        size_t bytes = read_file(arguments[1], entry->d_name, all);
        /* The buffer is exactly as long as the input, so that a sanitizer detects a read past its
         * end. */
        uint8_t *input = malloc(bytes > 0 ? bytes : 1);
        if (!input)
            wrong("no memory");
        memcpy(input, all, bytes);
        free(all);
        fprintf(stderr, "%s\n", entry->d_name); /* if the target aborts, the last printed name is
                                                   the seed that failed */
        LLVMFuzzerTestOneInput(input, bytes);
        free(input);
        seeds++;
    }
    closedir(folder);
    if (seeds == 0)
        wrong("no seeds in %s", arguments[1]);
    return 0;
}
