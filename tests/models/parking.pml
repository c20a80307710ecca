/* Parking: WAKERS processors change a word CHANGES times each, all others sleep until it changes,
 * again and again, until they have seen the last change. A lost wake-up is one that sleeps for
 * ever, which SPIN reports as an invalid end state.
 *
 * follows ports/sync/parking.h kp_park daffce772ccd
 * follows ports/sync/parking.h kp_has_sleepers de666a16579a
 * follows ports/sync/wait.c kp_wake_all 8eeb057b9dc6
 * follows ports/sync/wait.c kp_wait_change 7067237c401e
 *
 * Planted: the count of sleepers comes late (SLEEP_WEAK; a weaker look after it, RECHECK_WEAK, is
 * the same, as C11 keeps only sequentially consistent ones apart), the change comes late
 * (PUBLISH_WEAK, LOOK_WEAK), the waker looks before it changes (LOOK_FIRST), the sleeper sleeps
 * without another look (NO_RECHECK), only one is woken (WAKE_ONE). */
#ifndef PROCESSORS
#define PROCESSORS 2
#endif
#ifndef WAKERS
#define WAKERS 1
#endif
#ifndef CHANGES
#define CHANGES 2
#endif
#define VALUE    0
#define SLEEPERS 1
#define WORDS    2
#include "memory.pml"

#if defined(SLEEP_WEAK) || defined(RECHECK_WEAK)
#define COUNT_IN(me) LATE_ADD(me, SLEEPERS, 1)
#else
#define COUNT_IN(me) ADD(me, SLEEPERS, 1)
#endif
#if defined(PUBLISH_WEAK) || defined(LOOK_WEAK)
#define CHANGE(me) LATE_ADD(me, VALUE, 1)
#else
#define CHANGE(me) ADD(me, VALUE, 1)
#endif

proctype sleeper(byte me)
{
    int old = 0, value = 0;
    do
    :: old == CHANGES * WAKERS -> break
    :: else ->
        COUNT_IN(me);
#ifdef NO_RECHECK
        asleep[me] = 1;
        (!asleep[me]);
#endif
        LOAD(me, VALUE, value);
        do
        :: value == old ->
            SLEEP(me, VALUE, old);
            LOAD(me, VALUE, value)
        :: else -> break
        od;
        LATE_ADD(me, SLEEPERS, -1);
        assert(value > old);
        old = value
    od
}

proctype waker(byte me)
{
    int sleepers = 0;
    byte changes = 0;
    do
    :: changes == CHANGES -> break
    :: else ->
#ifdef LOOK_FIRST
        LOAD(me, SLEEPERS, sleepers);
        CHANGE(me);
#else
        CHANGE(me);
        LOAD(me, SLEEPERS, sleepers);
#endif
        if
        :: sleepers > 0 ->
#ifdef WAKE_ONE
            if
            :: asleep[WAKERS] -> WAKE(WAKERS)
            :: else -> WAKE_ALL
            fi
#else
            WAKE_ALL
#endif
        :: else -> skip
        fi;
        changes++
    od
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < PROCESSORS ->
            RUN_BUFFER(i);
            if
            :: i < WAKERS -> run waker(i)
            :: else -> run sleeper(i)
            fi;
            i++
        :: else -> break
        od
    }
}
