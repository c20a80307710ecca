/* Standard input is that of rank 0; the other ranks find its end at once. Standard output and error
 * belong to kportrun, which brings them out line by line: a rank cannot change how they are
 * buffered. */
#include "host.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#define WEAK __attribute__((weak))

/* This variable hides libc's in the copy. */
#undef stdin
WEAK FILE *stdin;

/* Runs before the program's own constructors. */
__attribute__((constructor(101))) static void choose_input(void)
{
    FILE **own = dlsym(RTLD_DEFAULT, "stdin");
    bool first = !&kp_copy_host || kp_copy_host.rank() <= 0;
    stdin = first ? *own : kp_copy_host.no_input;
}

/* libc's header gives scanf another name, which depends on the version of C. */
#define SCANF(name, before, symbol)                                                                \
    int v##name(const char *format, va_list arguments) __asm__(before "v" symbol);                 \
    int name(const char *format, ...) __asm__(before symbol);                                      \
                                                                                                   \
    WEAK int v##name(const char *format, va_list arguments)                                        \
    {                                                                                              \
        return vfscanf(stdin, format, arguments);                                                  \
    }                                                                                              \
                                                                                                   \
    WEAK int name(const char *format, ...)                                                         \
    {                                                                                              \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        int count = vfscanf(stdin, format, arguments);                                             \
        va_end(arguments);                                                                         \
        return count;                                                                              \
    }

SCANF(scan_old, "", "scanf")
SCANF(scan_99, "__isoc99_", "scanf")
SCANF(scan_23, "__isoc23_", "scanf")

/* libc's header has an inline function of this name, after which a compiler may ignore WEAK. */
int get_char(void) __asm__("getchar");

WEAK int get_char(void)
{
    return getc(stdin);
}

static bool is_kportruns(const FILE *stream)
{
    return &kp_copy_host && (stream == stdout || stream == stderr);
}

WEAK int setvbuf(FILE *stream, char *buffer, int mode, size_t bytes)
{
    int (*hidden)(FILE *, char *, int, size_t) =
        (int (*)(FILE *, char *, int, size_t))kp_copy_hidden("setvbuf");
    return is_kportruns(stream) ? 0 : hidden(stream, buffer, mode, bytes);
}

WEAK void setbuf(FILE *stream, char *buffer)
{
    (void)setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}

void setbuffer(FILE *stream, char *buffer, size_t bytes);
void setlinebuf(FILE *stream);

WEAK void setbuffer(FILE *stream, char *buffer, size_t bytes)
{
    (void)setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, bytes);
}

WEAK void setlinebuf(FILE *stream)
{
    (void)setvbuf(stream, NULL, _IOLBF, 0);
}

/* kportrun's streams have no file of their own, but programs ask whether it is a terminal. */
WEAK int fileno(FILE *stream)
{
    int (*hidden)(FILE *) = (int (*)(FILE *))kp_copy_hidden("fileno");
    return !is_kportruns(stream) ? hidden(stream) : stream == stdout ? 1 : 2;
}

/* C++: std::ios_base::sync_with_stdio(bool). Streams that are not those of C would have a buffer of
 * their own, which all ranks would share. */
bool sync_with_stdio(bool with) __asm__("_ZNSt8ios_base15sync_with_stdioEb");

WEAK bool sync_with_stdio(bool with)
{
    bool (*hidden)(bool) = (bool (*)(bool))kp_copy_hidden("_ZNSt8ios_base15sync_with_stdioEb");
    return &kp_copy_host || !hidden ? true : hidden(with);
}
