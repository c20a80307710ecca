/* Sends and receives complete messages over a socket. `read_all` and `write_all` return false if
 * the other end has closed the socket or an error occurs. Both C and C++ files include this
 * header. */
#ifndef KPORT_BENCH_SOCKET_H
#define KPORT_BENCH_SOCKET_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static inline bool read_all(int fd, void *data, size_t bytes)
{
    for (char *at = (char *)data; bytes > 0;) {
        ssize_t got = read(fd, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

static inline bool write_all(int fd, const void *data, size_t bytes)
{
    for (const char *at = (const char *)data; bytes > 0;) {
        ssize_t put = send(fd, at, bytes, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        bytes -= (size_t)put;
    }
    return true;
}

#endif
