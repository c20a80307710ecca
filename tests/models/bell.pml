/* The bell: ACTORS members act ACTS times each and ring only for those who sleep for them; all
 * others wait for every act of every actor in turn. A lost ring is one that sleeps for ever.
 *
 * follows ports/sync/wait.c kp_wait_until 01ece4450516
 * follows ports/sync/wait.c kp_ring b301a1b5e532
 * follows ports/sync/parking.h kp_sleep_until_rung 2007ac14b5d4
 * follows ports/sync/parking.h kp_bell_count 5ab21b38eec3
 * follows ports/sync/awaited.h kp_await_begin 148be879a515
 * follows ports/sync/awaited.h kp_await_end bb862fb9bdf9
 * follows ports/sync/awaited.h kp_is_awaited 275d30e25d6c
 * follows ports/sync/awaited.h kp_waits_for 26d6021f47d8
 * follows ports/sync/mail_make.c kp_mail_sleeping fe919a38ff3a
 * follows ports/sync/mail.c announce 9074f4863186
 * follows ports/sync/mail.c wait_for f0f6a9fc42d8
 *
 * Planted: the count of those who wait comes late (AWAITED_WEAK), the actor's look is a plain load
 * that may come before its act (LOOK_WEAK), it looks before it acts (ANNOUNCE_FIRST), the sleeper
 * does not look again (NO_RECHECK), it reads the bell after its look (OLD_LATE), it says whom it
 * waits for after it counts itself (NOTE_LATE), the bell is not counted (NOT_COUNTED). */
#ifndef PROCESSORS
#define PROCESSORS 2
#endif
#ifndef ACTORS
#define ACTORS 1
#endif
#ifndef ACTS
#define ACTS 2
#endif
#define NOBODY       (-1)
#define ACTED(i)     (i)
#define AWAITED(i)   (PROCESSORS + (i))
#define WAITS_FOR(i) (2 * PROCESSORS + (i))
#define BELL(i)      (3 * PROCESSORS + (i))
#define SLEEPERS(i)  (4 * PROCESSORS + (i))
#define WORDS        (5 * PROCESSORS)
#include "memory.pml"

#ifdef AWAITED_WEAK
#define COUNT_IN(me, actor) LATE_ADD(me, AWAITED(actor), 1)
#else
#define COUNT_IN(me, actor) ADD(me, AWAITED(actor), 1)
#endif
#ifdef LOOK_WEAK
#define LOOK(me, count) LOAD(me, AWAITED(me), count)
#else
#define LOOK(me, count) atomic { IS_DRAINED(me) -> count = memory[AWAITED(me)] }
#endif

proctype waiter(byte me)
{
    byte actor = 0, act = 1;
    int old = 0, now = 0;
    do
    :: act > ACTS -> break
    :: else ->
        LOAD(me, ACTED(actor), now);
        if
        :: now >= act ->
            actor = (actor + 1) % ACTORS;
            act = act + (actor == 0 -> 1 : 0);
            now = 0
        :: else ->
#ifndef OLD_LATE
            LOAD(me, BELL(me), old);
#endif
            ADD(me, SLEEPERS(me), 1);
#ifdef NOTE_LATE
            COUNT_IN(me, actor);
            LATE_STORE(me, WAITS_FOR(me), actor);
#else
            LATE_STORE(me, WAITS_FOR(me), actor);
            COUNT_IN(me, actor);
#endif
#ifndef NO_RECHECK
            LOAD(me, ACTED(actor), now);
#endif
#ifdef OLD_LATE
            LOAD(me, BELL(me), old);
#endif
            if
            :: now >= act -> skip
            :: else ->
                LOAD(me, BELL(me), now);
                do
                :: now == old -> SLEEP(me, BELL(me), old); LOAD(me, BELL(me), now)
                :: else -> break
                od
            fi;
            LATE_ADD(me, AWAITED(actor), -1);
            LATE_STORE(me, WAITS_FOR(me), NOBODY);
            LATE_ADD(me, SLEEPERS(me), -1);
            old = 0
        fi
    od
}

inline announce(me)
{
    LOOK(me, value);
    i = (value == 0 -> PROCESSORS : 0);
    do
    :: i == PROCESSORS -> break
    :: else ->
        LOAD(me, WAITS_FOR(i), value);
        if
        :: value == me ->
#ifndef NOT_COUNTED
            ADD(me, BELL(i), 1);
#endif
            LOAD(me, SLEEPERS(i), value);
            if
            :: value > 0 -> WAKE(i)
            :: else -> skip
            fi
        :: else -> skip
        fi;
        i++
    od;
    i = 0;
    value = 0
}

proctype actor(byte me)
{
    byte act = 1, i = 0;
    int value = 0;
    do
    :: act > ACTS -> break
    :: else ->
#ifdef ANNOUNCE_FIRST
        announce(me);
#endif
        LATE_STORE(me, ACTED(me), act);
#ifndef ANNOUNCE_FIRST
        announce(me);
#endif
        act++
    od
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < PROCESSORS ->
            memory[WAITS_FOR(i)] = NOBODY;
            RUN_BUFFER(i);
            if
            :: i < ACTORS -> run actor(i)
            :: else -> run waiter(i)
            fi;
            i++
        :: else -> break
        od
    }
}
