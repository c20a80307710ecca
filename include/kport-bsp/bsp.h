/* BSPlib for C and C++ programs whose processes are threads or fibers of one process, or processes
 * of an MPI. Names and rules are those of Hill, McColl, Stefanescu, Goudreau, Lang, Rao, Suel,
 * Tsantilas and Bisseling, "BSPlib: the BSP programming library", Parallel Computing 24 (1998);
 * doc/manual/guides/bsp.md says what is served. A program is compiled by kportcc -bsp and started
 * by kportrun or mpirun. Or it is linked with libkport_bsp, and started by mpirun or by itself.
 *
 * Lengths and offsets are in bytes. A superstep ends with bsp_sync. What bsp_put, bsp_get and
 * bsp_send ask for is done there, in this order: all memory that bsp_get names is read; what has
 * been read is written; then what bsp_put has captured is written. Where puts of several processes
 * overlap, that of the lowest process stays; of one process, the last one.
 *
 * Each function is called by the process's own thread or fiber, between bsp_begin and bsp_end,
 * unless its comment says otherwise. A wrong call ends the program: a sentence names the process,
 * the function, and its file and line. Each function is also a macro, which notes this place. A
 * program that defines a function of such a name itself defines KP_NO_CALL_SITES before it includes
 * this header. */
#ifndef KPORT_BSP_H
#define KPORT_BSP_H

/* Programs rely on other libraries' bsp.h to include these. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
#include <cstdio>
extern "C" {
#endif

#define KPORT_BSP 1 /* tells this header from those of other libraries */

/* The types of MulticoreBSP. BSPlib has int for all of them. */
typedef unsigned int bsp_pid_t;
typedef unsigned int bsp_nprocs_t;
typedef size_t bsp_size_t;

/* --- Processes --- */

/* Names the function that calls bsp_begin, if it is not main. Is the first call of main. Under
 * kportrun and mpirun, process 0 returns, goes on with main, and calls `spmd` itself. In all other
 * processes bsp_init calls `spmd` and then ends the process. */
void bsp_init(void (*spmd)(void), int argc, char **argv);

/* Begins the parallel part, with min(processes, bsp_nprocs()) processes. Processes beyond that end
 * here. After bsp_init only the number that process 0 names counts. In a process that neither
 * kportrun nor mpirun has started, the caller becomes process 0, and each other process is a new
 * thread that calls `spmd` of bsp_init; they share all global variables. */
void bsp_begin(int processes);

/* Ends the parallel part. All processes call it. Unless kportrun has started the process, it waits
 * for the others' threads, or under mpirun for all processes. */
void bsp_end(void);

/* Returns the number of processes; outside of the parallel part, how many there may be. May be
 * called at any time. */
int bsp_nprocs(void);

/* Returns the number of the calling process, from 0. */
int bsp_pid(void);

/* Returns the seconds since bsp_begin. */
double bsp_time(void);

/* Writes the message to standard error and ends all processes with status 1. May be called at any
 * time. */
#ifdef __GNUC__
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void bsp_abort(const char *format, ...);

/* Ends the superstep. All processes call it. */
void bsp_sync(void);

/* --- Memory of other processes --- */

/* Registers `size` bytes at `block`. All processes register in the same order, each a block of its
 * own, perhaps of another length. From the next superstep on, `block` names in bsp_put and bsp_get
 * the block that the other process has registered with it. If a block is registered twice, the last
 * registration counts. A process that has no part in it registers NULL with 0 bytes; its last NULL
 * then names the blocks of the others. */
void bsp_push_reg(const void *block, size_t size);

/* Takes away the last registration of `block`, after this superstep. All processes take away the
 * same registration. */
void bsp_pop_reg(const void *block);

/* Writes `size` bytes to the block `to` of process `pid`, `offset` bytes after its beginning, at
 * the end of the superstep. `from` may be changed as soon as bsp_put returns. */
void bsp_put(int pid, const void *from, void *to, size_t offset, size_t size);

/* Does the same at any time until the end of the superstep. So `from` must not be changed, and the
 * bytes that are written must not be used, before bsp_sync has returned. */
void bsp_hpput(int pid, const void *from, void *to, size_t offset, size_t size);

/* Reads `size` bytes of the block `from` of process `pid`, as they are at the end of the superstep.
 * They are in `to` when bsp_sync returns. */
void bsp_get(int pid, const void *from, size_t offset, void *to, size_t size);

/* Does the same at any time until the end of the superstep. */
void bsp_hpget(int pid, const void *from, size_t offset, void *to, size_t size);

/* Reads the bytes at once: they are in `to` when the function returns. The other process must not
 * change them in this superstep. Processes of an MPI can read only their own bytes like this. */
void bsp_direct_get(int pid, const void *from, size_t offset, void *to, size_t size);

/* --- Messages --- */

/* `tag_size`, `status` and the like point to an int, unsigned, long, unsigned long or size_t. */

/* Sets the length of the tags of all messages from the next superstep on, and stores the length so
 * far. At first it is 0. All processes set the same length. */
void bsp_set_tagsize(size_t *tag_size);

/* Sends a message, which process `pid` has in the next superstep. `tag` has the length of tags. */
void bsp_send(int pid, const void *tag, const void *payload, size_t size);

/* Stores how many messages this process has still to take, and the bytes of their payloads. The
 * messages lie in the order of their senders, those of one sender in the order in which they were
 * sent. `bytes` may be NULL. */
void bsp_qsize(size_t *messages, size_t *bytes);

/* Stores the length of the first message and copies its tag, or stores -1 if there is none. */
void bsp_get_tag(size_t *status, void *tag);

/* Copies the first `size` bytes of the first message, or all if it is shorter, and takes it. */
void bsp_move(void *payload, size_t size);

/* Takes the first message without a copy. Stores where its tag and its payload lie until the next
 * bsp_sync, and returns its length, or -1 if there is no message. */
ptrdiff_t bsp_hpmove(void **tag, void **payload);

/* --- The same with the place of the call; `width` is the size of the number that is stored --- */

void kp_bsp_init(const char *file, int line, void (*spmd)(void), int argc, char **argv);
void kp_bsp_begin(const char *file, int line, int processes);
void kp_bsp_end(const char *file, int line);
#ifdef __GNUC__
__attribute__((noreturn, format(printf, 3, 4)))
#endif
void kp_bsp_abort(const char *file, int line, const char *format, ...);
int kp_bsp_pid(const char *file, int line);
double kp_bsp_time(const char *file, int line);
void kp_bsp_sync(const char *file, int line);
void kp_bsp_push_reg(const char *file, int line, const void *block, size_t size);
void kp_bsp_pop_reg(const char *file, int line, const void *block);
void kp_bsp_put(const char *file, int line, int pid, const void *from, void *to, size_t offset,
                size_t size);
void kp_bsp_hpput(const char *file, int line, int pid, const void *from, void *to, size_t offset,
                  size_t size);
void kp_bsp_get(const char *file, int line, int pid, const void *from, size_t offset, void *to,
                size_t size);
void kp_bsp_hpget(const char *file, int line, int pid, const void *from, size_t offset, void *to,
                  size_t size);
void kp_bsp_direct_get(const char *file, int line, int pid, const void *from, size_t offset,
                       void *to, size_t size);
void kp_bsp_set_tagsize(const char *file, int line, void *tag_size, size_t width);
void kp_bsp_send(const char *file, int line, int pid, const void *tag, const void *payload,
                 size_t size);
void kp_bsp_qsize(const char *file, int line, void *messages, size_t messages_width, void *bytes,
                  size_t bytes_width);
void kp_bsp_get_tag(const char *file, int line, void *status, size_t width, void *tag);
void kp_bsp_move(const char *file, int line, void *payload, size_t size);
ptrdiff_t kp_bsp_hpmove(const char *file, int line, void **tag, void **payload);

#ifdef __cplusplus
}

template <class T> inline size_t kp_bsp_width(T *)
{
    return sizeof(T);
}
inline size_t kp_bsp_width(void *)
{
    return 0;
}
inline size_t kp_bsp_width(decltype(nullptr))
{
    return 0;
}
inline size_t kp_bsp_width(long)
{
    return 0;
} /* NULL */
#define KP_BSP_WIDTH(pointer) kp_bsp_width(pointer)
#else
/* 0: `pointer` is NULL, or points to something else. */
#define KP_BSP_WIDTH(pointer)                                                                      \
    _Generic((pointer),                                                                            \
        int *: sizeof(int),                                                                        \
        unsigned *: sizeof(int),                                                                   \
        long *: sizeof(long),                                                                      \
        unsigned long *: sizeof(long),                                                             \
        long long *: sizeof(long long),                                                            \
        unsigned long long *: sizeof(long long),                                                   \
        default: 0)
#endif

/* Functions that are compiled into the program, for the macros below. */
#include "bsp_inline.h"

#ifndef KP_NO_CALL_SITES
#define bsp_init(...)       kp_bsp_init(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_begin(...)      kp_bsp_begin(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_end()           kp_bsp_end(__FILE__, __LINE__)
#define bsp_abort(...)      kp_bsp_abort(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_pid()           kp_bsp_pid(__FILE__, __LINE__)
#define bsp_time()          kp_bsp_time(__FILE__, __LINE__)
#define bsp_sync()          kp_bsp_sync(__FILE__, __LINE__)
#define bsp_push_reg(...)   kp_bsp_push_reg(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_pop_reg(...)    kp_bsp_pop_reg(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_put(...)        kp_bsp_put_inline(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_hpput(...)      kp_bsp_hpput_inline(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_get(...)        kp_bsp_get(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_hpget(...)      kp_bsp_hpget(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_direct_get(...) kp_bsp_direct_get(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_set_tagsize(tag_size)                                                                  \
    kp_bsp_set_tagsize(__FILE__, __LINE__, tag_size, KP_BSP_WIDTH(tag_size))
#define bsp_send(...) kp_bsp_send_inline(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_qsize(messages, bytes)                                                                 \
    kp_bsp_qsize(__FILE__, __LINE__, messages, KP_BSP_WIDTH(messages), bytes, KP_BSP_WIDTH(bytes))
#define bsp_get_tag(status, tag)                                                                   \
    kp_bsp_get_tag(__FILE__, __LINE__, status, KP_BSP_WIDTH(status), tag)
#define bsp_move(...)   kp_bsp_move_inline(__FILE__, __LINE__, __VA_ARGS__)
#define bsp_hpmove(...) kp_bsp_hpmove(__FILE__, __LINE__, __VA_ARGS__)
#endif

#endif
