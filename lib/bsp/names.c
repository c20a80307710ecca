/* The functions of bsp.h for programs that call them by pointers or without its macros. No place is
 * known then. */
#define KP_NO_CALL_SITES
#include "kport-bsp/bsp.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void bsp_init(void (*spmd)(void), int argc, char **argv)
{
    kp_bsp_init(NULL, 0, spmd, argc, argv);
}

EXPORT void bsp_begin(int processes)
{
    kp_bsp_begin(NULL, 0, processes);
}

EXPORT void bsp_end(void)
{
    kp_bsp_end(NULL, 0);
}

EXPORT int bsp_pid(void)
{
    return kp_bsp_pid(NULL, 0);
}

EXPORT double bsp_time(void)
{
    return kp_bsp_time(NULL, 0);
}

EXPORT void bsp_sync(void)
{
    kp_bsp_sync(NULL, 0);
}

EXPORT void bsp_push_reg(const void *block, size_t size)
{
    kp_bsp_push_reg(NULL, 0, block, size);
}

EXPORT void bsp_pop_reg(const void *block)
{
    kp_bsp_pop_reg(NULL, 0, block);
}

EXPORT void bsp_put(int pid, const void *from, void *to, size_t offset, size_t size)
{
    kp_bsp_put(NULL, 0, pid, from, to, offset, size);
}

EXPORT void bsp_hpput(int pid, const void *from, void *to, size_t offset, size_t size)
{
    kp_bsp_hpput(NULL, 0, pid, from, to, offset, size);
}

EXPORT void bsp_get(int pid, const void *from, size_t offset, void *to, size_t size)
{
    kp_bsp_get(NULL, 0, pid, from, offset, to, size);
}

EXPORT void bsp_hpget(int pid, const void *from, size_t offset, void *to, size_t size)
{
    kp_bsp_hpget(NULL, 0, pid, from, offset, to, size);
}

EXPORT void bsp_direct_get(int pid, const void *from, size_t offset, void *to, size_t size)
{
    kp_bsp_direct_get(NULL, 0, pid, from, offset, to, size);
}

EXPORT void bsp_set_tagsize(size_t *tag_size)
{
    kp_bsp_set_tagsize(NULL, 0, tag_size, sizeof *tag_size);
}

EXPORT void bsp_send(int pid, const void *tag, const void *payload, size_t size)
{
    kp_bsp_send(NULL, 0, pid, tag, payload, size);
}

EXPORT void bsp_qsize(size_t *messages, size_t *bytes)
{
    kp_bsp_qsize(NULL, 0, messages, sizeof *messages, bytes, sizeof *bytes);
}

EXPORT void bsp_get_tag(size_t *status, void *tag)
{
    kp_bsp_get_tag(NULL, 0, status, sizeof *status, tag);
}

EXPORT void bsp_move(void *payload, size_t size)
{
    kp_bsp_move(NULL, 0, payload, size);
}

EXPORT ptrdiff_t bsp_hpmove(void **tag, void **payload)
{
    return kp_bsp_hpmove(NULL, 0, tag, payload);
}
