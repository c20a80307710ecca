#include "lib/layout/kept.h"

#include <stdlib.h>

void kp_laid_free(struct kp_laid *laid)
{
    if (!laid)
        return;
    for (int space = KP_OUT; space <= KP_IN; space++) {
        kp_layout_free((kp_layout *)laid->given[space]);
        kp_layout_free((kp_layout *)laid->block[space]);
    }
    free(laid);
}

bool kp_laid_serves(const struct kp_laid *laid, const kp_arguments *a)
{
    if (!laid || !kp_has_layouts(a))
        return !laid && !kp_has_layouts(a);
    return laid->given[KP_OUT] == a->out_layout && laid->given[KP_IN] == a->in_layout &&
           laid->count[KP_OUT] == a->out_count && laid->count[KP_IN] == a->in_count;
}

size_t kp_laid_bytes(const struct kp_laid *laid)
{
    size_t bytes = laid ? sizeof *laid : 0;
    for (int space = KP_OUT; space <= KP_IN && laid; space++) {
        const kp_layout *layout = laid->given[space];
        bytes += layout ? layout->run_count * sizeof *layout->runs + sizeof *layout : 0;
    }
    return bytes;
}

struct kp_laid *kp_laid_make(const kp_arguments *a)
{
    struct kp_laid *laid = calloc(1, sizeof *laid);
    if (!laid)
        return NULL;
    laid->given[KP_OUT] = a->out_layout;
    laid->given[KP_IN] = a->in_layout;
    laid->count[KP_OUT] = a->out_count;
    laid->count[KP_IN] = a->in_count;
    int status = KP_OK;
    for (int space = KP_OUT; space <= KP_IN; space++) {
        if (!laid->given[space])
            continue;
        kp_layout_hold(laid->given[space]);
        status = status
                     ? status
                     : kp_layout_block(laid->given[space], laid->count[space], &laid->block[space]);
    }
    if (!status)
        return laid;
    kp_laid_free(laid);
    return NULL;
}
