/* Checks a schedule without running it. */
#ifndef KPORT_TOOLS_MSCCL_VERIFY_H
#define KPORT_TOOLS_MSCCL_VERIFY_H

#include "tools/kport/msccl/check/results.h"

struct msccl_wish {
    uint32_t depth;     /* of the connections; MSCCL_UNBOUNDED */
    bool back_pressure; /* a full connection orders steps */
    bool torn;          /* a step may be torn apart: two additions to a place may lose one */
};

struct msccl_verdict {
    struct findings findings;
    bool ordered;           /* the messages' receivers are known, so deadlocks and depths are */
    bool examined;          /* the steps are all carried out, so races and results are known */
    bool deadlock;          /* at the depth asked for */
    uint32_t depth_needed;  /* 0: nothing is sent, or no depth suffices */
    enum msccl_order order; /* also of a wrong schedule, if it is examined */
};

/* Returns false after an error: there is no memory, or the schedule is too large. Then writes a
 * sentence to `error`. The caller must end the findings (findings_end) in any case. */
bool msccl_verify(const struct msccl *m, const struct msccl_wish *wish, struct msccl_verdict *to,
                  char error[MSCCL_ERROR]);

/* Returns EXIT_DONE if the schedule is right at connections of any depth, EXIT_FAILED if it is
 * wrong, and EXIT_IMPOSSIBLE if it cannot be checked. If the status is not EXIT_DONE, writes the
 * first reason to `error`. */
int msccl_judge(const struct msccl *m, char error[MSCCL_ERROR]);

#endif
