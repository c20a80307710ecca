/* The queues of one word, of which `sleepers` counts those that are armed: WORKERS workers, each
 * with one fiber that waits for the word, and one who publishes an episode and then fails the group;
 * with -DAPART somebody else fails it, at any time. A failure freezes the word: nobody changes it
 * after that, so a wake-up that is lost stays lost. How a worker parks is arming.pml's matter: here
 * it sleeps until its inbox has something.
 *
 * follows ports/carrier/fibers_run.c arm 03046132ab8f
 * follows ports/carrier/fibers_run.c close_queue 7b55e17fd092
 * follows ports/carrier/fibers_run.c release 7d5d462a1257
 * follows ports/carrier/fibers_run.c kp_fiber_wake 4bd471554110
 * follows ports/carrier/fibers_run.c empty_inbox 26bf0019eed1
 * follows ports/sync/arrival.h kp_generation_publish 777207d7e324
 * follows ports/sync/arrival.h kp_generation_freeze ba55363c052e
 *
 * In the end no queue is counted.
 *
 * Planted: a queue is armed before it is counted (ARMED_FIRST), so that who posts it takes away
 * what was counted for another one. */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifdef APART
#define PROCESSORS (WORKERS + 2)
#else
#define PROCESSORS (WORKERS + 1)
#endif
#define PASSER  WORKERS
#define FREEZER (PROCESSORS - 1)

#define VALUE    0
#define SLEEPERS 1
#define STATE    2 /* of each queue */
#define INBOX    (STATE + WORKERS) /* of each worker; 1: its queue is in it */
#define WORDS    (INBOX + WORKERS)
#include "memory.pml"

#define QUIET  0
#define ARMED  1
#define POSTED 2

#define PASSED 1
#define FROZEN 2 /* added to what the word was */

byte done;

inline release_waiter(me)
{
    waiting = 0;
    atomic {
        IS_DRAINED(me);
        value = (memory[STATE + me] == ARMED);
        if
        :: value -> memory[STATE + me] = QUIET
        :: else -> skip
        fi
    };
    if
    :: value -> LATE_ADD(me, SLEEPERS, -1)
    :: else -> skip
    fi
}

inline release_if_changed(me)
{
    LOAD(me, VALUE, value);
    if
    :: value != old -> release_waiter(me)
    :: else -> skip
    fi
}

inline arm(me)
{
    LOAD(me, STATE + me, value);
    if
    :: value == POSTED -> skip
    :: else ->
#ifdef ARMED_FIRST
        STORE(me, STATE + me, ARMED);
        ADD(me, SLEEPERS, 1);
#else
        ADD(me, SLEEPERS, 1);
        STORE(me, STATE + me, ARMED);
#endif
        release_if_changed(me)
    fi;
    value = 0
}

inline empty_inbox(me)
{
    STORE(me, INBOX + me, 0);
    LATE_STORE(me, STATE + me, QUIET);
    if
    :: waiting ->
        release_if_changed(me);
        if
        :: waiting -> arm(me)
        :: else -> skip
        fi
    :: else -> skip
    fi;
    value = 0
}

proctype worker(byte me)
{
    int old = 0, value = 0;
    bit waiting = 0;
    do
    :: old >= FROZEN -> break
    :: else ->
        LOAD(me, VALUE, value);
        if
        :: value != old -> old = value; value = 0
        :: else ->
            waiting = 1;
            arm(me);
            do
            :: !waiting -> break
            :: waiting && memory[INBOX + me] -> empty_inbox(me)
            od
        fi
    od;
    old = 0;
    done++
}

/* A queue that is there already would be lost, with all behind it. */
inline push(me, i)
{
    atomic {
        IS_DRAINED(me);
        assert(memory[INBOX + i] == 0);
        memory[INBOX + i] = 1
    }
}

inline wake(me)
{
    LOAD(me, SLEEPERS, value);
    if
    :: value == 0 -> skip
    :: else ->
        do
        :: i < WORKERS ->
            atomic {
                IS_DRAINED(me);
                value = (memory[STATE + i] == ARMED);
                if
                :: value -> memory[STATE + i] = POSTED
                :: else -> skip
                fi
            };
            if
            :: value -> LATE_ADD(me, SLEEPERS, -1); push(me, i)
            :: else -> skip
            fi;
            i++
        :: else -> break
        od
    fi;
    value = 0;
    i = 0
}

inline pass(me)
{
    atomic {
        IS_DRAINED(me);
        value = (memory[VALUE] == 0);
        if
        :: value -> memory[VALUE] = PASSED
        :: else -> skip
        fi
    };
    if
    :: value -> wake(me)
    :: else -> skip
    fi
}

inline freeze(me)
{
    ADD(me, VALUE, FROZEN);
    wake(me)
}

proctype passer()
{
    int value = 0;
    byte i = 0;
    pass(PASSER);
#ifndef APART
    freeze(FREEZER);
#endif
    done++
}

#ifdef APART
proctype freezer()
{
    int value = 0;
    byte i = 0;
    freeze(FREEZER);
    done++
}
#endif

/* Never to go on is an error here as it is in the others. */
proctype auditor()
{
    (done == PROCESSORS && memory[SLEEPERS] == 0)
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < WORKERS ->
            RUN_BUFFER(i);
            run worker(i);
            i++
        :: else -> break
        od;
        RUN_BUFFER(PASSER);
        run passer();
#ifdef APART
        RUN_BUFFER(FREEZER);
        run freezer();
#endif
        run auditor()
    }
}
