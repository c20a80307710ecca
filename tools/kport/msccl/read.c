/* Reads a file. Expat parses the XML. Each element is stored when its tag opens. What refers to
 * other elements is checked when the file has been read. */
#include "tools/kport/msccl/attributes.h"
#include "tools/kport/msccl/msccl.h"

#include "lib/schedule/vector.h"

#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum element {
    NOWHERE,
    ALGO,
    GPU,
    TB,
    STEP
};

struct reader {
    XML_Parser parser;
    struct msccl *m;
    struct kp_vector blocks, steps;
    enum element inside;
    int32_t rank; /* the rank of the current <gpu> */
    uint64_t chunks, units;
    bool any; /* an <algo> has been read */
    int over; /* the open elements that are passed over */
    bool failed;
    char *error;
};

/* --- Errors --- */

__attribute__((format(printf, 3, 4))) static bool refuse(struct reader *r, int line,
                                                         const char *format, ...)
{
    int used = line ? snprintf(r->error, MSCCL_ERROR, "line %d: ", line) : 0;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error + used, MSCCL_ERROR - (size_t)used, format, arguments);
    va_end(arguments);
    r->failed = true;
    return false;
}

/* Expat 2.9 has these of 64 bits, and deprecates the others. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#define XML_GetCurrentByteIndex64  XML_GetCurrentByteIndex
#endif

static int line_of(const struct reader *r)
{
    const uint64_t line = XML_GetCurrentLineNumber64(r->parser);
    return line > INT32_MAX ? INT32_MAX : (int)line;
}

static bool no_memory(struct reader *r)
{
    return refuse(r, 0, "there is no memory for the schedule");
}

static bool attributes(struct reader *r, const char *name, const char **given,
                       const struct msccl_attribute *rows)
{
    char error[MSCCL_ERROR / 2];
    return msccl_attributes(name, given, rows, error, sizeof error) ||
           refuse(r, line_of(r), "%s", error);
}

/* --- <algo> --- */

/* The words for a collective: those of the runtimes and of the tools that write files. */
static const struct {
    const char *word;
    enum msccl_collective collective;
} collectives[] = {
    {"allreduce", MSCCL_ALLREDUCE},
    {"all_reduce", MSCCL_ALLREDUCE},
    {"allgather", MSCCL_ALLGATHER},
    {"all_gather", MSCCL_ALLGATHER},
    {"reducescatter", MSCCL_REDUCESCATTER},
    {"reduce_scatter", MSCCL_REDUCESCATTER},
    {"alltoall", MSCCL_ALLTOALL},
    {"all_to_all", MSCCL_ALLTOALL},
    {"broadcast", MSCCL_BROADCAST},
    {"reduce", MSCCL_REDUCE},
    {"custom", MSCCL_CUSTOM},
};

static bool find_collective(struct reader *r, const char *word)
{
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
        if (strcmp(word, collectives[i].word) == 0) {
            r->m->collective = collectives[i].collective;
            return true;
        }
    }
    return refuse(r, line_of(r),
                  "coll is \"%.40s\"; it may be allreduce, allgather, reducescatter, alltoall, "
                  "broadcast, reduce, custom",
                  word);
}

static bool open_algo(struct reader *r, const char **given)
{
    const char *name = "", *protocol = "", *collective;
    int64_t n, chunks, in_place, out_of_place = -1, root = -1;
    const struct msccl_attribute rows[] = {
        {"ngpus", &n, NULL, 1, MSCCL_MOST_RANKS, true},
        {"nchunksperloop", &chunks, NULL, 1, MSCCL_MOST_CHUNKS, true},
        {"coll", NULL, &collective, 0, 0, true},
        {"inplace", &in_place, NULL, 0, 1, true},
        {"outofplace", &out_of_place, NULL, 0, 1, false},
        {"root", &root, NULL, 0, MSCCL_MOST_RANKS - 1, false},
        {"name", NULL, &name, 0, 0, false},
        {"proto", NULL, &protocol, 0, 0, false},
        {0}};
    struct msccl *m = r->m;
    if (!attributes(r, "algo", given, rows) || !find_collective(r, collective))
        return false;
    if (root >= n)
        return refuse(r, line_of(r), "root is %d, but there are %d ranks", (int)root, (int)n);
    m->n = (int32_t)n;
    m->chunks = (int32_t)chunks;
    m->root = (int32_t)root;
    m->in_place = in_place == 1;
    m->out_of_place = out_of_place == 1 || !in_place;
    snprintf(m->name, sizeof m->name, "%s", name);
    snprintf(m->protocol, sizeof m->protocol, "%s", protocol);
    if ((m->collective == MSCCL_ALLGATHER || m->collective == MSCCL_REDUCESCATTER ||
         m->collective == MSCCL_ALLTOALL) &&
        chunks % n != 0)
        return refuse(r, line_of(r), "nchunksperloop is %d, which %d ranks cannot share equally",
                      (int)chunks, (int)n);
    m->ranks = calloc((size_t)n, sizeof *m->ranks);
    r->any = true;
    return m->ranks || no_memory(r);
}

/* --- <gpu> --- */

/* The runtime takes the buffers' sizes from the collective. A buffer that is not used has 0. */
static bool check_chunks(struct reader *r, const struct msccl_rank *rank, int at)
{
    static const char *const names[] = {"i_chunks", "o_chunks"};
    int32_t most[] = {msccl_input_chunks(r->m, at), msccl_output_chunks(r->m, at)};
    for (int i = MSCCL_INPUT; i <= MSCCL_OUTPUT; i++) {
        if (rank->chunks[i] > most[i])
            return refuse(r, rank->line, "%s is %d, but %s with nchunksperloop %d has %d", names[i],
                          (int)rank->chunks[i], msccl_collective_name(r->m->collective),
                          (int)r->m->chunks, (int)most[i]);
        r->chunks += (uint64_t)most[i];
    }
    r->chunks += (uint64_t)rank->chunks[MSCCL_SCRATCH];
    return r->chunks <= MSCCL_MOST_CHUNKS ||
           refuse(r, rank->line, "the buffers of all ranks have more than %d chunks",
                  (int)MSCCL_MOST_CHUNKS);
}

static bool open_gpu(struct reader *r, const char **given)
{
    int64_t id, chunks[MSCCL_BUFFERS];
    const struct msccl_attribute rows[] = {
        {"id", &id, NULL, 0, r->m->n - 1, true},
        {"i_chunks", &chunks[MSCCL_INPUT], NULL, 0, MSCCL_MOST_CHUNKS, true},
        {"o_chunks", &chunks[MSCCL_OUTPUT], NULL, 0, MSCCL_MOST_CHUNKS, true},
        {"s_chunks", &chunks[MSCCL_SCRATCH], NULL, 0, MSCCL_MOST_CHUNKS, true},
        {0}};
    if (!attributes(r, "gpu", given, rows))
        return false;
    struct msccl_rank *rank = &r->m->ranks[id];
    if (rank->line)
        return refuse(r, line_of(r), "a <gpu> with the id %d is on line %d already", (int)id,
                      rank->line);
    r->rank = (int32_t)id;
    rank->line = line_of(r);
    rank->first = (uint32_t)r->blocks.count;
    rank->first_step = (uint32_t)r->steps.count;
    for (int i = 0; i < MSCCL_BUFFERS; i++)
        rank->chunks[i] = (int32_t)chunks[i];
    return check_chunks(r, rank, (int)id);
}

/* --- <tb> --- */

static bool open_tb(struct reader *r, const char **given)
{
    int64_t id, send, receive, channel;
    const struct msccl_attribute rows[] = {{"id", &id, NULL, 0, INT32_MAX, true},
                                           {"send", &send, NULL, -1, r->m->n - 1, true},
                                           {"recv", &receive, NULL, -1, r->m->n - 1, true},
                                           {"chan", &channel, NULL, -1, INT16_MAX, true},
                                           {0}};
    if (!attributes(r, "tb", given, rows))
        return false;
    if (send == r->rank || receive == r->rank)
        return refuse(r, line_of(r), "tb %d of rank %d is connected with its own rank", (int)id,
                      (int)r->rank);
    if (channel < 0 && (send >= 0 || receive >= 0))
        return refuse(r, line_of(r), "tb %d of rank %d is connected, but chan is -1", (int)id,
                      (int)r->rank);
    if (r->blocks.count == MSCCL_MOST_BLOCKS)
        return refuse(r, line_of(r), "there are more than %d thread blocks",
                      (int)MSCCL_MOST_BLOCKS);
    struct msccl_block *block = kp_vector_add(&r->blocks, sizeof *block);
    if (!block)
        return no_memory(r);
    *block = (struct msccl_block){.rank = r->rank,
                                  .id = (int32_t)id,
                                  .line = line_of(r),
                                  .send = (int32_t)send,
                                  .receive = (int32_t)receive,
                                  .channel = (int32_t)channel,
                                  .first = (uint32_t)r->steps.count};
    r->m->ranks[r->rank].count++;
    return true;
}

/* --- <step> --- */

static const struct msccl_kind kinds[] = {
    {"s", MSCCL_READS | MSCCL_SENDS},
    {"r", MSCCL_RECEIVES | MSCCL_WRITES},
    {"cpy", MSCCL_READS | MSCCL_WRITES},
    {"re", MSCCL_READS | MSCCL_ADDS},
    {"rcs", MSCCL_RECEIVES | MSCCL_WRITES | MSCCL_SENDS},
    {"rrc", MSCCL_RECEIVES | MSCCL_READS | MSCCL_WRITES},
    {"rrs", MSCCL_RECEIVES | MSCCL_READS | MSCCL_SENDS},
    {"rrcs", MSCCL_RECEIVES | MSCCL_READS | MSCCL_WRITES | MSCCL_SENDS},
    {"nop", 0},
};

static const struct msccl_kind *find_kind(struct reader *r, const char *word)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(word, kinds[i].name) == 0)
            return &kinds[i];
    }
    refuse(r, line_of(r), "type is \"%.40s\"; it may be s, r, cpy, re, rcs, rrc, rrs, rrcs, nop",
           word);
    return NULL;
}

static bool find_buffer(struct reader *r, const char *name, const char *word, uint8_t *buffer)
{
    static const char letters[] = "ios";
    const char *at = word[0] ? strchr(letters, word[0]) : NULL;
    if (!at || word[1])
        return refuse(r, line_of(r), "%s is \"%.40s\"; it may be i, o, s", name, word);
    *buffer = (uint8_t)(at - letters);
    return true;
}

static bool store_step(struct reader *r, struct msccl_step step, int64_t number)
{
    struct msccl_block *block = (struct msccl_block *)r->blocks.items + (r->blocks.count - 1);
    if (number != block->count && !r->m->misnumbered)
        r->m->misnumbered = line_of(r);
    if (r->steps.count == MSCCL_MOST_STEPS)
        return refuse(r, line_of(r), "there are more than %d steps", (int)MSCCL_MOST_STEPS);
    r->units += (uint64_t)step.count;
    if (r->units > MSCCL_MOST_UNITS)
        return refuse(r, line_of(r), "the steps move more than %d chunks", (int)MSCCL_MOST_UNITS);
    struct msccl_step *stored = kp_vector_add(&r->steps, sizeof *stored);
    if (!stored)
        return no_memory(r);
    *stored = step;
    stored->block = (uint32_t)(r->blocks.count - 1);
    stored->line = line_of(r);
    stored->waits = MSCCL_NONE;
    block->count++;
    r->m->ranks[r->rank].steps++;
    return true;
}

static bool open_step(struct reader *r, const char **given)
{
    const char *type, *from_buffer = "i", *to_buffer = "o";
    int64_t s, from = -1, to = -1, count = 1, block = -1, step = -1, signals = 0;
    const struct msccl_attribute first[] = {
        {"s", &s, NULL, 0, INT32_MAX, true}, {"type", NULL, &type, 0, 0, true}, {0}};
    if (!attributes(r, "step", given, first))
        return false;
    const struct msccl_kind *kind = find_kind(r, type);
    if (!kind)
        return false;
    bool reads = kind->does & MSCCL_READS, writes = kind->does & (MSCCL_WRITES | MSCCL_ADDS);
    const struct msccl_attribute rows[] = {{"srcbuf", NULL, &from_buffer, 0, 0, reads},
                                           {"srcoff", &from, NULL, -1, INT32_MAX, reads},
                                           {"dstbuf", NULL, &to_buffer, 0, 0, writes},
                                           {"dstoff", &to, NULL, -1, INT32_MAX, writes},
                                           {"cnt", &count, NULL, 0, INT32_MAX, false},
                                           {"depid", &block, NULL, -1, INT32_MAX, false},
                                           {"deps", &step, NULL, -1, INT32_MAX, false},
                                           {"hasdep", &signals, NULL, 0, 1, false},
                                           {0}};
    struct msccl_step stored = {.kind = kind};
    if (!attributes(r, "step", given, rows) ||
        !find_buffer(r, "srcbuf", from_buffer, &stored.from_buffer) ||
        !find_buffer(r, "dstbuf", to_buffer, &stored.to_buffer))
        return false;
    stored.from = (int32_t)from;
    stored.to = (int32_t)to;
    stored.count = kind->does ? (int32_t)count : 0;
    stored.signals = signals == 1 && kind->does; /* the runtimes drop a nop, and its hasdep */
    stored.waits_block = (int32_t)block;
    stored.waits_step = block >= 0 ? (int32_t)step : -1;
    return store_step(r, stored, s);
}

/* --- The tree of elements --- */

static const struct {
    const char *name;
    bool (*open)(struct reader *r, const char **given);
} elements[] = {[ALGO] = {"algo", open_algo},
                [GPU] = {"gpu", open_gpu},
                [TB] = {"tb", open_tb},
                [STEP] = {"step", open_step}};

static void XMLCALL opened(void *data, const char *name, const char **given)
{
    struct reader *r = data;
    enum element next = r->inside + 1;
    if (r->failed)
        return;
    if (r->over > 0 || (r->inside == GPU && strcmp(name, "copy") == 0)) { /* written by TACCL */
        r->over++;
        if (!r->m->copy)
            r->m->copy = line_of(r);
        return;
    }
    if (r->inside == STEP || strcmp(name, elements[next].name) != 0)
        refuse(r, line_of(r), "<%.40s> is not known here%s%s%s", name,
               r->inside == STEP ? "" : "; <", r->inside == STEP ? "" : elements[next].name,
               r->inside == STEP ? "" : "> would be");
    else if (elements[next].open(r, given))
        r->inside = next;
    if (r->failed)
        XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL closed(void *data, const char *name)
{
    struct reader *r = data;
    (void)name;
    if (r->over > 0)
        r->over--;
    else if (!r->failed)
        r->inside--;
}

/* An entity can stand for any number of others. */
static void XMLCALL declared(void *data, const XML_Char *name, int parameter, const XML_Char *value,
                             int length, const XML_Char *base, const XML_Char *system,
                             const XML_Char *public, const XML_Char *notation)
{
    struct reader *r = data;
    (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public;
    (void)notation;
    if (!r->failed)
        refuse(r, line_of(r), "the entity \"%.40s\" is declared; a schedule needs no entities",
               name);
    XML_StopParser(r->parser, XML_FALSE);
}

/* --- What refers to other elements --- */

static int by_id(const void *a, const void *b)
{
    const struct msccl_block *const *left = a, *const *right = b;
    return ((*left)->id > (*right)->id) - ((*left)->id < (*right)->id);
}

static void resolve_step(struct msccl_step *s, struct msccl_block **sorted, size_t count)
{
    struct msccl_block key = {.id = s->waits_block}, *wanted = &key;
    if (s->waits_block < 0)
        return;
    struct msccl_block **found = bsearch(&wanted, sorted, count, sizeof *sorted, by_id);
    if (found && s->waits_step >= 0 && (uint32_t)s->waits_step < (*found)->count)
        s->waits = (*found)->first + (uint32_t)s->waits_step;
}

static void find_signals(struct msccl *m, const struct msccl_block *block)
{
    uint32_t signal = MSCCL_NONE;
    for (uint32_t i = block->first + block->count; i-- > block->first;) {
        signal = m->steps[i].signals ? i : signal;
        m->steps[i].signal = signal;
    }
}

/* Finds the steps for which the steps of a rank wait. */
static bool resolve_rank(struct reader *r, int rank, struct msccl_block **sorted)
{
    struct msccl *m = r->m;
    const struct msccl_rank *at = &m->ranks[rank];
    for (uint32_t i = 0; i < at->count; i++)
        sorted[i] = &m->blocks[at->first + i];
    qsort(sorted, at->count, sizeof *sorted, by_id);
    for (uint32_t i = 1; i < at->count; i++) {
        if (sorted[i]->id == sorted[i - 1]->id)
            return refuse(r, sorted[i]->line, "rank %d has two thread blocks with the id %d", rank,
                          sorted[i]->id);
    }
    for (uint32_t i = 0; i < at->count; i++)
        find_signals(m, sorted[i]);
    for (uint32_t i = 0; i < at->steps; i++)
        resolve_step(&m->steps[at->first_step + i], sorted, at->count);
    return true;
}

static bool resolve(struct reader *r)
{
    struct msccl *m = r->m;
    if (!r->any)
        return refuse(r, 0, "the file has no <algo>");
    struct msccl_block **sorted = calloc(r->blocks.count + 1, sizeof(struct msccl_block *));
    m->block_count = (uint32_t)r->blocks.count;
    m->step_count = (uint32_t)r->steps.count;
    m->blocks = kp_vector_take(&r->blocks, sizeof *m->blocks);
    m->steps = kp_vector_take(&r->steps, sizeof *m->steps);
    bool done = sorted || no_memory(r);
    for (int i = 0; i < m->n && done; i++) {
        done = m->ranks[i].line ||
               refuse(r, 0, "there is no <gpu> with the id %d, but ngpus is %d", i, (int)m->n);
        done = done && resolve_rank(r, i, sorted);
    }
    free(sorted);
    return done;
}

/* --- Parsing --- */

/* Reads more text: returns the number of bytes, 0 at the end, or -1 after an error. */
typedef long source(void *from, char *to, size_t most);

static bool feed(struct reader *r, source *read, void *from)
{
    enum {
        PART = 1 << 16
    };
    size_t total = 0;
    for (bool last = false; !last;) {
        void *buffer = XML_GetBuffer(r->parser, PART);
        if (!buffer)
            return no_memory(r);
        long got = read(from, buffer, PART);
        if (got < 0)
            return refuse(r, 0, "it cannot be read: %s", strerror(errno));
        last = got == 0;
        total += (size_t)got;
        if (total > MSCCL_MOST_BYTES)
            return refuse(r, 0, "it has more than %zu MiB", MSCCL_MOST_BYTES >> 20);
        if (XML_ParseBuffer(r->parser, (int)got, last) == XML_STATUS_ERROR) {
            return r->failed ? false
                             : refuse(r, line_of(r), "this is no XML: %s",
                                      XML_ErrorString(XML_GetErrorCode(r->parser)));
        }
        if (total > (size_t)(XML_GetCurrentByteIndex64(r->parser) + 1) + MSCCL_MOST_TAG)
            return refuse(r, line_of(r), "a tag or a comment has more than %zu MiB",
                          MSCCL_MOST_TAG >> 20);
    }
    return resolve(r);
}

static struct msccl *parse(source *read, void *from, char error[MSCCL_ERROR])
{
    struct reader r = {.error = error};
    r.parser = XML_ParserCreate(NULL);
    r.m = calloc(1, sizeof *r.m);
    bool done = false;
    if (!r.parser || !r.m) {
        no_memory(&r);
    } else {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, opened, closed);
        XML_SetEntityDeclHandler(r.parser, declared);
        done = feed(&r, read, from);
    }
    if (r.parser)
        XML_ParserFree(r.parser);
    kp_vector_free(&r.blocks);
    kp_vector_free(&r.steps);
    if (!done) {
        msccl_free(r.m);
        return NULL;
    }
    return r.m;
}

static long from_file(void *from, char *to, size_t most)
{
    size_t got = fread(to, 1, most, from);
    return got == 0 && ferror((FILE *)from) ? -1 : (long)got;
}

struct msccl *msccl_read(const char *path, char error[MSCCL_ERROR])
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file) {
        snprintf(error, MSCCL_ERROR, "it cannot be opened: %s", strerror(errno));
        return NULL;
    }
    struct msccl *m = parse(from_file, file, error);
    if (file != stdin)
        fclose(file);
    return m;
}

struct text {
    const char *at;
    size_t left;
};

static long from_text(void *from, char *to, size_t most)
{
    struct text *text = from;
    size_t count = text->left < most ? text->left : most;
    memcpy(to, text->at, count);
    text->at += count;
    text->left -= count;
    return (long)count;
}

struct msccl *msccl_parse(const char *text, size_t length, char error[MSCCL_ERROR])
{
    struct text from = {text, length};
    return parse(from_text, &from, error);
}
