/* Makes real messages, routes them by kp_route among n threads, and compares every received byte
 * with the byte that was sent. */
#include "tools/kport/route/payload.h"

#include "kport.h"
#include "lib/route/service.h"
#include "tools/kport/command.h"
#include "tools/kport/common/processes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The messages of one processor. `parcels` has them in the order in which they are sent. `sorted`
 * has their indexes, ordered by destination. */
struct sender {
    kp_parcel *parcels;
    size_t count, filled;
    char *bytes;
    size_t *ends; /* for each destination, where its messages end in `sorted` */
    uint32_t *sorted;
};

struct move {
    const struct route_job *job;
    const struct kp_protocol *protocol;
    int32_t n;
    uint64_t seed;
    struct sender *senders;
    double *seconds;
    uint64_t rounds, words;
};

/* --- Making the messages --- */

static void free_senders(struct move *m)
{
    for (int32_t i = 0; m->senders && i < m->n; i++) {
        struct sender *s = &m->senders[i];
        free(s->parcels);
        free(s->bytes);
        free(s->ends);
        free(s->sorted);
    }
    free(m->senders);
    free(m->seconds);
}

/* Makes the messages of `source` as the relation says, and brings them into a random order. */
static void draw_order(struct move *m, int32_t source, const int32_t *counts)
{
    struct sender *s = &m->senders[source];
    struct kp_random random = kp_random_of(m->seed, (UINT64_C(2) << 40) + (uint64_t)source);
    for (int32_t j = 0; j < m->n; j++) {
        for (int32_t k = 0; k < counts[(int64_t)source * m->n + j]; k++)
            s->parcels[s->filled++] = (kp_parcel){.to = j, .bytes = m->job->payload};
    }
    for (size_t i = s->count; i > 1; i--) {
        size_t j = kp_random_below(&random, (uint32_t)i);
        kp_parcel kept = s->parcels[i - 1];
        s->parcels[i - 1] = s->parcels[j];
        s->parcels[j] = kept;
    }
}

static bool fill_bytes(struct move *m, int32_t source)
{
    struct sender *s = &m->senders[source];
    struct kp_random random = kp_random_of(m->seed, (UINT64_C(3) << 40) + (uint64_t)source);
    size_t total = 0, at = 0;
    for (size_t i = 0; i < s->count; i++)
        total += s->parcels[i].bytes;
    s->bytes = malloc(total + 8);
    if (!s->bytes)
        return false;
    for (size_t i = 0; i < total; i += 8) {
        uint64_t word = kp_random_from(&random.state);
        memcpy(s->bytes + i, &word, sizeof word);
    }
    for (size_t i = 0; i < s->count; i++) {
        s->parcels[i].data = s->bytes + at;
        at += s->parcels[i].bytes;
    }
    return true;
}

static bool sort(struct move *m, struct sender *s)
{
    struct kp_stream *streams = calloc((size_t)m->n, sizeof *streams);
    s->ends = calloc((size_t)m->n, sizeof *s->ends);
    s->sorted = malloc((s->count + 1) * sizeof *s->sorted);
    if (streams && s->ends && s->sorted) {
        for (size_t i = 0; i < s->count; i++)
            streams[s->parcels[i].to].messages++;
        kp_stream_sort(s->parcels, s->count, (size_t)m->n, streams, s->sorted, s->ends);
    }
    bool sorted = streams && s->ends && s->sorted;
    free(streams);
    return sorted;
}

static bool make_senders(struct move *m, const int32_t *counts)
{
    const struct relation_file *file = &m->job->file;
    m->senders = calloc((size_t)m->n, sizeof *m->senders);
    m->seconds = calloc((size_t)m->n, sizeof *m->seconds);
    if (!m->senders || !m->seconds)
        return false;
    for (size_t i = 0; i < file->count; i++)
        m->senders[file->lines[i].source].count++;
    for (int64_t i = 0; i < (int64_t)m->n * m->n && !m->job->path; i++)
        m->senders[i / m->n].count += (size_t)counts[i];
    for (int32_t i = 0; i < m->n; i++) {
        m->senders[i].parcels = calloc(m->senders[i].count + 1, sizeof(kp_parcel));
        if (!m->senders[i].parcels)
            return false;
    }
    for (size_t i = 0; i < file->count; i++) {
        struct sender *s = &m->senders[file->lines[i].source];
        s->parcels[s->filled++] =
            (kp_parcel){.to = file->lines[i].destination, .bytes = file->lines[i].bytes};
    }
    for (int32_t i = 0; i < m->n; i++) {
        if (!m->job->path)
            draw_order(m, i, counts);
        if (!fill_bytes(m, i) || !sort(m, &m->senders[i]))
            return false;
    }
    return true;
}

/* --- The packets that carry the messages --- */

static size_t packet_bytes(const struct route_job *job, int32_t n)
{
    if (job->packet || job->path)
        return kp_service_packet_bytes((size_t)n, job->packet);
    return KP_RUN_BYTES + kp_rounded_up(job->payload); /* a packet has room for about one message */
}

static uint64_t packets_of(const struct kp_stream *stream, size_t packet)
{
    return (kp_rounded_up(stream->bytes) + packet - 1) / packet;
}

int route_file_packets(const struct route_job *job, int32_t n, int32_t *counts)
{
    struct kp_stream *streams = calloc((size_t)n * (size_t)n, sizeof *streams);
    size_t packet = packet_bytes(job, n);
    int status = streams ? EXIT_DONE : EXIT_IMPOSSIBLE;
    if (!streams)
        fprintf(stderr, "kport route: no memory for %" PRId32 " processors\n", n);
    for (size_t i = 0; !status && i < job->file.count; i++) {
        const struct relation_line *line = &job->file.lines[i];
        int64_t pair = (int64_t)line->source * n + line->destination;
        if (line->source == line->destination)
            continue;
        if (!kp_stream_add(&streams[pair], line->bytes) ||
            packets_of(&streams[pair], packet) > INT32_MAX) {
            fprintf(stderr,
                    "kport route: %s, line %" PRIu64 ": with its %" PRIu64
                    " bytes there are more than %" PRId32 " packets of %zu bytes from %" PRId32
                    " to %" PRId32 "\n",
                    job->path, line->number, line->bytes, INT32_MAX, packet, line->source,
                    line->destination);
            status = EXIT_IMPOSSIBLE;
        } else {
            counts[pair] = (int32_t)packets_of(&streams[pair], packet);
        }
    }
    free(streams);
    return status;
}

static bool find_bound(const struct move *m, uint64_t *bound)
{
    size_t pairs = (size_t)m->n * (size_t)m->n, packet = packet_bytes(m->job, m->n);
    struct kp_stream *streams = calloc((size_t)m->n, sizeof *streams);
    int32_t *packets = calloc(pairs, sizeof *packets);
    for (int32_t i = 0; streams && packets && i < m->n; i++) {
        const struct sender *s = &m->senders[i];
        memset(streams, 0, (size_t)m->n * sizeof *streams);
        for (size_t k = 0; k < s->count; k++)
            kp_stream_add(&streams[s->parcels[k].to], s->parcels[k].bytes);
        for (int32_t j = 0; j < m->n; j++) {
            if (j != i)
                packets[(int64_t)i * m->n + j] =
                    (int32_t)((kp_rounded_up(streams[j].bytes) + packet - 1) / packet);
        }
    }
    bool found = streams && packets;
    if (found)
        *bound = kp_route_bound(m->n, packets);
    free(streams);
    free(packets);
    return found;
}

/* --- Routing the messages --- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Verifies that exactly the messages that were sent have arrived. The messages of one source must
 * arrive in the order in which they were sent. */
static bool verify(const struct move *m, int32_t rank, const kp_arrivals *arrivals)
{
    kp_arrival at = {0};
    size_t count = 0;
    for (int32_t source = 0; source < m->n; source++) {
        const struct sender *s = &m->senders[source];
        for (size_t i = rank > 0 ? s->ends[rank - 1] : 0; i < s->ends[rank]; i++, count++) {
            const kp_parcel *sent = &s->parcels[s->sorted[i]];
            if (!kp_route_next(arrivals, &at) || at.source != source || at.bytes != sent->bytes ||
                (at.bytes > 0 && memcmp(at.data, sent->data, at.bytes) != 0))
                return false;
        }
    }
    return !kp_route_next(arrivals, &at) && arrivals->count == count;
}

static int program(kp_proc *self, void *argument)
{
    struct move *m = argument;
    int32_t rank = kp_processor(self);
    const struct sender *s = &m->senders[rank];
    kp_route_hints hints = {.protocol = m->protocol->name,
                            .two_stage = m->job->two_stage,
                            .packet_bytes = packet_bytes(m->job, m->n),
                            .seed = m->seed};
    kp_arrivals arrivals;
    int status = kp_barrier(kp_world(self));
    if (status)
        return status;
    double start = seconds_now();
    status = kp_route(kp_world(self), s->parcels, s->count, &arrivals, &hints);
    m->seconds[rank] = seconds_now() - start;
    if (status)
        return status;
    bool right = verify(m, rank, &arrivals);
    if (rank == processes_first()) {
        m->rounds = arrivals.rounds;
        m->words = arrivals.word_rounds;
    }
    kp_route_free(&arrivals);
    if (!right)
        return kp_fail(self, "a message was lost, doubled, altered or out of order");
    return kp_barrier(kp_world(self)); /* all learn whether all is right */
}

int route_move(const struct route_job *job, int32_t n, uint64_t trial, const int32_t *counts,
               const struct kp_protocol *protocol, struct route_moved *moved)
{
    struct move m = {.job = job, .protocol = protocol, .n = n, .seed = job->seed + trial};
    kp_report report;
    kp_config config = job->machine;
    int status = EXIT_FAILED;
    config.processors = n;
    if (!make_senders(&m, counts) || !find_bound(&m, &moved->bound)) {
        fprintf(stderr, "kport route: no memory for the messages of %" PRId32 " processors\n", n);
    } else if (kp_run(&config, program, &m, &report) != 0) {
        fprintf(stderr, "kport route: n=%" PRId32 ", %s: %s\n", n, protocol->name,
                report.error.sentence);
    } else {
        moved->rounds = m.rounds;
        moved->words = m.words;
        for (int32_t i = 0; i < n; i++) {
            moved->messages += m.senders[i].count;
            moved->seconds = m.seconds[i] > moved->seconds ? m.seconds[i] : moved->seconds;
        }
        status = processes_agree(&moved->seconds, 1);
    }
    free_senders(&m);
    return status;
}
