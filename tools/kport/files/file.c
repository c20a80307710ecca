#include "tools/kport/files/file.h"

#include "tools/kport/files/piece.h"
#include "tools/kport/files/write_frame.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most units of a message. A piece has fewer, so sums do not overflow. */
#define MOST_UNITS ((int64_t)1 << 60)

__attribute__((format(printf, 2, 3))) static bool refuse(struct schedule_file *file,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->why, sizeof file->why, format, arguments);
    va_end(arguments);
    return false;
}

/* Refuses with the sentence of the latest error of the library. */
static bool refuse_as_said(struct schedule_file *file)
{
    return refuse(file, "%s", kp_last_error()->sentence);
}

static void *add(struct schedule_file *file, struct file_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 64;
        void *larger = realloc(list->items, room * size);
        if (!larger) {
            refuse(file, "there is no memory for so many steps");
            return NULL;
        }
        list->items = larger;
        list->room = room;
    }
    return (char *)list->items + size * list->count++;
}

static struct file_step *step_at(const struct schedule_file *file, size_t i)
{
    return (struct file_step *)file->steps.items + i;
}

static kp_piece *piece_at(const struct schedule_file *file, size_t i)
{
    return (kp_piece *)file->pieces.items + i;
}

/* --- The algorithm's row --- */

static const struct schedule_file *file_of(const kp_problem *problem)
{
    return (const struct schedule_file *)(const void *)problem->algorithm;
}

/* Calls that differ in b share a schedule that does not split blocks, and ask for it with b = 0. */
static const char *serves(const kp_problem *problem)
{
    const struct schedule_file *file = file_of(problem);
    const kp_problem *own = &file->problem;
    bool fits = problem->n == own->n && problem->k == own->k && problem->root == own->root &&
                problem->target == own->target &&
                (file->units_of_block == 1 || kp_elements(problem) == file->units_of_block);
    return fits ? NULL : file->serves;
}

static int splits(const kp_problem *problem)
{
    return file_of(problem)->units_of_block > 1;
}

static void stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2)
{
    const struct schedule_file *file = file_of(problem);
    *c1 = file->c1;
    *c2 = file->c2_units *
          (problem->b / (uint64_t)file->units_of_block + (uint64_t)file->row.length_bytes);
}

static size_t build_pieces(kp_builder *b, const struct schedule_file *file, size_t first, int count)
{
    for (int i = 0; i < count; i++)
        kp_build_piece(b, *piece_at(file, first + (size_t)i));
    return first + (size_t)count;
}

static void build_receive(kp_builder *b, const struct schedule_file *file,
                          const struct file_step *step)
{
    size_t next = step->first_piece + (size_t)step->sent;
    if (step->side == KP_COPY)
        kp_build_receive(b, step->to_port, step->from);
    else
        kp_build_combine(b, step->to_port, step->from, step->side);
    next = build_pieces(b, file, next, step->put);
    for (int i = 0; i < step->operands; i++)
        kp_build_operand(b, *piece_at(file, next + (size_t)i));
}

static void build_move(kp_builder *b, const struct schedule_file *file,
                       const struct file_step *step)
{
    kp_piece from = *piece_at(file, step->first_piece), to = *piece_at(file, step->first_piece + 1);
    if (step->side == KP_COPY)
        kp_build_move(b, from, to);
    else
        kp_build_fold(b, from, to, step->side);
}

static int build(kp_builder *b, const kp_problem *problem)
{
    const struct schedule_file *file = file_of(problem);
    size_t sent = file->first_sent[problem->rank], received = file->first_received[problem->rank];
    kp_build_scratch(b, file->scratch);
    for (int round = -1; round < file->rounds; round++) {
        if (round >= 0)
            kp_build_round(b);
        for (; sent && step_at(file, sent)->round == round; sent = step_at(file, sent)->next_sent) {
            const struct file_step *step = step_at(file, sent);
            kp_build_send(b, step->from_port, step->to);
            build_pieces(b, file, step->first_piece, step->sent);
        }
        for (; received && step_at(file, received)->round == round;
             received = step_at(file, received)->next_received) {
            const struct file_step *step = step_at(file, received);
            if (step->move)
                build_move(b, file, step);
            else
                build_receive(b, file, step);
        }
    }
    return KP_OK;
}

const struct schedule_file *schedule_file_of(const kp_algorithm *algorithm)
{
    return algorithm && algorithm->build == build ? (const void *)algorithm : NULL;
}

/* --- The problem --- */

struct schedule_file *schedule_file_begin(const char *name)
{
    struct schedule_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    snprintf(file->name, sizeof file->name, "%s", name);
    file->units_of_block = 1;
    file->scratch = -1;
    file->most_rounds = FILE_ROUNDS;
    file->row = (kp_algorithm){.name = file->name,
                               .summary = "a schedule from a file",
                               .source = "a file",
                               .restriction = file->serves,
                               .serves = serves,
                               .splits = splits,
                               .build = build,
                               .own_root = 1,
                               .stated_cost = stated_cost};
    return file;
}

void schedule_file_free(struct schedule_file *file)
{
    if (!file)
        return;
    free(file->steps.items);
    free(file->pieces.items);
    free(file->first_sent);
    free(file);
}

static const char *const keys[] = {"n",    "k",  "root",     "to",          "b", "count",
                                   "type", "op", "in_place", "per_process", NULL};
#define CHANGEABLE 4 /* the first key that `changes` may have */

static bool is_among(const char *const *words, struct kp_word word)
{
    for (; *words; words++) {
        if (kp_word_is(word, *words))
            return true;
    }
    return false;
}

/* Refuses a key that the problem of a file may not have. `may` says which it may have. */
static bool refuse_key(struct schedule_file *file, struct kp_word key, const char *may)
{
    if (kp_field_is_of_machine(key))
        return refuse(file,
                      "%.*s says how a machine runs the schedule, so it stands behind the name of "
                      "the file, as in @FILE:%.*s=...",
                      KP_WORD(key), KP_WORD(key));
    if (kp_word_is(key, "same_order"))
        return refuse(file, "same_order chooses among algorithms, but the file is the algorithm; "
                            "kport check @FILE --same-order checks its order");
    if (kp_word_is(key, "alg"))
        return refuse(file, "alg is given, but the file is the algorithm");
    return refuse(file, "the key %.*s is unknown; %s", KP_WORD(key), may);
}

/* Checks n, which has other bounds in a file than in a problem string. */
static bool check_n(struct schedule_file *file, const struct kp_field *fields, int count)
{
    uint64_t n;
    int i = 0;
    while (i < count && !kp_word_is(fields[i].key, "n"))
        i++;
    if (i == count)
        return refuse(file, "n is missing; in a file it may be 1 ... %d", FILE_PROCESSORS);
    if (kp_field_number(&fields[i], 1, FILE_PROCESSORS, &n))
        return refuse(file, "n is '%.*s'; in a file it may be 1 ... %d", KP_WORD(fields[i].value),
                      FILE_PROCESSORS);
    return true;
}

bool schedule_file_problem(struct schedule_file *file, const char *text)
{
    struct kp_field fields[KP_FIELDS];
    const char *colon = strchr(text, ':');
    int count = 0;
    if (colon && kp_fields_split(colon + 1, fields, &count))
        return refuse_as_said(file);
    for (int i = 0; i < count; i++) {
        if (!is_among(keys, fields[i].key))
            return refuse_key(file, fields[i].key,
                              "a file's problem may have n, k, b, count, type, op, root, to, "
                              "in_place and per_process");
    }
    if (colon && !check_n(file, fields, count))
        return false;
    if (kp_problem_parse(text, &file->problem))
        return refuse_as_said(file);
    file->row.operation = file->problem.operation;
    file->first_sent = calloc(4 * (size_t)file->problem.n, sizeof *file->first_sent);
    if (!file->first_sent || !add(file, &file->steps, sizeof(struct file_step)))
        return refuse(file, "there is no memory for n=%d", file->problem.n);
    file->first_received = file->first_sent + file->problem.n;
    file->last_sent = file->first_received + file->problem.n;
    file->last_received = file->last_sent + file->problem.n;
    return true;
}

bool schedule_file_units(struct schedule_file *file, const char *word)
{
    const struct kp_operation_row *row = kp_operation_row(file->problem.operation);
    const char *parts = row->operands ? "elements" : "bytes";
    if (strcmp(word, "blocks") == 0)
        return true;
    if (row->lengths)
        return refuse(file, "units is \"%.40s\"; with %s it may be blocks", word, row->name);
    if (strcmp(word, parts) != 0)
        return refuse(file, "units is \"%.40s\"; with %s it may be blocks or %s", word, row->name,
                      parts);
    if (file->problem.b == 0)
        return refuse(file, "units is %s, but a block has none of them", parts);
    file->units_of_block = kp_elements(&file->problem);
    if (file->units_of_block > FILE_BLOCK)
        return refuse(file, "a block has %lld %s; in a file that splits blocks it may have %lld",
                      (long long)file->units_of_block, parts, (long long)FILE_BLOCK);
    return true;
}

bool schedule_file_scratch(struct schedule_file *file, int64_t units)
{
    const int64_t most = FILE_SCRATCH * file->units_of_block;
    if (units < 0 || units > most)
        return refuse(file, "scratch is %lld; it may be 0 ... %lld", (long long)units,
                      (long long)most);
    file->scratch = units;
    return true;
}

bool schedule_file_lengths(struct schedule_file *file, int64_t length_bytes, bool pads)
{
    const struct kp_operation_row *row = kp_operation_row(file->problem.operation);
    if (!row->lengths)
        return refuse(file, "the blocks of %s have no lengths of their own", row->name);
    if (length_bytes < 0 || length_bytes > 64)
        return refuse(file, "the bytes that carry a length are %lld; they may be 0 ... 64",
                      (long long)length_bytes);
    file->row.length_bytes = (int)length_bytes;
    file->row.pads = pads;
    return true;
}

static int append(char *text, size_t size, int used, const char *key, int64_t number)
{
    return used + snprintf(text + used, size - (size_t)used, "%s%lld", key, (long long)number);
}

/* Writes for which problems the file is. */
static void tell_serves(struct schedule_file *file)
{
    const kp_problem *p = &file->problem;
    char *text = file->serves;
    const size_t size = sizeof file->serves;
    int used = append(text, size, 0, "n=", p->n);
    used = append(text, size, used, ", k=", p->k);
    if (kp_operation_has_root(p->operation))
        used = append(text, size, used, ", root=", p->root);
    if (kp_operation_has_target(p->operation))
        used = append(text, size, used, ", to=", p->target);
    if (file->units_of_block > 1)
        append(text, size, used,
               kp_operation_reduces(p->operation) ? ", count=" : ", b=", file->units_of_block);
}

/* --- Steps --- */

void schedule_file_size(struct schedule_file *file, size_t bytes)
{
    const int64_t each = FILE_ROUNDS_EACH * (int64_t)bytes, most = FILE_ROUNDS_FREE + each;
    file->most_rounds = most < FILE_ROUNDS ? most : FILE_ROUNDS;
}

bool schedule_file_round(struct schedule_file *file)
{
    file->c1 += file->longest > 0;
    file->c2_units += (uint64_t)file->longest;
    file->longest = 0;
    if ((int64_t)(file->rounds + 1) * file->problem.n > file->most_rounds)
        return refuse(file,
                      "there are more than %d rounds, which is the most for n=%d and this file",
                      file->rounds, file->problem.n);
    file->rounds++;
    return true;
}

int schedule_file_line(const struct schedule_file *file, int round, int from, int to, int port)
{
    int line = 0;
    for (size_t i = 1; i < file->steps.count; i++) {
        const struct file_step *step = &((const struct file_step *)file->steps.items)[i];
        if (step->round == round && step->from == from && step->to == to &&
            step->move == (from == to && port < 0) &&
            (port < 0 || step->move || step->from_port == port))
            line = step->line;
    }
    return line;
}

static bool check_rank(struct schedule_file *file, int rank)
{
    if (rank >= 0 && rank < file->problem.n)
        return true;
    return refuse(file, "processor %d; with n=%d it may be 0 ... %d", rank, file->problem.n,
                  file->problem.n - 1);
}

bool schedule_file_step(struct schedule_file *file, const struct file_step *step)
{
    if (!check_rank(file, step->from) || !check_rank(file, step->to))
        return false;
    if (!step->move && file->rounds == 0)
        return refuse(file, "a message stands before the first round");
    struct file_step *added = add(file, &file->steps, sizeof *added);
    if (!added)
        return false;
    *added = (struct file_step){.round = file->rounds - 1,
                                .from = step->from,
                                .to = step->to,
                                .from_port = step->from_port,
                                .to_port = step->to_port,
                                .line = step->line,
                                .move = step->move,
                                .first_piece = file->pieces.count};
    return true;
}

bool schedule_file_combine(struct schedule_file *file, kp_combining side)
{
    if (!kp_operation_reduces(file->problem.operation))
        return refuse(file, "%s combines nothing", kp_operation_name(file->problem.operation));
    step_at(file, file->steps.count - 1)->side = side;
    return true;
}

bool schedule_file_piece(struct schedule_file *file, enum file_part part, const kp_piece *piece)
{
    struct file_step *step = step_at(file, file->steps.count - 1);
    int64_t end = 0;
    if (!piece_check(file, piece, &end))
        return false;
    if (piece->space == KP_SCRATCH && end > file->scratch_used)
        file->scratch_used = end;
    file->weight += file->units_of_block > 1 ? piece->count : piece->count * piece->run;
    if (file->weight > FILE_UNITS)
        return refuse(file, "all steps together have more than %lld runs", (long long)FILE_UNITS);
    kp_piece *added = add(file, &file->pieces, sizeof *added);
    if (!added)
        return false;
    *added = *piece;
    *(part == FILE_SENT ? &step->sent : part == FILE_PUT ? &step->put : &step->operands) += 1;
    return true;
}

/* Returns the number of units in `count` pieces, or MOST_UNITS if there are more. */
static int64_t units_of(const struct schedule_file *file, size_t first, int count)
{
    int64_t units = 0;
    for (int i = 0; i < count && units < MOST_UNITS; i++)
        units += piece_at(file, first + (size_t)i)->count * piece_at(file, first + (size_t)i)->run;
    return units < MOST_UNITS ? units : MOST_UNITS;
}

static void link_step(size_t *first, size_t *last, size_t step, size_t *next)
{
    if (*last)
        *next = step;
    else
        *first = step;
    *last = step;
}

bool schedule_file_step_ready(struct schedule_file *file)
{
    size_t at = file->steps.count - 1;
    struct file_step *step = step_at(file, at);
    size_t put = step->first_piece + (size_t)step->sent, operand = put + (size_t)step->put;
    int64_t sent = units_of(file, step->first_piece, step->sent);
    int64_t places = units_of(file, put, step->put);
    int64_t operands = units_of(file, operand, step->operands);
    if (step->sent == 0)
        return refuse(file, "nothing is %s", step->move ? "moved" : "sent");
    if (sent == MOST_UNITS)
        return refuse(file, "more than %lld %s are sent", (long long)MOST_UNITS,
                      kp_units_word(&file->problem, file->units_of_block, MOST_UNITS));
    if (sent != places)
        return refuse(file, "%lld %s %s %s, but there are places for %lld", (long long)sent,
                      kp_units_word(&file->problem, file->units_of_block, sent),
                      sent == 1 ? "is" : "are", step->move ? "moved" : "sent", (long long)places);
    if (step->move && (step->sent > 1 || step->put > 1 || step->operands > 0))
        return refuse(file, "a move has one piece on each side, and no operands");
    if (step->operands > 0 && step->side == KP_COPY)
        return refuse(file, "places stand behind \"with\", but the message combines nothing; it "
                            "combines with \"left\" or \"right\", as in -> left in[0] with out[0]");
    if (step->operands > 0 && operands != places)
        return refuse(file,
                      "%lld %s behind \"with\", but the message is combined into %lld; there "
                      "must be as many",
                      (long long)operands, operands == 1 ? "place stands" : "places stand",
                      (long long)places);
    size_t *received = &file->last_received[step->to], *sender = &file->last_sent[step->from];
    link_step(&file->first_received[step->to], received, at,
              &step_at(file, *received)->next_received);
    if (step->move)
        return true;
    link_step(&file->first_sent[step->from], sender, at, &step_at(file, *sender)->next_sent);
    file->longest = sent > file->longest ? sent : file->longest;
    return true;
}

bool schedule_file_end(struct schedule_file *file)
{
    file->c1 += file->longest > 0;
    file->c2_units += (uint64_t)file->longest;
    if (file->scratch < 0)
        file->scratch = file->scratch_used;
    tell_serves(file);
    file->problem.algorithm = &file->row;
    return true;
}

/* --- The problem that is asked --- */

/* Returns whether the changes replace this field of the file's problem. A length in bytes and a
 * number of elements replace each other. */
static bool is_replaced(const struct kp_field *field, const struct kp_field *changes, int count)
{
    const bool length = kp_word_is(field->key, "b") || kp_word_is(field->key, "count");
    for (int i = 0; i < count; i++) {
        struct kp_word key = changes[i].key;
        if ((key.length == field->key.length &&
             memcmp(key.text, field->key.text, key.length) == 0) ||
            (length && (kp_word_is(key, "b") || kp_word_is(key, "count"))))
            return true;
    }
    return false;
}

static void join(char *text, size_t size, const struct kp_field *field)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%.*s=%.*s", text[used - 1] == ':' ? "" : ",",
             (int)field->key.length, field->key.text, (int)field->value.length, field->value.text);
}

bool schedule_file_asked(struct schedule_file *file, const char *changes, kp_problem *problem)
{
    struct kp_field own[KP_FIELDS], changed[KP_FIELDS];
    char said[256], text[1024];
    int count = 0, own_count = 0;
    *problem = file->problem;
    if (!*changes)
        return true;
    if (kp_fields_split(changes, changed, &count))
        return refuse_as_said(file);
    for (int i = 0; i < count; i++) {
        if (is_among(keys, changed[i].key) && !is_among(keys + CHANGEABLE, changed[i].key))
            return refuse(file,
                          "%.*s is given, but the file is for %s; b, count, type, op, in_place and "
                          "per_process may be given",
                          KP_WORD(changed[i].key), file->serves);
        if (!is_among(keys, changed[i].key))
            return refuse_key(file, changed[i].key,
                              "behind the name of a file b, count, type, op, in_place, per_process "
                              "and keys of the machine may be given");
    }
    kp_problem plain = file->problem;
    plain.algorithm = NULL;
    kp_problem_format(&plain, said, sizeof said);
    snprintf(text, sizeof text, "%.*s", (int)(strchr(said, ':') + 1 - said), said);
    if (kp_fields_split(strchr(said, ':') + 1, own, &own_count))
        return refuse_as_said(file);
    for (int i = 0; i < own_count; i++) {
        if (!is_replaced(&own[i], changed, count))
            join(text, sizeof text, &own[i]);
    }
    for (int i = 0; i < count; i++)
        join(text, sizeof text, &changed[i]);
    if (kp_problem_parse(text, problem))
        return refuse_as_said(file);
    if (file->units_of_block > 1 && kp_elements(problem) != file->units_of_block)
        return refuse(file, "the file splits blocks (its line 'units'), so it is for %s, not b=%zu",
                      file->serves, problem->b);
    problem->algorithm = &file->row;
    return true;
}
