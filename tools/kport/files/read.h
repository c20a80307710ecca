/* Reads schedules from files. An argument of a command that begins with @, or whose name ends in
 * .json or .xml, is a file; @- and - are standard input. Changes may follow its name: a colon, and
 * key=value with commas between, as in "@ring.txt:b=64". A problem string may name a file as its
 * algorithm, as in "concat:n=4,k=1,b=8,alg=@ring.txt"; so the commands print such problems. */
#ifndef KPORT_TOOLS_READ_H
#define KPORT_TOOLS_READ_H

#include "kport.h"
#include "tools/kport/files/file.h"

#include <stdbool.h>
#include <stddef.h>

/* The most bytes of a file. JSON takes some 20 times as much memory while it is read. */
#define READ_TEXT_BYTES ((size_t)256 << 20)
#define READ_JSON_BYTES ((size_t)64 << 20)

/* Returns whether a command's argument is a file, and no problem string. */
bool read_is_file(const char *argument);

/* Returns whether the argument is a file whose name ends so, as ".xml" does. */
bool read_is_named(const char *argument, const char *ending);

/* Returns the number of characters of the argument before the colon, behind which keys follow: of
 * a file the first characters are its name, of a problem string the operation. */
size_t read_head(const char *argument);

/* Reads the schedule of a file, and sets `problem` to the problem that it serves, whose algorithm
 * is the file (schedule_file_of). The file stays in memory until the program ends. `keys` has no
 * machine keys (machine_keys.h). Returns an exit status; if it is not 0, an error message is on
 * stderr: the file, the line or the JSON path, and what may stand there. Only one thread may call
 * it. */
int read_problem(const char *argument, kp_problem *problem);

/* Reads a problem string, or, if the argument is a file, calls read_problem. Returns an exit
 * status. */
int read_argument(const char *argument, kp_problem *problem);

/* The readers. `text` has `size` bytes and a final zero. Each returns false if it refuses the
 * text; then file->why is the sentence, and `where` says where in the text it applies. */
#define READ_WHERE 200
struct read_where {
    char text[READ_WHERE]; /* "line 12", or a path such as "steps[3].take[0].first" */
};
bool read_text(struct schedule_file *file, const char *text, size_t size, struct read_where *where);
bool read_json(struct schedule_file *file, const char *text, size_t size, struct read_where *where);

#endif
