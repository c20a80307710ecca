/* Memory as processors with store buffers see it; to be included after PROCESSORS and WORDS.
 *
 * A late store or addition waits in its processor's buffer and reaches memory in its turn, at any
 * later moment; its own processor sees it at once. Everything else first lets the buffer run empty:
 * read-modify-writes and sequentially consistent stores. So are x86's orders; on it a planted bug
 * of the kind "weaker order" is a change that may come late. With -DSEQUENTIAL nothing is late. */
#ifndef ROOM
#define ROOM 2
#endif

int memory[WORDS];
hidden byte at;

#ifdef SEQUENTIAL

#define IS_DRAINED(me)    true
#define IS_LATE(me, word) false
#define LATE_STORE(me, word, value) memory[word] = value
#define LATE_ADD(me, word, value)   memory[word] = memory[word] + (value)
#define LOAD(me, word, value)       value = memory[word]
#define RUN_BUFFER(me)    skip

#else

typedef store_buffer { byte count; byte where[ROOM]; int what[ROOM]; bit adds[ROOM] };
store_buffer buffer[PROCESSORS];

#define IS_DRAINED(me) (buffer[me].count == 0)
#define IS_LATE(me, word) \
    ((buffer[me].count > 0 && buffer[me].where[0] == (word)) || \
     (buffer[me].count > 1 && buffer[me].where[1] == (word)))

#define PUT(me, word, value, is_added) \
    atomic { \
        buffer[me].count < ROOM -> \
        buffer[me].where[buffer[me].count] = word; \
        buffer[me].what[buffer[me].count] = value; \
        buffer[me].adds[buffer[me].count] = is_added; \
        buffer[me].count++ \
    }
#define LATE_STORE(me, word, value) PUT(me, word, value, 0)
#define LATE_ADD(me, word, value)   PUT(me, word, value, 1)

#define LOAD(me, word, value) \
    atomic { \
        value = memory[word]; \
        at = 0; \
        do \
        :: at < buffer[me].count -> \
            if \
            :: buffer[me].where[at] != (word) -> skip \
            :: else -> value = (buffer[me].adds[at] -> value : 0) + buffer[me].what[at] \
            fi; \
            at++ \
        :: else -> break \
        od; \
        at = 0 \
    }

/* Nothing is left behind in the places that are free: equal states are to look equal. */
proctype runs_buffer(byte me)
{
end:
    do
    :: d_step {
        buffer[me].count > 0 ->
        memory[buffer[me].where[0]] =
            (buffer[me].adds[0] -> memory[buffer[me].where[0]] : 0) + buffer[me].what[0];
        at = 0;
        do
        :: at + 1 < ROOM ->
            buffer[me].where[at] = buffer[me].where[at + 1];
            buffer[me].what[at] = buffer[me].what[at + 1];
            buffer[me].adds[at] = buffer[me].adds[at + 1];
            at++
        :: else -> break
        od;
        buffer[me].where[ROOM - 1] = 0;
        buffer[me].what[ROOM - 1] = 0;
        buffer[me].adds[ROOM - 1] = 0;
        buffer[me].count--
      }
    od
}

#define RUN_BUFFER(me) run runs_buffer(me)

#endif

#define STORE(me, word, value) atomic { IS_DRAINED(me) -> memory[word] = value }
#define ADD(me, word, value)   atomic { IS_DRAINED(me) -> memory[word] = memory[word] + (value) }

/* Waits until the word has the value, for its own processor too. */
#define AWAIT(me, word, value) (memory[word] == (value) && !IS_LATE(me, word))

/* Sleeping as the header parking.h wants it, and no more: one look, and from there on a wake ends
 * it. It does not wait for the buffer. */
bit asleep[PROCESSORS];
#define SLEEP(me, word, old) \
    atomic { \
        if \
        :: memory[word] == (old) -> asleep[me] = 1 \
        :: else -> skip \
        fi \
    }; \
    (!asleep[me])
#define WAKE(sleeper) asleep[sleeper] = 0
#define WAKE_ALL \
    atomic { \
        at = 0; \
        do \
        :: at < PROCESSORS -> asleep[at] = 0; at++ \
        :: else -> break \
        od; \
        at = 0 \
    }
