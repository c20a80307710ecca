/* The peers: what people would use instead of kport. A helper program times bench/'s contestants
 * beside kport. */
#ifndef KPORT_TOOLS_BENCH_PEERS_H
#define KPORT_TOOLS_BENCH_PEERS_H

#include "tools/kport/run/timing.h"

#define PEERS_COLUMNS 6

/* A column's name in words and as a key. */
struct peers_column {
    const char *title, *key;
};
extern const struct peers_column peers_columns[PEERS_COLUMNS];

/* The microseconds per call of the best peer of each column; 0: there is none. */
struct peers_times {
    double us[PEERS_COLUMNS];
};

/* Returns a sentence that says why this program cannot time peers, or NULL if it can. */
const char *peers_missing(void);

/* Returns why no peer can do such a task, or NULL if some peer can. */
const char *peers_none(const struct task *task, const kp_config *machine);

/* Returns why a column stays empty for such a task, or NULL. The text is valid until the
 * next call. */
const char *peers_column_missing(int column, const struct task *task, const kp_config *machine);

/* Makes the peers' buffers and finds out how many calls fill `budget_ns`. With `ahead`, calls of
 * peers may run ahead of each other, as kport's do. Returns false if no peer serves the task or
 * there is no memory; then the two functions below must not be called. Only one task at a time. */
bool peers_begin(const struct task *task, const kp_config *machine, bool ahead, double budget_ns);

/* Lets each peer do one turn. */
void peers_repeat(void);

/* Writes the averages of all turns, and frees the buffers. */
void peers_end(struct peers_times *times);

#endif
