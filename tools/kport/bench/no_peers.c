#include "tools/kport/bench/peers.h"

const struct peers_column peers_columns[PEERS_COLUMNS];

const char *peers_missing(void)
{
    return "built without peers (Meson option peers)";
}

const char *peers_none(const struct task *task, const kp_config *machine)
{
    (void)task;
    (void)machine;
    return peers_missing();
}

const char *peers_column_missing(int column, const struct task *task, const kp_config *machine)
{
    (void)column;
    (void)task;
    (void)machine;
    return peers_missing();
}

struct peers *peers_begin(const struct task *task, const kp_config *machine, bool ahead,
                          double budget_ns)
{
    (void)task;
    (void)machine;
    (void)ahead;
    (void)budget_ns;
    return NULL;
}

void peers_repeat(struct peers *peers)
{
    (void)peers;
}

void peers_end(struct peers *peers, struct peers_times *times)
{
    (void)peers;
    *times = (struct peers_times){{0}};
}
