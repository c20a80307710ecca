/* Fibers that wait, and workers that park: one worker, with one fiber that waits for each change of
 * a word in turn, and CHANGERS threads that change it CHANGES times each. The worker arms the
 * word's queue, or polls the word until it parks; a lost wake-up is a worker that sleeps for ever.
 *
 * follows ports/carrier/fibers_run.c kp_fiber_wait a39fb6df4c0f
 * follows ports/carrier/fibers_run.c look_after 7fea5e44c471
 * follows ports/carrier/fibers_run.c arm 03046132ab8f
 * follows ports/carrier/fibers_run.c close_queue 7b55e17fd092
 * follows ports/carrier/fibers_run.c release 7d5d462a1257
 * follows ports/carrier/fibers_run.c kp_fiber_wake 4bd471554110
 * follows ports/carrier/inbox.h kp_inbox_put b84d82791c53
 * follows ports/carrier/inbox.h kp_inbox_has_any 484a24b2e316
 * follows ports/carrier/inbox.h kp_inbox_take 64f14bc2f88c
 * follows ports/carrier/fibers_run.c post 61637fbf94e7
 * follows ports/carrier/fibers_run.c empty_inbox 26bf0019eed1
 * follows ports/carrier/fibers_run.c poll_words d8f264a3a9d6
 * follows ports/carrier/fibers_run.c park 3704dccc0256
 * follows ports/carrier/fibers.c any_posted 79b352dae507
 * follows ports/carrier/fibers.c bury aad94d94bab5
 * follows ports/carrier/fibers_run.c sleep_until_rung 90fe8d70695e
 * follows ports/sync/parking.h kp_park daffce772ccd
 *
 * Once nobody waits for the word or will, its queue is freed as soon as it is not posted. With
 * -DOTHERS a queue of another worker is armed for good, so that who changes the word always finds
 * sleepers. What several queues of a word do to its count is queues.pml's matter.
 *
 * Planted: the queue is counted after the last look at the word (COUNT_LATE); that it is armed comes
 * late (ARM_WEAK), the change does (CHANGE_WEAK), that the worker parks does (PARKED_WEAK), the push
 * does (PUSH_WEAK); the word is not looked at again once armed (NO_ARM_RECHECK), the inbox is not
 * once parked (NO_PARK_RECHECK), the bell is read after that (BELL_LATE), the worker parks while it
 * polls (POLL_WHILE_PARKED), the queue's state is looked at before the word is changed (POST_WEAK),
 * the worker is not done with the queue when it says so (QUIET_WEAK; POSTED_WEAK, as who frees it
 * does not look first, is the same). */
#ifndef CHANGERS
#define CHANGERS 1
#endif
#ifndef CHANGES
#define CHANGES 2
#endif
#define PROCESSORS (CHANGERS + 1)
#define WORKER     0
#define LAST       (CHANGERS * CHANGES)

#define VALUE    0
#define SLEEPERS 1 /* of the word */
#define STATE    2 /* of the queue */
#define INBOX    3 /* 1: the queue is in it */
#define PARKED   4
#define BELL     5
#define RINGERS  6 /* sleepers of the bell */
#define WORDS    7
#include "memory.pml"

#define QUIET  0
#define ARMED  1
#define POSTED 2

#ifdef ARM_WEAK
#define SAY_ARMED LATE_STORE(WORKER, STATE, ARMED)
#else
#define SAY_ARMED STORE(WORKER, STATE, ARMED)
#endif
#ifdef PARKED_WEAK
#define SAY_PARKED LATE_STORE(WORKER, PARKED, 1)
#else
#define SAY_PARKED STORE(WORKER, PARKED, 1)
#endif
#ifdef CHANGE_WEAK
#define CHANGE(me) LATE_ADD(me, VALUE, 1)
#else
#define CHANGE(me) ADD(me, VALUE, 1)
#endif
#ifdef PUSH_WEAK
#define PUSH(me) LATE_STORE(me, INBOX, 1)
#else
/* A queue that is there already would be lost, with all behind it. */
#define PUSH(me) atomic { IS_DRAINED(me); assert(memory[INBOX] == 0); memory[INBOX] = 1 }
#endif

byte done; /* with changing or waiting */
bit freed;
bit waiting, polled; /* the worker's own: the queue has a waiter; the worker polls the word */

inline release_waiter()
{
    waiting = 0;
    if
    :: polled -> polled = 0
    :: else ->
        atomic {
            IS_DRAINED(WORKER);
            value = (memory[STATE] == ARMED);
            if
            :: value -> memory[STATE] = QUIET
            :: else -> skip
            fi
        };
        if
        :: value -> LATE_ADD(WORKER, SLEEPERS, -1)
        :: else -> skip
        fi
    fi;
    value = 0
}

inline arm()
{
    LOAD(WORKER, STATE, value);
    if
    :: value == POSTED -> value = 0
    :: else ->
#ifndef COUNT_LATE
        ADD(WORKER, SLEEPERS, 1);
#endif
        SAY_ARMED;
#ifndef NO_ARM_RECHECK
        LOAD(WORKER, VALUE, value);
        if
        :: value != old -> release_waiter()
        :: else -> value = 0
        fi
#else
        value = 0
#endif
#ifdef COUNT_LATE
        ;
        ADD(WORKER, SLEEPERS, 1)
#endif
    fi
}

inline look_after()
{
    if
    :: polled = 1
    :: arm()
    fi
}

inline empty_inbox()
{
    LOAD(WORKER, INBOX, value);
    if
    :: value ->
        STORE(WORKER, INBOX, 0);
#if defined(QUIET_WEAK) || defined(POSTED_WEAK)
        STORE(WORKER, STATE, QUIET);
        assert(!freed);
#else
        assert(!freed);
        LATE_STORE(WORKER, STATE, QUIET);
#endif
        if
        :: waiting ->
            LOAD(WORKER, VALUE, value);
            if
            :: value != old -> release_waiter()
            :: value == old && !polled -> look_after()
            :: else -> skip
            fi
        :: else -> skip
        fi
    :: else -> skip
    fi;
    value = 0
}

inline poll_words()
{
    if
    :: polled ->
        LOAD(WORKER, VALUE, value);
        if
        :: value != old -> release_waiter()
        :: else -> value = 0
        fi
    :: else -> skip
    fi
}

inline sleep_until_rung()
{
#ifndef BELL_LATE
    LOAD(WORKER, BELL, seen);
#endif
    SAY_PARKED;
#ifndef NO_PARK_RECHECK
    LOAD(WORKER, INBOX, value);
#else
    value = 0;
#endif
#ifdef BELL_LATE
    LOAD(WORKER, BELL, seen);
#endif
    if
    :: value -> skip
    :: else ->
        ADD(WORKER, RINGERS, 1);
        LOAD(WORKER, BELL, value);
        do
        :: value == seen -> SLEEP(WORKER, BELL, seen); LOAD(WORKER, BELL, value)
        :: else -> break
        od;
        LATE_ADD(WORKER, RINGERS, -1)
    fi;
    LATE_STORE(WORKER, PARKED, 0);
    seen = 0;
    value = 0
}

inline idle()
{
    if
    :: empty_inbox(); poll_words()
    :: skip
    fi;
#ifndef POLL_WHILE_PARKED
    do
    :: true ->
        if
        :: polled -> polled = 0; arm()
        :: else -> skip
        fi;
        empty_inbox();
        if
        :: polled -> skip
        :: else -> break
        fi
    od
#endif
}

proctype worker()
{
    int old = 0, value = 0, seen = 0;
    do
    :: old == LAST -> break
    :: else ->
        LOAD(WORKER, VALUE, value);
        if
        :: value != old -> old = value; value = 0
        :: else ->
            waiting = 1;
            value = 0;
            look_after();
            do
            :: !waiting -> break
            :: waiting ->
                idle();
                if
                :: waiting -> sleep_until_rung(); empty_inbox()
                :: else -> skip
                fi
            od
        fi
    od;
    done++;
    empty_inbox()
}

proctype burier()
{
end: /* what is posted after the worker's last look is freed with the machine */
    (done == PROCESSORS && memory[STATE] != POSTED);
    freed = 1
}

proctype changer(byte me)
{
    byte changes = 0;
    int value = 0;
    bit seems_armed = 1;
    do
    :: changes == CHANGES -> break
    :: else ->
#ifdef POST_WEAK
        LOAD(me, STATE, value);
        seems_armed = (value == ARMED);
#endif
        CHANGE(me);
        LOAD(me, SLEEPERS, value);
        if
        :: value == 0 -> skip
        :: else ->
            atomic {
                IS_DRAINED(me);
                value = (seems_armed && memory[STATE] == ARMED);
                if
                :: value -> memory[STATE] = POSTED
                :: else -> skip
                fi
            };
            if
            :: value ->
                LATE_ADD(me, SLEEPERS, -1);
                PUSH(me);
                LOAD(me, PARKED, value);
                if
                :: value ->
                    ADD(me, BELL, 1);
                    LOAD(me, RINGERS, value);
                    if
                    :: value > 0 -> WAKE(WORKER)
                    :: else -> skip
                    fi
                :: else -> skip
                fi
            :: else -> skip
            fi
        fi;
        value = 0;
        changes++
    od;
    done++
}

init
{
    atomic {
        byte i = 1;
        RUN_BUFFER(WORKER);
#ifdef OTHERS
        memory[SLEEPERS] = 1;
#endif
        run worker();
        run burier();
        do
        :: i < PROCESSORS ->
            RUN_BUFFER(i);
            run changer(i);
            i++
        :: else -> break
        od
    }
}
