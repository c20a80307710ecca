/* The fuzz targets share this header. A fuzz target is a function that gets arbitrary bytes and
 * calls the library with data made from them. libFuzzer invents the bytes (tools/dev verify fuzz),
 * or replay.c reads them from seed files in the repository (in the test suite `small`). A target
 * aborts if the library behaves wrongly. The library may refuse data: it then returns the status of
 * an error. */
#ifndef KPORT_TESTS_FUZZ_H
#define KPORT_TESTS_FUZZ_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The part of the input that is not yet used. */
struct bytes {
    const uint8_t *at;
    size_t left;
};

/* Returns a number from `low` to `high`, made from the next byte of the input. If the input is used
 * up, returns `low`. The range has at most 256 numbers. */
static inline int take(struct bytes *bytes, int low, int high)
{
    if (bytes->left == 0)
        return low;
    bytes->left--;
    return low + *bytes->at++ % (high - low + 1);
}

__attribute__((format(printf, 1, 2), noreturn)) static inline void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "wrong: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    abort();
}

#endif
