/* Settings from the environment. Process 0 reads them for all, because a system need not give all
 * processes the same environment.
 *
 * KPORT_PMPI_REPORT=1           print a report at the end
 * KPORT_PMPI_FASTER=1           pass on what the MPI's own collectives carry out faster
 * KPORT_PMPI_ONE_THREAD=1       the program has threads, but only the one that initialised the MPI
 *                               makes collective calls
 * KPORT_PMPI_PORTS=K            use at most K ports
 * KPORT_PMPI_ALGORITHM=TEXT     "OPERATION:ALGORITHM" of several operations, separated by ";", as
 *                               in "index:radix,r=4;concat:ring"
 * KPORT_PMPI_<OPERATION>=TEXT   the algorithm of one operation, as in KPORT_PMPI_INDEX=radix,r=4
 * or, by MPI's name, KPORT_PMPI_ALLTOALL; takes precedence */
#include "pmpi.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX     "KPORT_PMPI_"
#define TEXT_BYTES 128

extern char **environ;

static struct {
    int report, faster, one_thread, ports;
    char texts[KP_OPERATIONS][TEXT_BYTES];
    char error[KP_SENTENCE_BYTES];
} settings;

static kp_hints hints[KP_OPERATIONS];

#define REFUSE(...) ((void)snprintf(settings.error, sizeof settings.error, __VA_ARGS__))

/* Returns the operation with a name of `length` characters, kport's or MPI's, in any case and with
 * any of - and _, or -1. A problem string knows both names. */
static int find_operation(const char *name, size_t length)
{
    char text[64];
    kp_problem problem;
    for (int pass = 0; pass < 2 && length > 0 && length <= 32; pass++) {
        for (size_t c = 0; c < length; c++)
            text[c] = pass == 0 && name[c] == '_' ? '-' : (char)tolower((unsigned char)name[c]);
        const bool moves = length != 7 || memcmp(text, "barrier", 7) != 0;
        snprintf(text + length, sizeof text - length, ":n=2,k=1%s", moves ? ",b=8" : "");
        if (kp_problem_parse(text, &problem) == KP_OK)
            return (int)problem.operation;
    }
    return -1;
}

static void list_operations(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < KP_OPERATIONS && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 kp_operation_name((kp_operation)i));
}

static void set_text(const char *variable, int operation, const char *text, size_t length)
{
    kp_hints parsed;
    if (length >= TEXT_BYTES) {
        REFUSE("%s has %zu characters; it may have %d", variable, length, TEXT_BYTES - 1);
        return;
    }
    memcpy(settings.texts[operation], text, length);
    settings.texts[operation][length] = '\0';
    if (kp_hints_parse((kp_operation)operation, settings.texts[operation], &parsed))
        REFUSE("%s: %.*s", variable, KP_SENTENCE_BYTES - 72, kp_last_error()->sentence);
}

/* Reads "OPERATION:ALGORITHM;...". */
static void read_list(const char *text)
{
    while (*text && !settings.error[0]) {
        const size_t length = strcspn(text, ";"), name = strcspn(text, ":;");
        const int operation = find_operation(text, name);
        if (operation < 0 || text[name] != ':') {
            char known[256];
            list_operations(known, sizeof known);
            REFUSE(PREFIX
                   "ALGORITHM has \"%.*s\"; it may have OPERATION:ALGORITHM, where OPERATION "
                   "is one of %s",
                   (int)(length < 60 ? length : 60), text, known);
        } else {
            set_text(PREFIX "ALGORITHM", operation, text + name + 1, length - name - 1);
        }
        text += length + (text[length] == ';');
    }
}

static int read_number(const char *name, const char *value, int least, int most)
{
    char *end;
    const long number = strtol(value, &end, 10);
    if (end == value || *end || number < least || number > most)
        REFUSE(PREFIX "%s is \"%.40s\"; it may be %d ... %d", name, value, least, most);
    return (int)number;
}

/* Reads a variable, whose name without prefix has `length` characters. */
static void read_variable(const char *name, size_t length, const char *value)
{
    const int operation = find_operation(name, length);
    char variable[64], known[256];
    snprintf(variable, sizeof variable, PREFIX "%.*s", (int)(length < 40 ? length : 40), name);
    if (length == 6 && strncmp(name, "REPORT", length) == 0)
        settings.report = value[0] ? read_number("REPORT", value, 0, 1) : 0;
    else if (length == 6 && strncmp(name, "FASTER", length) == 0)
        settings.faster = value[0] ? read_number("FASTER", value, 0, 1) : 0;
    else if (length == 10 && strncmp(name, "ONE_THREAD", length) == 0)
        settings.one_thread = value[0] ? read_number("ONE_THREAD", value, 0, 1) : 0;
    else if (length == 5 && strncmp(name, "PORTS", length) == 0)
        settings.ports = value[0] ? read_number("PORTS", value, 0, 1 << 20) : 0;
    else if (operation >= 0)
        set_text(variable, operation, value, strlen(value));
    else if (length != 9 || strncmp(name, "ALGORITHM", length) != 0) {
        list_operations(known, sizeof known);
        REFUSE("%s is unknown; known are " PREFIX
               "REPORT, _FASTER, _ONE_THREAD, _PORTS, _ALGORITHM and, in capitals with "
               "_ for -, the operations (or MPI's names of them) %s",
               variable, known);
    }
}

static void read_environment(void)
{
    const char *list = getenv(PREFIX "ALGORITHM");
    if (list)
        read_list(list);
    for (char **variable = environ; *variable && !settings.error[0]; variable++) {
        const char *equals = strchr(*variable, '=');
        if (equals && strncmp(*variable, PREFIX, strlen(PREFIX)) == 0)
            read_variable(*variable + strlen(PREFIX), (size_t)(equals - *variable) - strlen(PREFIX),
                          equals + 1);
    }
}

const char *pm_settings_read(void)
{
    int rank;
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        read_environment();
    if (PMPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
        return "the MPI cannot broadcast the settings of kport";
    for (int i = 0; i < KP_OPERATIONS && !settings.error[0]; i++) {
        if (kp_hints_parse((kp_operation)i, settings.texts[i], &hints[i]))
            REFUSE("%s", kp_last_error()->sentence);
    }
    return settings.error[0] ? settings.error : NULL;
}

bool pm_settings_report(void)
{
    return settings.report != 0;
}

bool pm_settings_faster(void)
{
    return settings.faster != 0;
}

bool pm_settings_one_thread(void)
{
    return settings.one_thread != 0;
}

int pm_settings_ports(void)
{
    return settings.ports;
}

const kp_hints *pm_hints(const kp_problem *problem)
{
    const kp_hints *named = &hints[problem->operation];
    const kp_algorithm *algorithm = named->algorithm;
    if (!algorithm)
        return NULL;
    kp_problem asked = *problem;
    asked.algorithm = algorithm;
    memcpy(asked.values, named->values, sizeof asked.values);
    for (int i = 0; i < KP_PARAMETERS && algorithm->parameters[i].name; i++) {
        const kp_parameter *parameter = &algorithm->parameters[i];
        if (named->values[i] != 0 && !parameter->words &&
            (named->values[i] < parameter->low(&asked) ||
             named->values[i] > parameter->high(&asked)))
            return NULL;
    }
    return algorithm->serves && algorithm->serves(&asked) ? NULL : named;
}
