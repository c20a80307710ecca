/* Reading another member's memory: READERS members do so, now and then, while their group may be
 * broken; its owner breaks it, waits until nobody reads, and takes the memory back. It is never
 * taken back while it is read, and the owner is always rung for.
 *
 * follows ports/sync/awaited.h kp_reading_begin c0cfc19b4932
 * follows ports/sync/awaited.h kp_reading_end e203b22e76a3
 * follows ports/sync/awaited.h kp_is_reading ce953a28c6bf
 * follows ports/sync/awaited.h kp_break 9aff2587d942
 * follows ports/sync/awaited.h kp_is_broken acec999588f0
 * follows ports/sync/mail.c kp_mail_begin_reading 8365cb36cc6a
 * follows ports/sync/mail.c kp_mail_end_reading 36ff5013734b
 * follows ports/sync/mail.c kp_mail_break f1d234aa3d9e
 * follows ports/sync/mail.c ring_all c5614695e4e7
 * follows ports/sync/mail.c nobody_reads a44dc3624328
 * follows ports/sync/mail.c fail 05b9641852a5
 * follows ports/sync/parking.h kp_sleep_until_rung 2007ac14b5d4
 *
 * Planted: the reader says so late (READING_WEAK, BROKEN_WEAK: its look comes before), the owner
 * breaks late (BREAK_WEAK, READERS_WEAK: its look comes before), the reader looks before it says so
 * (LOOK_FIRST), nobody rings at the end of reading (NO_RING). */
#ifndef PROCESSORS
#define PROCESSORS 2
#endif
#ifndef READS
#define READS 2
#endif
#define OWNER      0
#define BROKEN     0
#define READING(i) (i) /* of readers, which are 1 ... PROCESSORS - 1 */
#define BELL       PROCESSORS
#define SLEEPERS   (PROCESSORS + 1)
#define WORDS      (PROCESSORS + 2)
#include "memory.pml"

#if defined(READING_WEAK) || defined(BROKEN_WEAK)
#define SAY(me, value) LATE_STORE(me, READING(me), value)
#else
#define SAY(me, value) STORE(me, READING(me), value)
#endif
#if defined(BREAK_WEAK) || defined(READERS_WEAK)
#define BREAK(me) LATE_STORE(me, BROKEN, 1)
#else
#define BREAK(me) STORE(me, BROKEN, 1)
#endif

bit taken_back;

proctype reader(byte me)
{
    byte reads = 0;
    int broken = 0, sleepers = 0;
    do
    :: reads == READS || broken -> break
    :: else ->
#ifdef LOOK_FIRST
        LOAD(me, BROKEN, broken);
        SAY(me, 1);
#else
        SAY(me, 1);
        LOAD(me, BROKEN, broken);
#endif
        if
        :: !broken -> assert(!taken_back)
        :: else -> skip
        fi;
        SAY(me, 0);
#ifndef NO_RING
        LOAD(me, BROKEN, broken);
        if
        :: broken ->
            ADD(me, BELL, 1);
            LOAD(me, SLEEPERS, sleepers);
            if
            :: sleepers > 0 -> WAKE(OWNER)
            :: else -> skip
            fi
        :: else -> skip
        fi;
#endif
        sleepers = 0;
        reads++
    od
}

/* Also says so if it finds one that reads. */
inline look(me)
{
    i = 1;
    reads = 0;
    do
    :: i < PROCESSORS && !reads -> LOAD(me, READING(i), reads); i++
    :: else -> break
    od;
    i = 0
}

proctype owner(byte me)
{
    byte i = 0;
    int reads = 0, old = 0, now = 0;
    BREAK(me);
    look(me);
    do
    :: !reads -> break
    :: else ->
        LOAD(me, BELL, old);
        ADD(me, SLEEPERS, 1);
        look(me);
        if
        :: reads ->
            LOAD(me, BELL, now);
            do
            :: now == old -> SLEEP(me, BELL, old); LOAD(me, BELL, now)
            :: else -> break
            od
        :: else -> skip
        fi;
        LATE_ADD(me, SLEEPERS, -1);
        look(me)
    od;
    taken_back = 1
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < PROCESSORS ->
            RUN_BUFFER(i);
            if
            :: i == OWNER -> run owner(i)
            :: else -> run reader(i)
            fi;
            i++
        :: else -> break
        od
    }
}
