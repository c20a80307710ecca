/* A schedule that was read from a file. It is an algorithm of the program's own: its `build` writes
 * the messages of the file, and it serves one problem, or this problem with blocks of any length.
 * A reader (read.h) begins a file, adds steps in the order of their rounds, and ends the file. */
#ifndef KPORT_TOOLS_FILE_H
#define KPORT_TOOLS_FILE_H

#include "kport.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bounds that keep the memory of a schedule in proportion to its file. Rounds times processors may
 * be up to FILE_ROUNDS, and up to FILE_ROUNDS_FREE and FILE_ROUNDS_EACH for each byte of the file.
 */
#define FILE_PROCESSORS  65536
#define FILE_ROUNDS      ((int64_t)1 << 25)
#define FILE_ROUNDS_FREE ((int64_t)1 << 20)
#define FILE_ROUNDS_EACH 128
#define FILE_UNITS       ((int64_t)1 << 27) /* units, or runs where blocks are split, of all pieces */
#define FILE_SCRATCH     ((int64_t)1 << 24) /* blocks of scratch */
#define FILE_BLOCK       ((int64_t)1 << 31) /* units of a block */

#define FILE_NAME 200 /* the longest name of an algorithm, with the final zero */
#define FILE_WHY  512 /* the longest sentence about an error, with the final zero */

/* A list that grows. */
struct file_list {
    void *items;
    size_t count, room;
};

/* A message, or a move within a processor. */
struct file_step {
    int round; /* -1: before the first round */
    int from, to;
    int from_port, to_port;
    int line;  /* of the text form; 0: of another form */
    bool move; /* then `from` and `to` are the same, and each side has one piece */
    kp_combining side;
    /* The pieces that are sent, then the pieces where they are put, then the operands. */
    size_t first_piece;
    int sent, put, operands;
    size_t next_sent, next_received; /* the next step of the sender, and of the receiver; 0: none */
};

struct schedule_file {
    kp_algorithm row; /* comes first, because `build` finds the file by a pointer to it */
    kp_problem problem;
    int64_t units_of_block; /* more than 1: the file splits blocks */
    int64_t scratch;        /* -1: not stated; then it is as large as the steps need */
    int64_t scratch_used;
    int rounds;
    int64_t most_rounds;        /* times processors; at most FILE_ROUNDS */
    int64_t weight;             /* the units or runs of all pieces */
    uint64_t c1, c2_units;      /* C1, and C2 in units */
    struct schedule_file *next; /* the file that was read before it (read.c) */
    struct file_list steps;     /* of struct file_step; the first is not used */
    struct file_list pieces;
    size_t *first_sent, *first_received, *last_sent, *last_received; /* of each processor */
    int64_t longest;  /* the units of the longest message of the round being read */
    const char *form; /* "text", "json" or "msccl" (read.c) */
    char name[FILE_NAME], serves[160];
    char why[FILE_WHY]; /* the sentence, after a function has returned false */
    bool wrong;         /* then: the file was read, and its schedule is wrong */
};

/* Begins a file with this name. Returns NULL if there is no memory. */
struct schedule_file *schedule_file_begin(const char *name);
void schedule_file_free(struct schedule_file *file);

/* Each of these functions returns false, and sets file->why, if the file may not say this.
 *
 * - `problem` reads a problem string without an algorithm. It comes first.
 * - `units` reads the word for what positions count: blocks, bytes or elements (default blocks).
 * - `scratch` states the units of scratch. Without it, scratch is as large as the steps need.
 * - `lengths` states length_bytes and pads of a v form (kp_algorithm). */
bool schedule_file_problem(struct schedule_file *file, const char *text);
bool schedule_file_units(struct schedule_file *file, const char *word);
bool schedule_file_scratch(struct schedule_file *file, int64_t units);
bool schedule_file_lengths(struct schedule_file *file, int64_t length_bytes, bool pads);

/* Says that the file has this many bytes, which bounds its rounds. */
void schedule_file_size(struct schedule_file *file, size_t bytes);

/* Begins the next round. */
bool schedule_file_round(struct schedule_file *file);

/* `step` begins a step: a message, or, if step->move is set, a move. Of `step` the ends, the ports,
 * the line and `move` are read. `combine` says that the step combines. `piece` adds a piece to the
 * step's part `part`: sent pieces come first, then the places, then the operands. `step_ready` ends
 * the step.
 */
enum file_part {
    FILE_SENT,
    FILE_PUT,
    FILE_OPERAND
};
bool schedule_file_step(struct schedule_file *file, const struct file_step *step);
bool schedule_file_combine(struct schedule_file *file, kp_combining side);
bool schedule_file_piece(struct schedule_file *file, enum file_part part, const kp_piece *piece);
bool schedule_file_step_ready(struct schedule_file *file);

/* Ends the file. From then on it does not change, and kp_schedule_build builds the schedule of
 * file->problem. */
bool schedule_file_end(struct schedule_file *file);

/* Sets `problem` to the file's problem, with the changes that `changes` makes: b, count, type, op,
 * in_place and per_process, as key=value with commas. An empty text changes nothing. */
bool schedule_file_asked(struct schedule_file *file, const char *changes, kp_problem *problem);

/* Returns the line of the message that `from` sends to `to` in the round, or of the last move of
 * `from` there if `to` is the same and `port` is -1; 0: there is none, or the file is of another
 * form than text. `port` is the sender's; -1: any. */
int schedule_file_line(const struct schedule_file *file, int round, int from, int to, int port);

/* Returns the file that this algorithm is, or NULL if the algorithm is none. */
const struct schedule_file *schedule_file_of(const kp_algorithm *algorithm);

#endif
