/* Times the peers, that is, what people would use instead of kport. A helper program times the
 * peers with the code of the benchmark in bench/, in turns with kport. */
#ifndef KPORT_TOOLS_BENCH_PEERS_H
#define KPORT_TOOLS_BENCH_PEERS_H

#include "tools/kport/run/timing.h"

#define PEERS_COLUMNS 6

/* A column of the table that `kport bench` prints, for one kind of peer. The text format has
 * `title` above the column. In CSV and JSON the column's name is made from `key`. */
struct peers_column {
    const char *title, *key;
};
extern const struct peers_column peers_columns[PEERS_COLUMNS];

/* What a peer's time is. It can be compared with the median of kport's turns. */
#define PEERS_TIMED                                                                                \
    "the median of a peer's turns, each the mean of its calls; kport and the peers take turns; "   \
    "of several programs of a kind, the fastest one's"

/* Which operations have peers, as a sentence of the help. */
#define PEERS_KNOW "Of index, concat, broadcast, scatter, gather (root 0), allreduce, barrier"

/* A row says that its times are not to be compared if it has fewer turns, or if one of them rests
 * on fewer calls. */
#define PEERS_FEW_TURNS 5
#define PEERS_FEW_CALLS 20

struct peers_times {
    /* For each column, the microseconds per call of its fastest peer; 0: the column has no peer. */
    double us[PEERS_COLUMNS];
    int64_t calls[PEERS_COLUMNS]; /* the calls on which this time rests */
};

/* Reads which peers are timed, a list of keys such as "openmp,mpich"; "" stands for all. Returns
 * false if a name is none; an error message is then on stderr. */
bool peers_choose(const char *list);
bool peers_is_chosen(int column);

/* Returns NULL if this program can time peers. Otherwise returns a sentence that says why not. */
const char *peers_missing(void);

/* Returns NULL if some peer can carry out this task. Otherwise returns a text that says why not. */
const char *peers_none(const struct task *task, const kp_config *machine);

/* Returns NULL if a peer of this column can carry out the task. Otherwise returns a text that says
 * why the column stays empty. The text is valid until the next call. */
const char *peers_column_missing(int column, const struct task *task, const kp_config *machine);

/* Makes the buffers of the peers. For each peer, finds how many calls take about `budget_ns`; a
 * turn of the peer has so many calls. If `ahead` is true, a call may begin before the previous call
 * is complete at every processor. Returns false if no peer can carry out the task or if there is no
 * memory. If so, peers_repeat and peers_end must not be called. Only one task may be in progress at
 * a time. */
bool peers_begin(const struct task *task, const kp_config *machine, bool ahead, double budget_ns);

/* Times one turn of each peer. */
void peers_repeat(void);

/* Writes for each column the median of the turns of its fastest peer to `times`, and frees the
 * buffers. */
void peers_end(struct peers_times *times);

#endif
