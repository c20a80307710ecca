/* Mailboxes: in each of ROUNDS rounds every processor sends one message to another one, which one
 * changes with the rounds, through its GENERATIONS boxes used in turn. With -DONE_WAY only the
 * first one sends, and runs ahead as far as its boxes let it. A message read early, overwritten
 * late or taken for one of another round is read with the wrong contents.
 *
 * follows ports/sync/mailbox.h kp_mailbox_is_empty 6a06cd1b284a
 * follows ports/sync/mailbox.h kp_mailbox_post aac3b297ff74
 * follows ports/sync/mailbox.h kp_mailbox_holds a1a711f53f7b
 * follows ports/sync/mailbox.h kp_mailbox_release 43d3eccdf4c6
 * follows ports/sync/mail.c kp_mail_next a75ccca8dfba
 * follows ports/sync/mail.c generation eee7787db9d2
 * follows ports/sync/mail.c empty b94caeb33333
 * follows ports/sync/mail.c kp_mail_make_room 4dbf31a798af
 * follows ports/sync/mail.c kp_mail_post 61f7b58ae04a
 * follows ports/sync/mail.c kp_mail_cover 7b58c586c683
 * follows ports/sync/mail.c kp_mail_await b3a60ac39830
 *
 * With -DDESCRIBED a message lies in its sender's one place, which is covered before it is written
 * again; else in the box.
 *
 * Planted: the flag goes up before the contents (FILL_WEAK), the contents are read before the flag
 * is seen up (FIND_FULL_WEAK), it goes down before they are read (TAKE_WEAK), they are written
 * before it is seen down (FIND_EMPTY_WEAK), or whatever it is (NO_ROOM); the reader takes any
 * number for its own (ANY_NUMBER); memory that is lent is not covered (NO_COVER). */
#ifndef PROCESSORS
#define PROCESSORS 2
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif
#ifndef GENERATIONS
#define GENERATIONS 2
#endif
#define NUMBER(i, round) ((i) * GENERATIONS + (round) % GENERATIONS)
#ifdef ZERO_COPY
#define CONTENTS(i, round) ((PROCESSORS * GENERATIONS) + (i))
#else
#define CONTENTS(i, round) (PROCESSORS * GENERATIONS + NUMBER(i, round))
#endif
#define WORDS (2 * PROCESSORS * GENERATIONS)
#include "memory.pml"

#define STEP(round) (1 + ((round) / GENERATIONS) % (PROCESSORS - 1))
#define MESSAGE(from, round) (10 * (round) + (from) + 1)
#ifdef ANY_NUMBER
#define HOLDS(me, from, round) (memory[NUMBER(from, round)] != 0 && !IS_LATE(me, NUMBER(from, round)))
#else
#define HOLDS(me, from, round) AWAIT(me, NUMBER(from, round), round)
#endif

#ifdef ONE_WAY
#define SENDS(me)          (me == 0)
#define TAKES(from)        (from == 0)
#else
#define SENDS(me)          true
#define TAKES(from)        true
#endif

inline send(me, round)
{
#ifdef FIND_EMPTY_WEAK
    LATE_STORE(me, CONTENTS(me, round), MESSAGE(me, round));
#endif
#ifndef NO_ROOM
    AWAIT(me, NUMBER(me, round), 0);
#endif
#ifdef FILL_WEAK
    LATE_STORE(me, NUMBER(me, round), round);
#endif
#ifndef FIND_EMPTY_WEAK
    LATE_STORE(me, CONTENTS(me, round), MESSAGE(me, round));
#endif
#ifndef FILL_WEAK
    LATE_STORE(me, NUMBER(me, round), round);
#endif
    skip
}

inline take(me, from, round)
{
#ifdef FIND_FULL_WEAK
    LOAD(me, CONTENTS(from, round), got);
#endif
    HOLDS(me, from, round);
#ifdef TAKE_WEAK
    LATE_STORE(me, NUMBER(from, round), 0);
#endif
#ifndef FIND_FULL_WEAK
    LOAD(me, CONTENTS(from, round), got);
#endif
    assert(got == MESSAGE(from, round));
#ifndef TAKE_WEAK
    LATE_STORE(me, NUMBER(from, round), 0);
#endif
    skip
}

proctype processor(byte me)
{
    byte round = 1, from = 0;
    int got = 0;
    do
    :: round > ROUNDS -> break
    :: else ->
        if
        :: SENDS(me) -> send(me, round)
        :: else -> skip
        fi;
        from = (me + PROCESSORS - STEP(round)) % PROCESSORS;
        if
        :: TAKES(from) -> take(me, from, round)
        :: else -> skip
        fi;
#if defined(ZERO_COPY) && !defined(NO_COVER)
        AWAIT(me, NUMBER(me, round), 0);
#endif
        from = 0;
        got = 0;
        round++
    od
}

init
{
    atomic {
        byte i = 0;
        do
        :: i < PROCESSORS ->
            RUN_BUFFER(i);
            run processor(i);
            i++
        :: else -> break
        od
    }
}
