/* What people would use instead of kport, timed beside it: bench/'s contestants, in a helper
 * program. */
#ifndef KPORT_TOOLS_BENCH_PEERS_H
#define KPORT_TOOLS_BENCH_PEERS_H

#include "tools/kport/run/timing.h"

#define PEERS_COLUMNS 6

/* By column: its name in words and as a key. */
struct peers_column {
    const char *title, *key;
};
extern const struct peers_column peers_columns[PEERS_COLUMNS];

/* Microseconds a call of the best of each kind; 0: there is none. */
struct peers_times {
    double us[PEERS_COLUMNS];
};

/* Why this program cannot time them, a sentence; NULL if it can. */
const char *peers_missing(void);

/* Why nobody can do such a task; NULL if somebody can. */
const char *peers_none(const struct task *task, const kp_config *machine);

/* Why a column stays empty for such a task, until the next call; NULL if it does not. */
const char *peers_column_missing(int column, const struct task *task, const kp_config *machine);

/* Makes their buffers and finds out how many calls fill `budget_ns`; where calls may run ahead of
 * each other theirs may too. False if nobody serves the task, or there is no memory: then the two
 * functions below are not called. One task at a time. */
bool peers_begin(const struct task *task, const kp_config *machine, bool ahead, double budget_ns);

/* One turn of each. */
void peers_repeat(void);

/* The averages of the turns. Frees the buffers. */
void peers_end(struct peers_times *times);

#endif
