#include "tools/kport/soak/watchdog.h"

#include "kport/diagnosis.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

static struct {
    pthread_mutex_t lock; /* protects the fields below */
    uint64_t seed;
    const struct trial *trial; /* the current trial; NULL if no trial is being carried out */
    kp_machine *machine;
    struct timespec begun;
    time_t seconds;
    void (*hang)(const char *sentence);
} dog = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void report(void)
{
    char sentence[160];
    snprintf(sentence, sizeof sentence, "a trial has not ended within %lld seconds",
             (long long)dog.seconds);
    fprintf(stderr, "kport: seed %" PRIu64 ": %s:\n", dog.seed, sentence);
    trial_print(dog.trial, stderr);
    if (dog.machine)
        (void)kp_machine_dump(dog.machine, kp_diagnosis_print, stderr);
    dog.hang(sentence);
}

static void *watch(void *argument)
{
    struct timespec pause = {0, 100000000};
    (void)argument;
    for (;;) {
        struct timespec now;
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
        pthread_mutex_lock(&dog.lock);
        if (dog.trial && now.tv_sec - dog.begun.tv_sec > dog.seconds)
            report();
        pthread_mutex_unlock(&dog.lock);
    }
    return NULL;
}

bool watchdog_start(uint64_t seconds, void (*hang)(const char *sentence))
{
    pthread_t thread;
    dog.seconds = (time_t)seconds;
    dog.hang = hang;
    if (pthread_create(&thread, NULL, watch, NULL)) {
        fprintf(stderr, "kport: no thread for the watchdog\n");
        return false;
    }
    pthread_detach(thread);
    return true;
}

void watchdog_begin(const struct trial *trial, kp_machine *machine)
{
    pthread_mutex_lock(&dog.lock);
    dog.trial = trial;
    dog.machine = machine;
    clock_gettime(CLOCK_MONOTONIC, &dog.begun);
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_end(void)
{
    pthread_mutex_lock(&dog.lock);
    dog.trial = NULL;
    pthread_mutex_unlock(&dog.lock);
}

void watchdog_seed(uint64_t seed)
{
    pthread_mutex_lock(&dog.lock);
    dog.seed = seed;
    pthread_mutex_unlock(&dog.lock);
}

/* Does not take the lock, because only `hang` calls this function, and then the watchdog's thread
 * already holds the lock. */
uint64_t watchdog_seed_now(void)
{
    return dog.seed;
}
