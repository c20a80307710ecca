/* The barrier, with eager buffers in GENERATIONS and a failure that may come at any moment: members
 * write their eager buffer, arrive with a fingerprint, wait, and read all eager buffers. Nobody hangs;
 * a buffer is neither read early nor overwritten late; all hear the same, right verdict; an episode
 * happens for all or for none.
 *
 * follows ports/sync/arrival.h kp_arrival_of ae15fdc4b65c
 * follows ports/sync/arrival.h kp_arrive 74b0b6af32cc
 * follows ports/sync/arrival.h kp_arrivals_complete 76ea2c92b275
 * follows ports/sync/arrival.h kp_arrivals_agree 11f29683a42b
 * follows ports/sync/arrival.h kp_arrivals_clear b60ed989467f
 * follows ports/sync/arrival.h kp_generation_after 34153bd300d6
 * follows ports/sync/arrival.h kp_generation_publish 777207d7e324
 * follows ports/sync/arrival.h kp_generation_freeze ba55363c052e
 * follows ports/sync/counter.c publish 1ea6c218db1c
 * follows ports/sync/counter.c kp_counter_open c31032651349
 * follows ports/sync/worker_sets.h kp_worker_set_arrive ed170bcf3053
 * follows ports/sync/sync.h kp_sync_arrive 1969cac629b7
 * follows ports/sync/counter.h kp_counter_add 4489f8afa3e3
 * follows ports/sync/counter.h kp_counter_arrive 174b6261cb87
 * follows ports/sync/core_sets.h kp_core_set_arrive cf21de62d109
 * follows ports/sync/counter.h kp_counter_passed 6cc96ff841ac
 * follows ports/sync/wait.h kp_wait_early e60e7a38361f
 * follows ports/sync/counter.c kp_counter_await 8238f9c7d290
 * follows ports/sync/parking.h kp_park daffce772ccd
 * follows ports/slot.h kp_generation_of b838fe16fcda
 * follows ports/sync/counter.c kp_counter_fail 36a402878c02
 *
 * -DFAILS: a failure may come, and does if the second member is lost. -DDIFFERS: the first member's
 * fingerprint is another one in some episode, which one is left open. -DCORE_SETS: members come in two
 * core sets, even and odd, each with a word of its own.
 *
 * Planted: one generation too few (GENERATIONS=1), a buffer is written after its arrival
 * (ARRIVE_WEAK), arrivals are not taken up by the last (ARRIVE_BLIND: it reads the buffers before it
 * arrives), buffers are read before the episode is seen (OBSERVE_WEAK), the word is cleared after
 * the episode is open (CLEAR_LATE), the episode opens late (PUBLISH_WEAK, LOOK_WEAK), it opens by a
 * plain store that overwrites a failure (PUBLISH_BLIND), sleepers count themselves late
 * (SLEEP_WEAK), a core set's word is cleared after its last member has come for all (CORE_SET_LATE),
 * who comes for it forgets what the others came with (CORE_SET_BLIND). */
#ifndef MEMBERS
#define MEMBERS 2
#endif
#ifdef FAILS
#define PROCESSORS (MEMBERS + 1) /* the last one is whoever fails the group */
#else
#define PROCESSORS MEMBERS
#endif
#ifndef EPISODES
#define EPISODES 3
#endif
#ifndef GENERATIONS
#define GENERATIONS 2
#endif
#define ARRIVALS     0
#define GENERATION   1
#define SLEEPERS     2
#define EAGER(i, episode) (3 + (i) * GENERATIONS + (episode) % GENERATIONS)
#define CORE_SET(me)  (3 + MEMBERS * GENERATIONS + (me) % 2)
#define WORDS        (3 + MEMBERS * GENERATIONS + 2)
#include "memory.pml"

#define COUNT_MASK 15
#define OF_CORE_SET(me) ((MEMBERS + 1 - (me) % 2) / 2) /* how many they are */
#define FRESH      1 /* fingerprints */
#define OTHER      2
#define FAILED     1024
#define SPLIT      1
#define AFTER(seen) ((seen) - (seen) % 2 + 2)

#if defined(SLEEP_WEAK) || defined(RECHECK_WEAK)
#define COUNT_IN(me) LATE_ADD(me, SLEEPERS, 1)
#else
#define COUNT_IN(me) ADD(me, SLEEPERS, 1)
#endif
#ifdef ARRIVE_WEAK
#define MAY_ARRIVE(me) true
#else
#define MAY_ARRIVE(me) IS_DRAINED(me)
#endif

byte last_episode[MEMBERS];
byte done;
bit lost; /* the second member's thread has ended */
byte differs; /* the episode at which the first member differs; 0: none */

inline look_for_sleepers(me)
{
    LOAD(me, SLEEPERS, value);
    if
    :: value > 0 -> WAKE_ALL
    :: else -> skip
    fi
}

/* kp_counter_open, for the last one: `all` is the arrival word. */
inline publish(me, all)
{
#ifndef CLEAR_LATE
    LATE_STORE(me, ARRIVALS, 0);
#endif
    next = AFTER(seen) + ((all / 16) == MEMBERS * fingerprint -> 0 : SPLIT);
#if defined(PUBLISH_WEAK) || defined(LOOK_WEAK)
    LATE_STORE(me, GENERATION, next);
#elif defined(PUBLISH_BLIND)
    STORE(me, GENERATION, next);
#else
    atomic {
        IS_DRAINED(me);
        if
        :: memory[GENERATION] == seen -> memory[GENERATION] = next
        :: else -> next = seen
        fi
    };
#endif
#ifdef CLEAR_LATE
    STORE(me, ARRIVALS, 0);
#endif
    if
    :: next != seen -> look_for_sleepers(me)
    :: else -> skip
    fi
}

/* kp_arrive: `value` is the word as it is then. */
inline come(me, word, more)
{
    atomic {
        MAY_ARRIVE(me);
        memory[word] = memory[word] + more;
        value = memory[word]
    }
}

/* kp_core_set_arrive up to the word of all; complete: it has come there. */
inline come_in_core_set(me)
{
    come(me, CORE_SET(me), 1 + 16 * fingerprint);
    if
    :: (value & COUNT_MASK) == OF_CORE_SET(me) ->
#ifdef CORE_SET_BLIND
        value = OF_CORE_SET(me) * (1 + 16 * fingerprint);
#endif
        i = value;
#ifndef CORE_SET_LATE
        LATE_STORE(me, CORE_SET(me), 0);
#endif
        come(me, ARRIVALS, i);
#ifdef CORE_SET_LATE
        LATE_STORE(me, CORE_SET(me), 0);
#endif
        i = 0
    :: else -> value = 0
    fi
}

inline park(me)
{
    COUNT_IN(me);
    LOAD(me, GENERATION, value);
    do
    :: value == seen -> SLEEP(me, GENERATION, seen); LOAD(me, GENERATION, value)
    :: else -> break
    od;
    LATE_ADD(me, SLEEPERS, -1);
    next = value % FAILED
}

inline read_eager(me)
{
    i = 0;
    do
    :: i < MEMBERS ->
        LOAD(me, EAGER(i, episode), value);
        right = right && (value == episode);
        i++
    :: else -> break
    od;
    i = 0;
    value = 0
}

proctype member(byte me)
{
    byte episode = 1, i = 0, fingerprint = FRESH;
    int seen = 0, next = 0, value = 0;
    bit right = 1;
    do
    :: episode > EPISODES -> break
#ifdef FAILS
    :: me == 1 && episode <= EPISODES -> lost = 1; break
#endif
    :: episode <= EPISODES ->
        fingerprint = (me == 0 && differs == episode -> OTHER : FRESH);
        LATE_STORE(me, EAGER(me, episode), episode);
#ifdef ARRIVE_BLIND
        read_eager(me);
#endif
#ifdef CORE_SETS
        come_in_core_set(me);
#else
        come(me, ARRIVALS, 1 + 16 * fingerprint);
#endif
        if
        :: (value & COUNT_MASK) == MEMBERS -> publish(me, value)
        :: else ->
#ifdef OBSERVE_WEAK
            read_eager(me);
#endif
            park(me)
        fi;
        if
        :: next == seen -> break /* failed */
        :: else -> skip
        fi;
        assert((next % 2 == SPLIT) == (differs == episode));
#if !defined(OBSERVE_WEAK) && !defined(ARRIVE_BLIND)
        read_eager(me);
#endif
        assert(right);
        last_episode[me] = episode;
        seen = next;
        episode++
    od;
    fingerprint = FRESH;
    value = 0;
    done++
}

proctype failure(byte me)
{
    int value = 0;
    if
    :: done == MEMBERS && !lost -> skip
    :: true ->
        atomic {
            IS_DRAINED(me);
            memory[GENERATION] = memory[GENERATION] + FAILED
        };
        look_for_sleepers(me)
    fi
}

init
{
    byte i = 0;
    atomic {
#ifdef DIFFERS
        select(i : 0 .. EPISODES);
        differs = i;
        i = 0;
#endif
        do
        :: i < PROCESSORS ->
            RUN_BUFFER(i);
            if
            :: i < MEMBERS -> run member(i)
            :: else -> run failure(i)
            fi;
            i++
        :: else -> break
        od
    };
    (done == MEMBERS);
    i = 1;
    do
    :: i < MEMBERS -> assert(last_episode[i] == last_episode[0]); i++
    :: else -> break
    od
}
