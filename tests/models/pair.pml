/* The barrier of two, with a failure that may come at any moment and freezes one word after the
 * other: each member writes its fingerprint and its eager buffer, by the episode's parity, comes, waits
 * for the other and reads what is the other's. Nobody hangs; nothing is read early or overwritten
 * late; both hear the same, right verdict; an episode happens for both or for none.
 *
 * follows ports/sync/pair.h kp_pair_next 54c74be25fed
 * follows ports/sync/pair.h kp_pair_come de7698eb4a52
 * follows ports/sync/pair.h kp_pair_has_come 1dc3c2ef407e
 * follows ports/sync/pair.h kp_pair_freeze febb8c08cc58
 * follows ports/sync/pair.h kp_pair_freeze_before 0d2c8bb6ca7a
 * follows ports/sync/pair_episode.h kp_pair_arrive a776bd740098
 * follows ports/sync/pair_episode.h kp_pair_told_alike 9595330f22f5
 * follows ports/sync/pair.c agree 3fd8d2256462
 * follows ports/sync/pair.c kp_pair_await 007589d43d30
 * follows ports/sync/pair_episode.h kp_pair_passed 9fdda288cfd9
 * follows ports/sync/parking.h kp_park daffce772ccd
 * follows ports/slot.h kp_generation_of b838fe16fcda
 * follows ports/sync/pair.c fail 7db7c075c3a7
 *
 * -DFAILS: a failure may come, and does if the second member is lost. -DLATE: the first member may
 * give up waiting, and fails the pair unless the other one has come. -DDIFFERS: the first member's
 * fingerprint is another one in some episode, which one is left open.
 *
 * Planted: one generation too few (GENERATIONS=1), the buffer comes after its member (COME_WEAK: the
 * buffer comes late; PUBLISH_WEAK, LOOK_WEAK: the word does), the other's buffer is read before it is
 * seen to have come (OBSERVE_WEAK), a member comes by a plain store that thaws the word
 * (COME_BLIND), sleepers count themselves late (SLEEP_WEAK), only one word is frozen (FREEZE_ONE),
 * who gives up does not look whether the other has come after all (LATE_BLIND). */
#ifndef EPISODES
#define EPISODES 3
#endif
#ifndef GENERATIONS
#define GENERATIONS 2
#endif
#define PROCESSORS 3 /* the last one fails the pair */
#define FAILURE    2
#define WORD(i)      (i)
#define SLEEPERS(i)  (2 + (i))
#define EAGER(i, episode) (4 + (i) * GENERATIONS + (episode) % GENERATIONS)
#define WORDS        (4 + 2 * GENERATIONS)
#include "memory.pml"

#define FRESH  64 /* fingerprints: with the number of the episode they are the buffer's contents */
#define OTHER  128
#define FROZEN 1024

#if defined(SLEEP_WEAK) || defined(RECHECK_WEAK)
#define COUNT_IN(me, i) LATE_ADD(me, SLEEPERS(i), 1)
#else
#define COUNT_IN(me, i) ADD(me, SLEEPERS(i), 1)
#endif
#ifdef COME_WEAK
#define MAY_COME(me) true
#else
#define MAY_COME(me) IS_DRAINED(me)
#endif

byte last_episode[2];
byte done;
byte differs; /* the episode at which the first member differs; 0: none */
bit locked;   /* the machine's lock; under it: */
bit frozen;   /* shared->failed */
bit lost;     /* the second member's thread has ended */

inline wake(waker, i)
{
    LOAD(waker, SLEEPERS(i), value);
    if
    :: value > 0 -> WAKE_ALL
    :: else -> skip
    fi;
    value = 0
}

inline freeze_word(me, i)
{
    atomic {
        IS_DRAINED(me);
        if
        :: memory[WORD(i)] < FROZEN -> memory[WORD(i)] = memory[WORD(i)] + FROZEN
        :: else -> skip
        fi
    };
    wake(me, i)
}

inline freeze(me)
{
    freeze_word(me, 0);
#ifndef FREEZE_ONE
    freeze_word(me, 1)
#endif
}

inline come(me)
{
#if defined(PUBLISH_WEAK) || defined(LOOK_WEAK)
    LATE_STORE(me, WORD(me), episode);
#elif defined(COME_BLIND)
    STORE(me, WORD(me), episode);
#else
    atomic {
        MAY_COME(me);
        if
        :: memory[WORD(me)] == episode - 1 -> memory[WORD(me)] = episode
        :: else -> came = 0
        fi
    };
#endif
    if
    :: came -> wake(me, me)
    :: else -> skip
    fi
}

/* Under the machine's lock; the other one's word decides. */
inline give_up(me)
{
    atomic { !locked -> locked = 1 };
    atomic {
        IS_DRAINED(me);
        if
        :: memory[WORD(1 - me)] == episode - 1 ->
            memory[WORD(1 - me)] = episode - 1 + FROZEN;
            frozen = 1;
            late = 1
        :: else -> skip
        fi
    };
    if
    :: late -> freeze(me); late = 0
    :: else -> skip
    fi;
    locked = 0
}

inline await_other(me)
{
    COUNT_IN(me, 1 - me);
    LOAD(me, WORD(1 - me), value);
    do
    :: value == episode - 1 ->
        SLEEP(me, WORD(1 - me), episode - 1);
        LOAD(me, WORD(1 - me), value)
#ifdef LATE
    :: value == episode - 1 && me == 0 ->
        give_up(me);
#ifdef LATE_BLIND
        value = episode - 1 + FROZEN
#else
        LOAD(me, WORD(1 - me), value)
#endif
#endif
    :: value != episode - 1 -> break
    od;
    LATE_ADD(me, SLEEPERS(1 - me), -1);
    came = (value % FROZEN != episode - 1)
}

proctype member(byte me)
{
    byte episode = 1;
    int value = 0, theirs = 0;
    bit came = 1, late = 0;
    do
    :: episode > EPISODES -> break
#ifdef FAILS
    :: me == 1 && episode <= EPISODES -> lost = 1; break
#endif
    :: episode <= EPISODES ->
        LATE_STORE(me, EAGER(me, episode), episode + (me == 0 && differs == episode -> OTHER : FRESH));
        come(me);
#ifdef OBSERVE_WEAK
        LOAD(me, EAGER(1 - me, episode), theirs);
#endif
        if
        :: came -> await_other(me)
        :: else -> skip
        fi;
        if
        :: came -> skip
        :: else -> break /* failed */
        fi;
#ifndef OBSERVE_WEAK
        LOAD(me, EAGER(1 - me, episode), theirs);
#endif
        assert(theirs == episode + (me == 1 && differs == episode -> OTHER : FRESH));
        last_episode[me] = episode;
        theirs = 0;
        value = 0;
        episode++
    od;
    value = 0;
    done++
}

proctype failure(byte me)
{
    int value = 0;
    bit first = 0;
    if
    :: done == 2 && !lost -> skip
    :: atomic { !locked -> locked = 1 };
        first = !frozen;
        frozen = 1;
        if
        :: first -> freeze(me)
        :: else -> skip
        fi;
        locked = 0
    fi
}

init
{
    byte i = 0;
    atomic {
#ifdef DIFFERS
        select(i : 0 .. EPISODES);
        differs = i;
#endif
        RUN_BUFFER(0);
        RUN_BUFFER(1);
        run member(0);
        run member(1);
#ifdef FAILS
        RUN_BUFFER(FAILURE);
        run failure(FAILURE)
#endif
    };
    (done == 2);
    assert(last_episode[0] == last_episode[1])
}
