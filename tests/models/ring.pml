/* A ring of messages: a sender sends MESSAGES messages through SLOTS slots, used in turn, and
 * sleeps while its next slot is full. The receiver takes them, sleeps while there is none, and wakes
 * the sender if it has said that it wants room. The one that goes to sleep says that it listens, lets
 * all threads pass a barrier, and looks once more; the other one acts and then looks, without an
 * order of its own. Whoever sleeps counts itself idle, and whoever finds all idle looks for a
 * deadlock. A message read early or overwritten late is read with the wrong contents; a lost wake-up
 * is one that sleeps for ever; a deadlock that is declared is a false one.
 *
 * follows ports/message/ring.h kp_ring_has_room 860067ab44d4
 * follows ports/message/ring.h kp_ring_post 7b6c90b4316f
 * follows ports/message/ring.h kp_ring_look 519f6c81a82e
 * follows ports/message/ring.h kp_ring_clear f10e53abb652
 * follows ports/message/ring.h kp_ring_want_room 0c2ec306a68c
 * follows ports/message/ring.h kp_ring_room_is_wanted 69e420b05d9a
 * follows ports/message/ring.h kp_ring_have_room f5bf7f8ed491
 * follows ports/message/short.h kp_link_post_filled 7f6e5003652f
 * follows ports/message/short.h kp_link_empty ca5740f9448e
 * follows ports/message/short.h kp_link_announce_room 7d732b0c1afd
 * follows ports/message/message.c send_short 784e71f0ed37
 * follows ports/message/message.c receive_short 8a86faa7d163
 * follows ports/message/send.c post_waiting a3b83052ab42
 * follows ports/message/send.c try_to_post e9351e930ee7
 * follows ports/message/links.c drain 7b1f74e42059
 * follows ports/request/handshake.h kp_say_sleeper 3ac3978d0011
 * follows ports/request/handshake.h kp_look_for_sleeper 306fb0467b3d
 * follows ports/sync/parking.h kp_sleep_until_rung 2007ac14b5d4
 * follows ports/request/request.h kp_request_notify fb6290db0f33
 * follows ports/request/request.c kp_request_wake c9ca58e61ee2
 * follows ports/request/request.c kp_requests_listen 3635f9960bf4
 * follows ports/request/request.c listen 4a15d91532c4
 * follows ports/request/request.c kp_request_wait_beside 4c1876e2d696
 * follows ports/fail/deadlock.c all_wait 96954f630eb2
 * follows ports/fail/deadlock.c inspect 8262dce959ef
 * follows ports/fail/deadlock.c kp_deadlock_many_parked 19ea61ba7c9b
 *
 * TAKES is the most that the receiver takes before it looks whether room is wanted. SYMMETRIC: who
 * acts looks by a read-modify-write, and there is no barrier.
 *
 * Planted: the flag goes up before the contents (SEND_WEAK), the contents are read before the flag
 * is seen up (FIND_SENT_WEAK), it goes down before they are read (EMPTY_WEAK), they are written
 * before it is seen down (FIND_ROOM_WEAK); there is no barrier (NO_BARRIER), or it comes before the
 * sleeper listens (BARRIER_FIRST) or after its last look (BARRIER_LATE); the sleeper does not look
 * again (NO_RECHECK); who acts looks before it acts (LOOK_FIRST); with SYMMETRIC, the count of those
 * who listen comes late (LISTEN_WEAK); the receiver takes the sender's wish back (TAKES_BACK); the
 * sender does not say what it wants (NOT_WANTED). */
#define PROCESSORS 2
#ifndef MESSAGES
#define MESSAGES 3
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef TAKES
#define TAKES 1
#endif
#define SENDER       0
#define RECEIVER     1
#define FLAG(i)      ((i) % SLOTS)
#define CONTENTS(i)  (SLOTS + (i) % SLOTS)
#define WANTED       (2 * SLOTS)
#define LISTENING(p) (2 * SLOTS + 1 + (p))
#define BELL(p)      (2 * SLOTS + 3 + (p))
#define SLEEPS(p)    (2 * SLOTS + 5 + (p))
#define VALUE(p)     (2 * SLOTS + 7 + (p))
#define IDLE         (2 * SLOTS + 9)
#define WORDS        (2 * SLOTS + 10)
#include "memory.pml"

/* The idle word counts idle processors, and above them its own changes. */
#define ONE_CHANGE 4
#define ENDED      2

/* A barrier falls at one moment of each thread, when nothing of it is late. */
#define ALL_PASS_BARRIER(me) IS_DRAINED(me); IS_DRAINED(1 - me)

#ifdef SYMMETRIC
#define LOOK(me, word, value) atomic { IS_DRAINED(me) -> value = memory[word] }
#else
#define LOOK(me, word, value) LOAD(me, word, value)
#endif
#ifdef LISTEN_WEAK
#define LISTEN(me) LATE_ADD(me, LISTENING(me), 1)
#else
#define LISTEN(me) ADD(me, LISTENING(me), 1)
#endif

inline notify(me)
{
    LOOK(me, LISTENING(1 - me), value);
    if
    :: value != 0 -> ADD(me, BELL(1 - me), 1); WAKE(1 - me)
    :: else -> skip
    fi;
    value = 0
}

/* The processor has counted itself idle, and the idle word is `now`. A deadlock is never right. */
inline inspect(me)
{
    if
    :: now % ONE_CHANGE == PROCESSORS ->
        p = 0;
        do
        :: p < PROCESSORS ->
            LOAD(me, SLEEPS(p), value);
            if
            :: value == ENDED -> p++
            :: value == 0 -> break
            :: else ->
                LOAD(me, VALUE(p), value);
                LOAD(me, BELL(p), rung);
                if
                :: rung == value -> p++
                :: else -> break
                fi
            fi
        :: else -> break
        od;
        if
        :: p == PROCESSORS && ended < PROCESSORS ->
            atomic { IS_DRAINED(me) -> value = memory[IDLE] };
            assert(value != now)
        :: else -> skip
        fi;
        p = 0;
        rung = 0;
        value = 0
    :: else -> skip
    fi
}

inline count_idle(me, how)
{
    LATE_STORE(me, SLEEPS(me), how);
    atomic {
        IS_DRAINED(me) ->
        memory[IDLE] = memory[IDLE] + ONE_CHANGE + 1;
        now = memory[IDLE];
        ended = ended + (how == ENDED -> 1 : 0)
    };
    inspect(me);
    now = 0
}

/* Sleeps until the flag is not `is` (kp_sleep_until_rung, again and again). */
inline wait_while(me, word, is)
{
    do
    :: now != is -> break
    :: else ->
        LOAD(me, BELL(me), old);
#ifdef BARRIER_FIRST
        ALL_PASS_BARRIER(me);
#endif
        LISTEN(me);
#if !defined(SYMMETRIC) && !defined(NO_BARRIER) && !defined(BARRIER_FIRST) && !defined(BARRIER_LATE)
        ALL_PASS_BARRIER(me);
#endif
#ifndef NO_RECHECK
        LOAD(me, word, now);
#endif
#ifdef BARRIER_LATE
        ALL_PASS_BARRIER(me);
#endif
        if
        :: now != is -> skip
        :: else ->
            LATE_STORE(me, VALUE(me), old);
            count_idle(me, 1);
            LOAD(me, BELL(me), now);
            do
            :: now == old -> SLEEP(me, BELL(me), old); LOAD(me, BELL(me), now)
            :: else -> break
            od;
            LATE_STORE(me, SLEEPS(me), 0);
            ADD(me, IDLE, ONE_CHANGE - 1);
            LOAD(me, word, now)
        fi;
        LATE_ADD(me, LISTENING(me), -1);
        old = 0
    od;
    now = 0
}

byte ended;

proctype sender()
{
    byte i = 1, p = 0;
    int old = 0, now = 0, value = 0, rung = 0;
    bit wants = 0;
    do
    :: i > MESSAGES -> break
    :: else ->
#ifdef FIND_ROOM_WEAK
        LATE_STORE(SENDER, CONTENTS(i), i);
#endif
        LOAD(SENDER, FLAG(i), now);
        if
        :: now == 0 -> skip
        :: else ->
#ifndef NOT_WANTED
            STORE(SENDER, WANTED, 1);
#endif
            wants = 1;
            wait_while(SENDER, FLAG(i), 1)
        fi;
        now = 0;
#ifdef LOOK_FIRST
        notify(SENDER);
#endif
#ifdef SEND_WEAK
        LATE_STORE(SENDER, FLAG(i), 1);
#endif
#ifndef FIND_ROOM_WEAK
        LATE_STORE(SENDER, CONTENTS(i), i);
#endif
#ifndef SEND_WEAK
        LATE_STORE(SENDER, FLAG(i), 1);
#endif
        if
        :: wants -> LATE_STORE(SENDER, WANTED, 0); wants = 0
        :: else -> skip
        fi;
#ifndef LOOK_FIRST
        notify(SENDER);
#endif
        i++
    od;
    count_idle(SENDER, ENDED)
}

inline announce()
{
    LOOK(RECEIVER, WANTED, value);
#ifdef TAKES_BACK
    STORE(RECEIVER, WANTED, 0);
#endif
    if
    :: value != 0 -> notify(RECEIVER)
    :: else -> skip
    fi;
    value = 0
}

proctype receiver()
{
    byte i = 1, taken = 0, p = 0;
    int got = 0, old = 0, now = 0, value = 0, rung = 0;
    do
    :: i > MESSAGES -> break
    :: else ->
#ifdef FIND_SENT_WEAK
        LOAD(RECEIVER, CONTENTS(i), got);
#endif
        LOAD(RECEIVER, FLAG(i), now);
        wait_while(RECEIVER, FLAG(i), 0);
#ifdef LOOK_FIRST
        announce();
#endif
#ifdef EMPTY_WEAK
        LATE_STORE(RECEIVER, FLAG(i), 0);
#endif
#ifndef FIND_SENT_WEAK
        LOAD(RECEIVER, CONTENTS(i), got);
#endif
        assert(got == i);
#ifndef EMPTY_WEAK
        LATE_STORE(RECEIVER, FLAG(i), 0);
#endif
        got = 0;
        taken++;
        i++;
        if
        :: taken == TAKES || i > MESSAGES ->
#ifndef LOOK_FIRST
            announce();
#endif
            taken = 0
        :: else -> skip
        fi
    od;
    count_idle(RECEIVER, ENDED)
}

init
{
    atomic {
        RUN_BUFFER(SENDER);
        RUN_BUFFER(RECEIVER);
        run sender();
        run receiver()
    }
}
