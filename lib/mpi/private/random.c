/* Random numbers and strtok with a state for each copy of the program. The numbers are those of
 * libc, because libc's functions for a state of the caller's compute them. */
#include "host.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WEAK        __attribute__((weak))
#define STATE_BYTES 128 /* libc's default */

/* Threads of one rank may call these functions at the same time, as they may call libc's. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- rand and random --- */

static char first_state[STATE_BYTES] __attribute__((aligned(8)));
static struct random_data generator;

/* The caller holds the lock. */
static struct random_data *begun(void)
{
    if (!generator.state)
        initstate_r(1, first_state, sizeof first_state, &generator);
    return &generator;
}

WEAK long random(void)
{
    int32_t value = 0;
    pthread_mutex_lock(&lock);
    random_r(begun(), &value);
    pthread_mutex_unlock(&lock);
    return value;
}

WEAK void srandom(unsigned seed)
{
    pthread_mutex_lock(&lock);
    srandom_r(seed, begun());
    pthread_mutex_unlock(&lock);
}

WEAK int rand(void)
{
    return (int)random();
}

WEAK void srand(unsigned seed)
{
    srandom(seed);
}

/* What libc's functions return: the state in use before. libc keeps the kind of the generator in
 * the word before its numbers. */
static char *earlier_state(void)
{
    return (char *)(begun()->state - 1);
}

WEAK char *initstate(unsigned seed, char *state, size_t bytes)
{
    pthread_mutex_lock(&lock);
    char *earlier = earlier_state();
    int failed = initstate_r(seed, state, bytes, &generator);
    pthread_mutex_unlock(&lock);
    return failed ? NULL : earlier;
}

WEAK char *setstate(char *state)
{
    pthread_mutex_lock(&lock);
    char *earlier = earlier_state();
    int failed = setstate_r(state, &generator);
    pthread_mutex_unlock(&lock);
    return failed ? NULL : earlier;
}

/* --- drand48 and its family --- */

static struct drand48_data numbers48;

/* Defines a function that draws from `arguments`. */
#define DRAW48(type, name, parameters, ...)                                                        \
    WEAK type name parameters                                                                      \
    {                                                                                              \
        type value;                                                                                \
        pthread_mutex_lock(&lock);                                                                 \
        name##_r(__VA_ARGS__, &value);                                                             \
        pthread_mutex_unlock(&lock);                                                               \
        return value;                                                                              \
    }

DRAW48(double, drand48, (void), &numbers48)
DRAW48(long, lrand48, (void), &numbers48)
DRAW48(long, mrand48, (void), &numbers48)
DRAW48(double, erand48, (unsigned short x[3]), x, &numbers48)
DRAW48(long, nrand48, (unsigned short x[3]), x, &numbers48)
DRAW48(long, jrand48, (unsigned short x[3]), x, &numbers48)

WEAK void srand48(long seed)
{
    pthread_mutex_lock(&lock);
    srand48_r(seed, &numbers48);
    pthread_mutex_unlock(&lock);
}

WEAK unsigned short *seed48(unsigned short seed[3])
{
    static unsigned short earlier[3];
    pthread_mutex_lock(&lock);
    memcpy(earlier, numbers48.__x, sizeof earlier);
    seed48_r(seed, &numbers48);
    pthread_mutex_unlock(&lock);
    return earlier;
}

WEAK void lcong48(unsigned short parameters[7])
{
    pthread_mutex_lock(&lock);
    lcong48_r(parameters, &numbers48);
    pthread_mutex_unlock(&lock);
}

/* --- strtok --- */

WEAK char *strtok(char *text, const char *delimiters)
{
    static char *rest;
    return strtok_r(text, delimiters, &rest);
}
