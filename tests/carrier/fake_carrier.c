/* Stands for a shared object that speaks to an MPI (test_load.c). With OTHER_VERSION defined it
 * stands for one of another version of kport, which has no function of the name that libkport looks
 * for. */
#include "ports/carrier/wire.h"

#ifdef OTHER_VERSION
KP_API int kp_wires_open_0(void);
int kp_wires_open_0(void)
{
    return 0;
}
#else
KP_API kp_wires_open kp_wires_open_7;

/* A NULL `comm` asks for wires without processors, any other for a refusal. */
int kp_wires_open_7(const struct kp_wires_host *host, const void *comm, int per_process,
                    int threads, struct kp_wires **wires)
{
    (void)threads;
    static struct kp_wires opened = {.network = "Fake 1.0", .crowd = 2.5};
    if (!kp_wires_fit(host, KP_VERSION))
        return host->set_error(KP_EFAILED, "the carrier does not fit");
    if (comm)
        return host->set_error(KP_EARGUMENT, "per_process is %d; it may not be", per_process);
    *wires = &opened;
    return 0;
}
#endif
