#include "contestant.h"

/* Three settings of Open MPI, because the best setting differs from row to row. Two use Open MPI's
 * own shared memory: `cma` lets the kernel copy between processes, `copies` does not. The third
 * uses UCX. */
static const char *const ompi_environment[] = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                               "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", NULL};

#define OMPI_PROGRAM(name, ...)                                                                    \
    static const char *const name##_bound[] = {"--bind-to", "core", __VA_ARGS__, NULL};            \
    static const char *const name##_crowded[] = {                                                  \
        "--oversubscribe",     "--bind-to", "none",      "--mca",                                  \
        "mpi_yield_when_idle", "1",         __VA_ARGS__, NULL};                                    \
    static const struct program name = {.file = "peer_openmpi",                                    \
                                        .launcher = {"mpirun.openmpi", "mpirun"},                  \
                                        .bound = name##_bound,                                     \
                                        .crowded = name##_crowded,                                 \
                                        .environment = ompi_environment,                           \
                                        .package = "openmpi-bin libopenmpi-dev"}

OMPI_PROGRAM(ompi_cma, "--mca", "pml", "ob1", "--mca", "btl", "self,vader", "--mca",
             "btl_vader_single_copy_mechanism", "cma");
OMPI_PROGRAM(ompi_copies, "--mca", "pml", "ob1", "--mca", "btl", "self,vader", "--mca",
             "btl_vader_single_copy_mechanism", "none");
OMPI_PROGRAM(ompi_ucx, "--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca",
             "pml_ucx_devices", "any");

static const char *const mpich_bound[] = {"-bind-to", "core", NULL};
static const char *const mpich_crowded[] = {NULL};
static const struct program mpich = {.file = "peer_mpich",
                                     .launcher = {"mpirun.mpich", "mpiexec.hydra"},
                                     .bound = mpich_bound,
                                     .crowded = mpich_crowded,
                                     .package = "mpich libmpich-dev"};
static const struct program openmp = {.file = "peer_openmp", .package = "gcc, with libgomp"};
static const struct program std_barrier = {.file = "peer_std_barrier", .package = "g++"};
static const struct program boost = {.file = "peer_boost", .package = "g++ libboost-dev"};
static const struct program blis = {.file = "peer_blis", .package = "libblis-pthread-dev"};
static const struct program gloo = {.file = "peer_gloo", .package = "g++ libgloo-dev"};
static const struct program ck = {.file = "peer_ck", .package = "libck-dev"};

#define BY_KPORT         .serves = kport_serves, .missing = kport_missing, .run = kport_run
#define BY_HAND          .serves = hand_serves, .run = hand_run
#define BY_HAND_BY_TURNS .serves = hand_serves_program, .run = hand_run_program
#define BY_TURNS         .serves = kport_serves_program, .missing = kport_missing, .run = kport_run_program
#define WHOLE_BY_KPORT   .serves = whole_serves, .missing = kport_missing, .run = kport_run_whole
#define WHOLE_BY_HAND    .serves = whole_serves, .run = hand_run_whole
#define A_PROGRAM        .missing = program_missing, .run = program_run
#define OUTSIDE          .serves = program_serves, A_PROGRAM

/* Returns whether the job has many words that arrive one after the other. Only then does it make
 * sense to look for a word seldom. */
static bool patient_serves(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->operation == THROUGHPUT;
}

#define PATIENT .serves = patient_serves, .patient = true

const struct contestant contestants[] = {
    {"kport", KPORT, BY_KPORT},
    {"kport, pinned", KPORT, BY_KPORT, .pin = true},
    {"kport, by mailboxes", KPORT, BY_KPORT, .form = MAILBOXES},
    {"kport, by mailboxes, pinned", KPORT, BY_KPORT, .form = MAILBOXES, .pin = true},
    {"kport, fibers", KPORT, BY_KPORT, .form = CARRIED_BY_FIBERS},
    {"kport, blocking", KPORT_BLOCKING, BY_KPORT},
    {"kport, blocking, fibers", KPORT_BLOCKING, BY_KPORT, .form = CARRIED_BY_FIBERS},
    {"kport, threads", KPORT_THREADS, BY_KPORT},
    {"kport, as below the threshold", KPORT_SET, BY_KPORT, .form = AS_BELOW},
    {"kport, as above the threshold", KPORT_SET, BY_KPORT, .form = AS_ABOVE},
    {"kport, fibers, n = 64", KPORT_SMALLER, BY_KPORT, .form = CARRIED_BY_FIBERS, .n = 64},
    {"kport", KPORT, .serves = create_serves, .run = create_run},
    {"kport, by turns", KPORT, BY_TURNS},
    {"kport, each call in its own loop", KPORT_ALONE, BY_TURNS},
    {"kport, by turns, no kp_send_recv", KPORT_WITHOUT, BY_TURNS},
    {"best barrier, rows, by turns", HAND, BY_HAND_BY_TURNS},
    {"best barrier, rows, by turns, pinned", HAND, BY_HAND_BY_TURNS, .pin = true},
    {"kport, by turns, pinned", KPORT_SET, BY_TURNS, .pin = true},
    {"kport, by turns, by mailboxes", KPORT_SET, BY_TURNS, .form = MAILBOXES},
    {"kport, by turns, fibers", KPORT, BY_TURNS, .form = CARRIED_BY_FIBERS},
    {"kport, each call in its own loop, fibers", KPORT_ALONE, BY_TURNS, .form = CARRIED_BY_FIBERS},
    {"kport, by turns, no kp_send_recv, fibers", KPORT_WITHOUT, BY_TURNS,
     .form = CARRIED_BY_FIBERS},
    {"fibers by hand, rows, by turns", HAND, BY_HAND_BY_TURNS, .missing = hand_fibers_missing,
     .form = CARRIED_BY_FIBERS, .pin = true},
    {"kport", KPORT, WHOLE_BY_KPORT},
    {"kport, pinned", KPORT_SET, WHOLE_BY_KPORT, .pin = true},
    {"kport, by mailboxes", KPORT_SET, WHOLE_BY_KPORT, .form = MAILBOXES},
    {"kport, by mailboxes, pinned", KPORT_SET, WHOLE_BY_KPORT, .form = MAILBOXES, .pin = true},
    {"kport, fibers", KPORT_SET, WHOLE_BY_KPORT, .form = CARRIED_BY_FIBERS},
    {"the calls as loops on 2 threads", LOOPS, BY_HAND_BY_TURNS, .pin = true},
    {"kport, in a process of its own", KPORT, .serves = fibers_serve, .missing = kport_missing,
     .run = fibers_run, .form = CARRIED_BY_FIBERS},
    {"kport's mailboxes", KPORT, .serves = words_serve, .run = words_run, .form = MAILBOXES},
    {"kport's mailboxes alone", MAILBOX_WORDS, .serves = words_serve, .run = words_run,
     .form = MAILBOXES},
    {"kport's mailboxes, patient", KPORT, PATIENT, .run = words_run, .form = MAILBOXES},
    {"the schedule as loops on 2 threads", LOOPS, .serves = loops_serve, .run = loops_run},

    {"best barrier", HAND, BY_HAND, .call = one_barrier_alone},
    {"best barrier, pinned", HAND, BY_HAND, .call = one_barrier_alone, .pin = true},
    {"one best barrier alone", ONE_BARRIER, BY_HAND, .call = one_barrier_alone},
    {"best barrier twice, memcpy", HAND, BY_HAND, .call = two_barriers},
    {"best barrier once, rows", HAND, BY_HAND, .call = one_barrier},
    {"best barrier once, rows, pinned", HAND, BY_HAND, .call = one_barrier, .pin = true},
    {"best barrier twice, each another block", HAND, BY_HAND, .call = in_turn},
    {"best barrier twice, streaming stores", HAND, BY_HAND, .call = in_turn_streaming},

    {"running ahead through a ring", AHEAD, .serves = ahead_serves, .run = ahead_run},
    {"running ahead through a ring, pinned", AHEAD, .serves = ahead_serves, .run = ahead_run,
     .pin = true},
    {"flag in the payload's line", HAND, .serves = words_serve, .run = words_run},
    {"flag in the payload's line, patient", HAND, PATIENT, .run = words_run},

    {"pthread_create, held, joined", PTHREAD, .serves = create_serves, .run = create_run},
    {"pthread_barrier_t", PTHREAD, BY_HAND, .call = slow_barrier_alone},
    {"pthread_barrier_t twice, memcpy", PTHREAD, BY_HAND, .call = slow_two_barriers},
    {"pthread_barrier_t", PTHREAD, WHOLE_BY_HAND},
    {"OpenMP", OPENMP, OUTSIDE, .program = &openmp},
    {"std::barrier", STD, OUTSIDE, .program = &std_barrier},
    {"boost::lockfree::spsc_queue", BOOST, OUTSIDE, .program = &boost},
    {"boost::lockfree::spsc_queue, patient", BOOST, PATIENT, A_PROGRAM, .program = &boost},
    {"ck", CK, OUTSIDE, .program = &ck},
    {"ck, patient", CK, PATIENT, A_PROGRAM, .program = &ck},
    {"BLIS's thrcomm", BLIS, OUTSIDE, .program = &blis},
    {"gloo, TCP", GLOO, OUTSIDE, .program = &gloo},
    {"Open MPI, kernel copies", OPENMPI, OUTSIDE, .program = &ompi_cma},
    {"Open MPI, no kernel copies", OPENMPI, OUTSIDE, .program = &ompi_copies},
    {"Open MPI, UCX", OPENMPI, OUTSIDE, .program = &ompi_ucx},
    {"MPICH", MPICH, OUTSIDE, .program = &mpich},
};
const size_t contestant_count = sizeof contestants / sizeof contestants[0];
