/* Puts a schedule of MSCCL into rounds, so that it runs like any other schedule of kport.
 *
 * All buffers of the schedule lie in scratch memory: the caller's block is copied there before the
 * first round, and the result is copied from there after the last one. A message goes to memory of
 * its own at its receiver. The step that receives it is a move after the messages of a round. So a
 * message may wait at its receiver, as in a connection. */
#ifndef KPORT_TOOLS_MSCCL_ROUNDS_H
#define KPORT_TOOLS_MSCCL_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>

struct schedule_file;

/* Reads the text of an XML file into `file`. Returns false if the schedule is wrong or cannot be
 * put into rounds; then file->why is the sentence. */
bool msccl_read_rounds(struct schedule_file *file, const char *text, size_t size);

#endif
