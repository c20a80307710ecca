/* Opens the wires of a process: finds out which MPI the process uses, and loads the shared object
 * that speaks to it. libkport itself links no MPI. */
#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/face.h"
#include "ports/port.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct network {
    const char *word;    /* in KPORT_MPI and in the shared object's name */
    const char *library; /* how MPI_Get_library_version begins */
    const char *started; /* a variable that this MPI's mpirun sets for each process, to the number
                            of processes */
    const char *rank;    /* another one: the number of the process */
    const char *package; /* Debian's packages */
};

static const struct network networks[] = {
    {"openmpi", "Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
     "libopenmpi-dev and openmpi-bin"},
    {"mpich", "MPICH", "PMI_SIZE", "PMI_RANK", "libmpich-dev and mpich"},
};
enum {
    NETWORKS = sizeof networks / sizeof networks[0]
};

/* The network of the wires that were opened last. A process uses one MPI only. */
static char used[KP_NETWORK_BYTES];
static double used_crowd; /* 0: no wires have been opened */
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;

/* An MPI tells its version in at most so many characters (MPICH: 8192). */
#define VERSION_BYTES 16384

/* --- Which MPI --- */

static const struct network *named(const char *word)
{
    for (int i = 0; i < NETWORKS; i++) {
        if (strcmp(word, networks[i].word) == 0)
            return &networks[i];
    }
    kp_set_error(KP_EARGUMENT, "KPORT_MPI is \"%.60s\"; it may be openmpi or mpich", word);
    return NULL;
}

/* Returns the MPI that the program links, or NULL. */
static const struct network *linked(void)
{
    const struct network *found = NULL;
    void *process = dlopen(NULL, RTLD_NOW);
    /* untaken: a program can always open itself */
    void *symbol = process ? dlsym(process, "MPI_Get_library_version") : NULL;
    char *version = symbol ? calloc(1, VERSION_BYTES) : NULL;
    if (version) {
        int (*ask)(char *version, int *length), length = 0;
        memcpy(&ask, &symbol, sizeof ask); /* C converts no void * to the address of a function */
        (void)ask(version, &length);
        for (int i = 0; i < NETWORKS && !found; i++) {
            if (strncmp(version, networks[i].library, strlen(networks[i].library)) == 0)
                found = &networks[i];
        }
    }
    free(version);
    if (process) /* untaken: a program can always open itself */
        (void)dlclose(process);
    return found;
}

/* Returns the MPI to use. If none can be known, sets an error and returns NULL. */
static const struct network *network_of_process(void)
{
    const char *word = getenv("KPORT_MPI");
    if (word && word[0])
        return named(word);
    const struct network *found = linked();
    for (int i = 0; i < NETWORKS && !found; i++)
        found = getenv(networks[i].started) ? &networks[i] : NULL;
    if (!found)
        kp_set_error(KP_EARGUMENT,
                     "carrier is mpi (processes of an MPI), and this process was not started by "
                     "mpirun; it may be started by `mpirun -n N PROGRAM`");
    return found;
}

bool kp_face_is_under_mpirun(void)
{
    const char *word = getenv("KPORT_MPI");
    bool started = word && word[0];
    for (int i = 0; i < NETWORKS && !started; i++)
        started = getenv(networks[i].started) != NULL;
    return started;
}

int kp_port_started_by_mpirun(void)
{
    for (int i = 0; i < NETWORKS; i++) {
        const char *size = getenv(networks[i].started), *rank = getenv(networks[i].rank);
        if (size)
            return rank && atoi(rank) > 0 ? 0 : atoi(size);
    }
    return 0;
}

int kp_face_started_by_mpirun(void)
{
    return kp_port_started_by_mpirun();
}

/* --- The shared object --- */

/* Writes the folder in which this library, or the program that contains it, lies. The name of a
 * program is that by which it was started, without a folder if it was found by PATH. Then the
 * system knows its path. */
static void own_folder(char *folder, size_t size)
{
    snprintf(folder, size, ".");
#ifdef _GNU_SOURCE
    Dl_info info = {.dli_fname = NULL};
    char program[1024];
    const char *path = dladdr(networks, &info) ? info.dli_fname : NULL; /* untaken: it is there */
    if (path && !strchr(path, '/')) {
        const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        program[length > 0 ? length : 0] = '\0'; /* untaken: a system without /proc */
        path = program;
    }
    if (path && strrchr(path, '/')) /* untaken: as above */
        snprintf(folder, size, "%.*s", (int)(strrchr(path, '/') - path), path);
#endif
}

/* If this library lies in a folder that ninja builds, and the carrier has not been built there,
 * sets an error with the command that builds it. Returns whether that is so. */
static bool is_unbuilt(const char *own, const struct network *network)
{
    static const char *const above[] = {"", "/.."};
    char ninja[1100], carrier[1200];
    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        snprintf(ninja, sizeof ninja, "%.1000s%s/build.ninja", own, above[i]);
        snprintf(carrier, sizeof carrier, "%.1000s%s/ports/carrier/mpi/kport-carrier-%s.so", own,
                 above[i], network->word);
        if (access(ninja, R_OK) != 0 || access(carrier, R_OK) == 0)
            continue;
        kp_set_error(KP_EFAILED,
                     "kport-carrier-%s.so is not built; where %s (Debian: %s) is installed, this "
                     "builds it: ninja -C %.200s%s ports/carrier/mpi/kport-carrier-%s.so",
                     network->word, network->library, network->package, own, above[i],
                     network->word);
        return true;
    }
    return false;
}

/* Loads the shared object from one of its places: the folder that KPORT_CARRIERS names, or else
 * where it is built, or where it is installed. Returns its handle, or NULL with an error set. */
static void *load(const struct network *network)
{
    const char *named_folder = getenv("KPORT_CARRIERS");
    const bool is_named = named_folder && named_folder[0];
    char own[1024], path[2048];
    own_folder(own, sizeof own);
    const struct {
        const char *folder, *below;
    } places[] = {{is_named ? named_folder : own, is_named ? "" : "/ports/carrier/mpi"},
                  {own, "/../ports/carrier/mpi"}, /* built: beside a program */
                  {own, "/kport"},                /* beside an installed libkport */
                  {KP_CARRIERS, ""}};
    void *object = NULL;
    for (size_t i = 0; i < (is_named ? 1 : sizeof places / sizeof places[0]) && !object; i++) {
        snprintf(path, sizeof path, "%s%s/kport-carrier-%s.so", places[i].folder, places[i].below,
                 network->word);
        object = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    if (object)
        return object;
    const char *why = dlerror();
    if (!is_named && is_unbuilt(own, network))
        return NULL;
    /* untaken: dlerror gives a reason, and only a named folder surely has no carrier */
    kp_set_error(KP_EFAILED,
                 "kport-carrier-%s.so cannot be loaded from \"%.300s\" (%.200s); it comes with a "
                 "kport that was built where %s (Debian: %s) is installed, and KPORT_CARRIERS may "
                 "name its folder",
                 network->word, is_named ? named_folder : KP_CARRIERS, why ? why : "no reason told",
                 network->library, network->package);
    return NULL;
}

int kp_port_wires_open(const void *comm, int per_process, int threads, struct kp_wires **wires)
{
    static const struct kp_wires_host host = KP_WIRES_HOST(KP_VERSION, kp_set_error);
    const struct network *network = network_of_process();
    void *object = network ? load(network) : NULL;
    if (!object)
        return kp_error_slot()->status;
    void *symbol = dlsym(object, KP_WIRES_OPEN_NAME);
    if (!symbol)
        return kp_set_error(KP_EFAILED,
                            "kport-carrier-%s.so has no " KP_WIRES_OPEN_NAME
                            ", so it comes from another version of kport than " KP_VERSION,
                            network->word);
    /* The object stays loaded, because an MPI cannot be unloaded. */
    kp_wires_open *open;
    memcpy(&open, &symbol, sizeof open);
    const int status = open(&host, comm, per_process, threads, wires);
    pthread_mutex_lock(&used_lock);
    if (!status) {
        snprintf(used, sizeof used, "%s", (*wires)->network);
        used_crowd = (*wires)->crowd;
    }
    pthread_mutex_unlock(&used_lock);
    return status;
}

void kp_port_network(char text[KP_NETWORK_BYTES])
{
    pthread_mutex_lock(&used_lock);
    memcpy(text, used, sizeof used);
    pthread_mutex_unlock(&used_lock);
}

double kp_port_crowd(int n)
{
    pthread_mutex_lock(&used_lock);
    const double crowd = used_crowd;
    pthread_mutex_unlock(&used_lock);
    const int cores = kp_cores();
    return crowd > 0 ? crowd : n > cores ? (double)n / cores : 1;
}

int kp_port_wires_agree(struct kp_wires *wires, int status, uint64_t what)
{
    return wires->agree(wires, status, what);
}

void kp_port_wires_close(struct kp_wires *wires)
{
    if (wires->settle(wires)) /* untaken: before the first run no message is under way */
        wires->close(wires);
}

int kp_port_wires_count(const struct kp_wires *wires, int *processors, const char **network)
{
    *processors = wires->processors;
    *network = wires->network;
    return wires->count;
}

struct kp_wire *kp_port_wire_at(const struct kp_wires *wires, int i)
{
    return wires->wire[i];
}
