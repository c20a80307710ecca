/* A ring of messages: a sender sends MESSAGES messages through SLOTS slots, used in turn, and
 * sleeps while its next slot is full. The receiver takes them, and wakes the sender if it has said
 * that it wants room. A message read early or overwritten late is read with the wrong contents; a
 * lost wake-up is a sender that sleeps for ever.
 *
 * follows ports/message/ring.h kp_ring_has_room 860067ab44d4
 * follows ports/message/ring.h kp_ring_post 7b6c90b4316f
 * follows ports/message/ring.h kp_ring_look 519f6c81a82e
 * follows ports/message/ring.h kp_ring_clear f10e53abb652
 * follows ports/message/ring.h kp_ring_want_room f58840d93e2d
 * follows ports/message/ring.h kp_ring_room_is_wanted 5043a268f264
 * follows ports/message/ring.h kp_ring_have_room f5bf7f8ed491
 * follows ports/message/send.c post_waiting 6a3869ee986c
 * follows ports/message/send.c try_to_post e9351e930ee7
 * follows ports/message/links.c announce_room d3353c57249f
 * follows ports/message/links.c drain e818d6f61dc9
 * follows ports/request/request.c kp_request_notify 3ab7d93813d9
 * follows ports/request/request.c listen 4a15d91532c4
 * follows ports/request/request.c kp_request_wait_beside 01ec389ce1d0
 *
 * TAKES is the most that the receiver takes before it looks whether room is wanted.
 *
 * Planted: the flag goes up before the contents (SEND_WEAK), the contents are read before the flag
 * is seen up (FIND_SENT_WEAK), it goes down before they are read (EMPTY_WEAK), they are written
 * before it is seen down (FIND_ROOM_WEAK); what the sender wants comes late, and the receiver's look
 * is a plain load (WANT_ROOM_WEAK); the receiver looks before it empties the slot (LOOK_FIRST), or
 * takes the sender's wish back (TAKES_BACK); the sender does not say what it wants (NOT_WANTED). */
#define PROCESSORS 2
#ifndef MESSAGES
#define MESSAGES 4
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef TAKES
#define TAKES 1
#endif
#define SENDER      0
#define RECEIVER    1
#define FLAG(i)     ((i) % SLOTS)
#define CONTENTS(i) (SLOTS + (i) % SLOTS)
#define WANTED      (2 * SLOTS)
#define LISTENING   (2 * SLOTS + 1)
#define BELL        (2 * SLOTS + 2)
#define WORDS       (2 * SLOTS + 3)
#include "memory.pml"

#ifdef WANT_ROOM_WEAK
#define WANT          LATE_STORE(SENDER, WANTED, 1)
#define LOOK(value)   LOAD(RECEIVER, WANTED, value)
#else
#define WANT          STORE(SENDER, WANTED, 1)
#ifdef TAKES_BACK
#define LOOK(value)   atomic { IS_DRAINED(RECEIVER) -> value = memory[WANTED]; memory[WANTED] = 0 }
#else
#define LOOK(value)   atomic { IS_DRAINED(RECEIVER) -> value = memory[WANTED] }
#endif
#endif

proctype sender()
{
    byte i = 1;
    int old = 0, now = 0;
    bit wants = 0;
    do
    :: i > MESSAGES -> break
    :: else ->
#ifdef FIND_ROOM_WEAK
        LATE_STORE(SENDER, CONTENTS(i), i);
#endif
        LOAD(SENDER, FLAG(i), now);
        if
        :: now == 0 ->
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
            i++
        :: else ->
#ifndef NOT_WANTED
            WANT;
#endif
            wants = 1;
            /* The sender listens, looks once more, and sleeps; only then does it go on. */
            do
            :: now == 0 -> break
            :: else ->
                LOAD(SENDER, BELL, old);
                ADD(SENDER, LISTENING, 1);
                LOAD(SENDER, FLAG(i), now);
                if
                :: now == 0 -> skip
                :: else ->
                    LOAD(SENDER, BELL, now);
                    do
                    :: now == old -> SLEEP(SENDER, BELL, old); LOAD(SENDER, BELL, now)
                    :: else -> break
                    od;
                    LOAD(SENDER, FLAG(i), now)
                fi;
                ADD(SENDER, LISTENING, -1);
                old = 0
            od
        fi;
        now = 0
    od
}

inline announce()
{
    LOOK(value);
    if
    :: value != 0 ->
        atomic { IS_DRAINED(RECEIVER) -> value = memory[LISTENING] };
        if
        :: value != 0 -> ADD(RECEIVER, BELL, 1); WAKE(SENDER)
        :: else -> skip
        fi
    :: else -> skip
    fi;
    value = 0
}

proctype receiver()
{
    byte i = 1, taken = 0;
    int got = 0, value = 0;
    do
    :: i > MESSAGES -> break
    :: else ->
#ifdef FIND_SENT_WEAK
        LOAD(RECEIVER, CONTENTS(i), got);
#endif
        AWAIT(RECEIVER, FLAG(i), 1);
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
    od
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
