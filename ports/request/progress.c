#include "ports/request/progress.h"

#include "ports/error.h"
#include "ports/member.h"
#include "ports/sync/wait.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What the progress thread knows of a processor. */
struct lent {
    alignas(KP_CACHE_LINE) pthread_mutex_t lock; /* held by whoever uses the requests if `holds` */
    bool holds;                                  /* the requests are lent; guarded by `lock` */
    bool listens;            /* the progress thread listens for them; guarded by `lock` */
    _Atomic uint32_t roused; /* 1: a request may go on */
};

struct kp_progress {
    struct kp_wait_word bell; /* the progress thread sleeps on it */
    pthread_t thread;
    _Atomic bool stopping; /* written before the bell is rung for the last time */
    struct lent of[];
};

static struct lent *lent_of(const kp_proc *proc)
{
    return &proc->machine->progress->of[proc->number];
}

void kp_progress_rouse(kp_proc *proc)
{
    /* The bell orders this store: its ring releases the store, and what has happened before. The
     * progress thread reads the bell before it looks at the flags. */
    atomic_store_explicit(&lent_of(proc)->roused, 1, KP_ORDER_ROUSED);
    kp_ring(&proc->machine->progress->bell);
}

static void listen(kp_proc *proc, struct lent *lent, bool begins)
{
    if (lent->listens == begins)
        return;
    lent->listens = begins;
    kp_requests_listen(proc, begins ? KP_PROGRESS_LISTENS : -KP_PROGRESS_LISTENS);
}

/* --- The processor's own thread --- */

void kp_progress_take_back(kp_proc *self)
{
    struct lent *lent = lent_of(self);
    pthread_mutex_lock(&lent->lock);
    lent->holds = false;
    listen(self, lent, false);
    pthread_mutex_unlock(&lent->lock);
}

void kp_progress_lend_out(kp_proc *self)
{
    if (self->requests.under_way == 0 || self->failed)
        return;
    struct lent *lent = lent_of(self);
    pthread_mutex_lock(&lent->lock);
    listen(self, lent, true);
    const bool can_go = kp_requests_can_go(self);
    lent->holds = true;
    pthread_mutex_unlock(&lent->lock);
    /* If the progress thread has found the flag before, it has found nothing lent, and waits for
     * this ring. */
    if (can_go || atomic_load_explicit(&lent->roused, KP_ORDER_ROUSED))
        kp_progress_rouse(self);
}

/* --- The progress thread --- */

/* Goes on with the processor's requests if they are lent. */
static void serve(kp_proc *proc)
{
    struct lent *lent = lent_of(proc);
    if (!atomic_load_explicit(&lent->roused, KP_ORDER_ROUSED))
        return;
    pthread_mutex_lock(&lent->lock);
    if (lent->holds) {
        atomic_store_explicit(&lent->roused, 0, KP_ORDER_ROUSED);
        listen(proc, lent, false);
        do
            kp_progress(proc);
        while (kp_requests_can_go(proc));
        listen(proc, lent, proc->requests.under_way > 0);
        if (kp_requests_can_go(proc)) /* seldom taken: another processor acts at this moment */
            kp_progress_rouse(proc);
    }
    pthread_mutex_unlock(&lent->lock);
}

/* Keeps the thread from taking the core, as soon as it is woken, of the processor that has woken
 * it. This processor may be about to leave its call, and start its own work late. */
static void do_not_preempt(void)
{
#ifdef SCHED_BATCH
    const struct sched_param none = {0};
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
#endif
}

static void *run(void *argument)
{
    kp_machine *machine = argument;
    do_not_preempt();
    struct kp_progress *progress = machine->progress;
    const struct kp_waiter patient = {.yields = 0};
    uint32_t seen = 0; /* a ring that comes before the thread's first step counts, too */
    for (;;) {
        for (int i = 0; i < machine->n; i++)
            serve(&machine->procs[i]);
        seen = kp_wait_change(&progress->bell, seen, &patient);
        if (atomic_load_explicit(&progress->stopping, KP_ORDER_ROUSED))
            return NULL;
    }
}

int kp_progress_complete(const struct kp_machine_config *config)
{
    if (config->progress < 0 || config->progress > 1)
        return kp_set_error(KP_EARGUMENT, "progress is %d; it may be 0 or 1", config->progress);
    if (config->check_buffers < 0 || config->check_buffers > 1)
        return kp_set_error(KP_EARGUMENT, "check_buffers is %d; it may be 0 or 1",
                            config->check_buffers);
    if (config->progress && (config->wire || config->carrier != KP_CARRIER_THREADS))
        return kp_set_error(KP_EARGUMENT,
                            "progress is 1, and only processors that are threads have a progress "
                            "thread; with this carrier it may be 0, and a processor that computes "
                            "for long calls kp_test now and then");
    return KP_OK;
}

int kp_progress_start(kp_machine *machine)
{
    if (!machine->config.progress)
        return KP_OK;
    struct kp_progress *made =
        kp_lines_zeroed(1, sizeof *made + (size_t)machine->n * sizeof made->of[0]);
    if (!made)
        return kp_set_error(KP_EMEMORY, "no memory for the progress of %d processors", machine->n);
    for (int i = 0; i < machine->n; i++)
        pthread_mutex_init(&made->of[i].lock, NULL);
    machine->progress = made;
    /* The program's signals are for its own threads. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&made->thread, NULL, run, machine);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        return KP_OK;
    free(made);
    machine->progress = NULL;
    return kp_set_error(KP_ETHREAD, "the progress thread cannot be started: %s", strerror(failed));
}

void kp_progress_stop(kp_machine *machine)
{
    struct kp_progress *progress = machine->progress;
    if (!progress)
        return;
    atomic_store_explicit(&progress->stopping, true, KP_ORDER_ROUSED);
    kp_ring(&progress->bell);
    pthread_join(progress->thread, NULL);
    for (int i = 0; i < machine->n; i++)
        pthread_mutex_destroy(&progress->of[i].lock);
    free(progress);
    machine->progress = NULL;
}
