/* Fuzz targets: programs driven by bytes. Each target is one function. libFuzzer calls it with
 * bytes that it invents (tools/dev verify fuzz); replay.c calls it with the seeds of the repository
 * (the suite small). A target aborts if something is wrong; a refusal with a status is right. */
#ifndef KPORT_TESTS_FUZZ_H
#define KPORT_TESTS_FUZZ_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is left of the input. */
struct bytes {
    const uint8_t *at;
    size_t left;
};

/* low ... high, of which there are at most 256, from the next byte; low past the end. */
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
