/* The table of the kinds of networks, and how a network is read. */
#include "tools/kport/predict/network.h"

#include "tools/kport/command.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/fields.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_BYTES 4096

/* --- The kinds --- */

static int around(int n, int a, int b)
{
    int steps = abs(a - b);
    return steps < n - steps ? steps : n - steps;
}

static int ring_distance(const struct network *net, int a, int b)
{
    return around(net->n, a, b);
}

static void ring_shape(const struct network *net, FILE *out)
{
    fprintf(out, "topology=\"TORUS\" topo_parameters=\"%d\"", net->n);
}

static const char *complete_torus(struct network *net, int n)
{
    int *rows = &net->sides[0];
    /* The largest divisor up to the root of n: the torus is as near to a square as n allows. */
    if (*rows == 0) {
        for (*rows = (int)sqrt(n); n % *rows != 0; --*rows)
            continue;
    }
    return n % *rows == 0 ? NULL : "n must be a multiple of its rows";
}

static int torus_distance(const struct network *net, int a, int b)
{
    int rows = net->sides[0], columns = net->n / rows;
    return around(rows, a / columns, b / columns) + around(columns, a % columns, b % columns);
}

/* SimGrid counts the first dimension fastest. */
static void torus_shape(const struct network *net, FILE *out)
{
    fprintf(out, "topology=\"TORUS\" topo_parameters=\"%d,%d\"", net->n / net->sides[0],
            net->sides[0]);
}

static const char *complete_hypercube(struct network *net, int n)
{
    (void)net;
    return (n & (n - 1)) == 0 ? NULL : "n must be a power of 2";
}

static int hypercube_distance(const struct network *net, int a, int b)
{
    int distance = 0;
    (void)net;
    for (int differing = a ^ b; differing; differing &= differing - 1)
        distance++;
    return distance;
}

static void hypercube_shape(const struct network *net, FILE *out)
{
    fprintf(out, "topology=\"TORUS\" topo_parameters=\"2");
    for (int side = 4; side <= net->n; side *= 2)
        fprintf(out, ",2");
    fprintf(out, "\"");
}

static int leaves(const struct network *net)
{
    return (net->n + net->sides[0] - 1) / net->sides[0];
}

/* Two levels, as many hosts at a leaf as there are leaves, half as many core switches: half of the
 * hosts can send to other leaves at full speed. */
static const char *complete_fat_tree(struct network *net, int n)
{
    int *hosts = &net->sides[0], *cores = &net->sides[1];
    *hosts = *hosts > 0 ? *hosts : (int)ceil(sqrt(n));
    *cores = *cores > 0 ? *cores : (*hosts + 1) / 2;
    return NULL;
}

static int fat_tree_distance(const struct network *net, int a, int b)
{
    return a / net->sides[0] == b / net->sides[0] ? 2 : 4;
}

static void fat_tree_shape(const struct network *net, FILE *out)
{
    fprintf(out, "topology=\"FAT_TREE\" topo_parameters=\"2;%d,%d;1,%d;1,1\"", net->sides[0],
            leaves(net), net->sides[1]);
}

/* Router j of group i has the link to group j, so a group has a router for every group. */
static const char *complete_dragonfly(struct network *net, int n)
{
    int *groups = &net->sides[0], *routers = &net->sides[1], *nodes = &net->sides[2];
    *nodes = *nodes > 0 ? *nodes : 2;
    if (*groups == 0)
        *groups = *routers > 0 ? *routers : (int)ceil(sqrt((double)n / *nodes));
    *routers = *routers > 0 ? *routers : *groups;
    if (*routers < *groups)
        return "a group must have at least as many routers as there are groups";
    return (double)*groups * *routers * *nodes >= n ? NULL
                                                    : "n must be at most groups * routers * nodes";
}

static int dragonfly_distance(const struct network *net, int a, int b)
{
    int routers = net->sides[1], from = a / net->sides[2], to = b / net->sides[2];
    int from_group = from / routers, to_group = to / routers;
    if (from_group == to_group)
        return 2 + (from != to);
    return 3 + (from % routers != to_group) + (to % routers != from_group);
}

static void dragonfly_shape(const struct network *net, FILE *out)
{
    fprintf(out, "topology=\"DRAGONFLY\" topo_parameters=\"%d,1;1,1;%d,1;%d\"", net->sides[0],
            net->sides[1], net->sides[2]);
}

/* Any two hosts are joined by the backbone. The links of the hosts themselves take no time. */
static void put_backbone(const struct network *net, const char *policy, FILE *out)
{
    fprintf(out, "bb_bw=\"%.9gBps\" bb_lat=\"%.9gus\"\n           bb_sharing_policy=\"%s\"",
            1e6 / net->byte_us, net->latency_us, policy);
}

static void flat_shape(const struct network *net, FILE *out)
{
    put_backbone(net, "FATPIPE", out);
}

static void bus_shape(const struct network *net, FILE *out)
{
    put_backbone(net, "SHARED", out);
}

static void switch_shape(const struct network *net, FILE *out)
{
    (void)net;
    fprintf(out, "sharing_policy=\"SPLITDUPLEX\"");
}

static const struct network_kind kinds[] = {
    {"flat", "any two linked, nothing shared", NULL, NULL, flat_shape, {NULL}},
    {"bus", "one bus for all messages", NULL, NULL, bus_shape, {NULL}},
    {"ring", "a link to either neighbour", NULL, ring_distance, ring_shape, {NULL}},
    {"torus", "rows and columns of rings", complete_torus, torus_distance, torus_shape, {"rows"}},
    {"hypercube",
     "linked where ranks differ in one bit",
     complete_hypercube,
     hypercube_distance,
     hypercube_shape,
     {NULL}},
    {"switch", "a link of each to one switch", NULL, NULL, switch_shape, {NULL}},
    {"fat-tree",
     "leaf switches below core switches",
     complete_fat_tree,
     fat_tree_distance,
     fat_tree_shape,
     {"hosts", "cores"}},
    {"dragonfly",
     "groups of routers, a link between any two groups",
     complete_dragonfly,
     dragonfly_distance,
     dragonfly_shape,
     {"groups", "routers", "nodes"}},
    {"shared-memory", "one memory", NULL, NULL, NULL, {NULL}},
    {"optical", "a beam of each", NULL, NULL, NULL, {NULL}},
    {"butterfly", "levels of edges", complete_hypercube, NULL, NULL, {NULL}},
};

const struct network_kind *network_kind_at(int i)
{
    return i >= 0 && (size_t)i < sizeof kinds / sizeof kinds[0] ? &kinds[i] : NULL;
}

/* --- Reading --- */

static int refuse_path(const char *path, const char *why)
{
    fprintf(stderr,
            "kport: --network is \"%.200s\", which %s; it may be a name, a file with the text of a "
            "network, or a platform of SimGrid (.xml)\n",
            path, why);
    return EXIT_IMPOSSIBLE;
}

static int refuse_name(struct kp_word name)
{
    fprintf(stderr, "kport: --network is \"%.*s\"; it may be", KP_WORD(name));
    for (int i = 0; network_kind_at(i); i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", network_kind_at(i)->name);
    fprintf(stderr, ", or the path of a file\n");
    return EXIT_IMPOSSIBLE;
}

static int refuse_value(struct kp_word key, struct kp_word value, const char *may_be)
{
    fprintf(stderr, "kport: %.*s of the network is \"%.*s\"; it may be %s\n", KP_WORD(key),
            KP_WORD(value), may_be);
    return EXIT_IMPOSSIBLE;
}

static int read_constant(const struct kp_field *field, double *us, bool positive)
{
    char text[64], *end;
    snprintf(text, sizeof text, "%.*s", (int)field->value.length, field->value.text);
    *us = strtod(text, &end);
    if (field->value.length < sizeof text && !*end && *us >= (positive ? 1e-9 : 0) && *us <= 1e9)
        return EXIT_DONE;
    return refuse_value(field->key, field->value,
                        positive ? "1e-9 ... 1e9 (microseconds)" : "0 ... 1e9 (microseconds)");
}

static int read_side(const struct kp_field *field, struct network *net)
{
    uint64_t number;
    for (int i = 0; net->kind && net->kind->keys[i]; i++) {
        if (!kp_word_is(field->key, net->kind->keys[i]))
            continue;
        if (!kp_word_number(field->value, &number) || number < 1 || number > 1 << 20)
            return refuse_value(field->key, field->value, "1 ... 1048576");
        net->sides[i] = (int)number;
        return EXIT_DONE;
    }
    fprintf(stderr, "kport: the network has no \"%.*s\"; it may have L, o, g, G, S, startup",
            KP_WORD(field->key));
    for (int i = 0; net->kind && net->kind->keys[i]; i++)
        fprintf(stderr, ", %s", net->kind->keys[i]);
    fprintf(stderr, "\n");
    return EXIT_IMPOSSIBLE;
}

static int read_field(const struct kp_field *field, struct network *net)
{
    const struct {
        const char *key;
        double *us;
    } constants[] = {{"L", &net->latency_us},
                     {"o", &net->overhead_us},
                     {"g", &net->gap_us},
                     {"G", &net->byte_us},
                     {"startup", &net->startup_us}};
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        if (!kp_word_is(field->key, constants[i].key))
            continue;
        net->has_constants = true;
        return read_constant(field, constants[i].us, constants[i].us == &net->byte_us);
    }
    if (!kp_word_is(field->key, "S"))
        return read_side(field, net);
    return kp_word_number(field->value, &net->eager_bytes)
               ? EXIT_DONE
               : refuse_value(field->key, field->value, "a number of bytes");
}

/* Reads a file's text into `text`: what follows a # goes, and line ends become commas. */
static int read_file(const char *path, char *text, size_t size)
{
    size_t length = 0;
    bool comment = false;
    FILE *file = fopen(path, "r");
    for (int c; file && (c = fgetc(file)) != EOF;) {
        comment = c == '#' || (comment && c != '\n');
        bool end = c == '\n' || c == ',';
        if (comment || c == ' ' || c == '\t' || c == '\r' ||
            (end && (length == 0 || text[length - 1] == ',')))
            continue;
        if (c == '\0' || length + 1 == size) {
            fprintf(stderr, "kport: --network is \"%.200s\"; it may be a text of up to %zu bytes\n",
                    path, size - 1);
            (void)fclose(file);
            return EXIT_IMPOSSIBLE;
        }
        text[length++] = (char)(end ? ',' : c);
    }
    if (file)
        (void)fclose(file);
    length -= length > 0 && text[length - 1] == ',';
    text[length] = '\0';
    return EXIT_DONE;
}

static const struct network_kind *find_kind(struct kp_word name)
{
    int i = 0;
    while (network_kind_at(i) && !kp_word_is(name, network_kind_at(i)->name))
        i++;
    return network_kind_at(i);
}

/* Reads a text that begins with the name of a kind or with the path of a platform. */
static int read_text(const char *text, struct kp_word name, struct network *net)
{
    struct kp_field fields[KP_FIELDS];
    int count, status = EXIT_DONE;
    net->kind = find_kind(name);
    net->has_constants = net->kind != NULL;
    if (!net->kind)
        snprintf(net->path, sizeof net->path, "%.*s", (int)name.length, name.text);
    if (kp_fields_split(text + name.length + (text[name.length] == ','), fields, &count))
        return facts_refuse();
    for (int i = 0; i < count && !status; i++)
        status = read_field(&fields[i], net);
    return status;
}

/* Tells a name that is none from a file that cannot be a network's. A path has a dot or a slash. */
static int check_path(const char *path)
{
    struct stat file;
    bool found = stat(path, &file) == 0;
    if (!found && !strpbrk(path, "./"))
        return refuse_name((struct kp_word){path, strlen(path)});
    if (!found || access(path, R_OK) != 0)
        return refuse_path(path, errno == ENOENT ? "does not exist" : "cannot be read");
    if (S_ISDIR(file.st_mode))
        return refuse_path(path, "is a folder");
    return S_ISREG(file.st_mode) && file.st_size == 0 ? refuse_path(path, "is an empty file")
                                                      : EXIT_DONE;
}

int network_read(const char *text, struct network *net)
{
    static char whole[TEXT_BYTES], path[1024];
    struct kp_word name = {text, strcspn(text, ",")};
    *net = (struct network){.latency_us = 1, .overhead_us = 0.2, .gap_us = 0.2, .byte_us = 1e-4};
    if (find_kind(name))
        return read_text(text, name, net);
    if (name.length == 0 || name.length >= sizeof path)
        return refuse_name(name);
    snprintf(path, sizeof path, "%.*s", (int)name.length, text);
    if (check_path(path))
        return EXIT_IMPOSSIBLE;
    if (name.length > 4 && strcmp(path + name.length - 4, ".xml") == 0)
        return read_text(text, name, net);
    int status = read_file(path, whole, sizeof whole);
    size_t used = strlen(whole);
    if (status == EXIT_DONE && text[name.length])
        snprintf(whole + used, sizeof whole - used, "%s", text + name.length);
    name = (struct kp_word){whole, strcspn(whole, ",")};
    if (status == EXIT_DONE && !find_kind(name))
        status = used > 0 ? refuse_name(name) : refuse_path(path, "has no text");
    return status ? status : read_text(whole, name, net);
}

int network_complete(struct network *net, int n)
{
    const struct network_kind *kind = net->kind;
    const char *condition = NULL;
    net->n = n;
    if (!kind)
        return EXIT_DONE;
    if (kind->complete)
        condition = kind->complete(net, n);
    if (condition) {
        fprintf(stderr, "kport: --network is \"%s", kind->name);
        for (int i = 0; kind->keys[i]; i++)
            fprintf(stderr, ",%s=%d", kind->keys[i], net->sides[i]);
        fprintf(stderr, "\" and n is %d; %s\n", n, condition);
        return EXIT_IMPOSSIBLE;
    }
    const kp_topology *architecture = kp_topology_find(kind->name);
    net->is_architecture = architecture != NULL;
    if (architecture) {
        net->topology = *architecture;
        net->topology.rows = net->sides[0];
    }
    return EXIT_DONE;
}

/* --- What is known of a network --- */

bool network_shares(const struct network *net)
{
    return !net->kind || net->kind->shape != flat_shape;
}

bool network_needs_clocks(const struct network *net)
{
    return net->kind && (net->eager_bytes > 0 || net->gap_us > net->overhead_us);
}

int network_distance(const struct network *net, int a, int b)
{
    return net->kind && net->kind->distance ? net->kind->distance(net, a, b) : 1;
}

kp_model network_model(const struct network *net)
{
    double sum = 0;
    for (int rank = 1; rank < net->n; rank++)
        sum += network_distance(net, 0, rank);
    double mean = net->n > 1 ? sum / (net->n - 1) : 1;
    return (kp_model){.beta_us = net->startup_us + 2 * net->overhead_us + mean * net->latency_us,
                      .tau_us = net->byte_us};
}

bool network_keeps(const struct network *net, const kp_schedule *schedule)
{
    const kp_topology *t = &net->topology;
    bool keeps = true;
    for (int round = 0; net->is_architecture && keeps && round < kp_schedule_rounds(schedule);
         round++) {
        for (int rank = 0; rank < net->n && keeps; rank++) {
            for (int i = 0; i < kp_schedule_sends(schedule, rank, round) && keeps; i++)
                keeps = kp_topology_linked(t, net->n, rank,
                                           kp_schedule_send(schedule, rank, round, i).peer);
        }
        keeps = keeps && (!t->check_round || t->check_round(t, schedule, round) == KP_OK);
    }
    return keeps;
}

bool network_has_platform(const struct network *net)
{
    return !net->kind || net->kind->shape;
}

/* The number of hosts, which may be more than n. */
static int hosts_of(const struct network *net)
{
    if (strcmp(net->kind->name, "fat-tree") == 0)
        return net->sides[0] * leaves(net);
    if (strcmp(net->kind->name, "dragonfly") == 0)
        return net->sides[0] * net->sides[1] * net->sides[2];
    return net->n;
}

void network_write_platform(const struct network *net, FILE *out)
{
    /* What a message takes on the link of a host: nothing before a backbone; half of the latency
     * at a switch, whose two links are one link of the network. */
    bool behind = net->kind->shape == flat_shape || net->kind->shape == bus_shape;
    double latency_us = behind ? 0 : net->kind->distance ? net->latency_us : net->latency_us / 2;
    double speed = 1e6 / net->byte_us * (behind ? 1e6 : 1);
    fprintf(out,
            "<?xml version='1.0'?>\n"
            "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\">\n"
            "  <cluster id=\"%s\" prefix=\"node-\" radical=\"0-%d\" suffix=\"\" speed=\"1Gf\"\n"
            "           bw=\"%.9gBps\" lat=\"%.9gus\" ",
            net->kind->name, hosts_of(net) - 1, speed, latency_us);
    /* The link of a host to itself is a clock of a port (trace.h). */
    if (network_needs_clocks(net))
        fprintf(out, "loopback_bw=\"%.9gBps\" loopback_lat=\"%.9gus\"\n           ",
                1e6 / net->byte_us, fmax(net->gap_us - net->overhead_us, 0));
    net->kind->shape(net, out);
    fprintf(out, "/>\n</platform>\n");
}

const char *network_format(const struct network *net, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", net->kind ? net->kind->name : net->path);
    for (int i = 0; net->kind && net->kind->keys[i] && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, ",%s=%d", net->kind->keys[i], net->sides[i]);
    if (net->has_constants && used < size)
        snprintf(text + used, size - used, ",L=%g,o=%g,g=%g,G=%g,S=%llu,startup=%g",
                 net->latency_us, net->overhead_us, net->gap_us, net->byte_us,
                 (unsigned long long)net->eager_bytes, net->startup_us);
    return text;
}
