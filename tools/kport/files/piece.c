#include "tools/kport/files/piece.h"

#include "tools/kport/files/write_frame.h"

#include "lib/problem/operation.h"

#include <stdarg.h>
#include <stdio.h>

__attribute__((format(printf, 2, 3))) static bool refuse(struct schedule_file *file,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(file->why, sizeof file->why, format, arguments);
    va_end(arguments);
    return false;
}

/* Returns the number of units of the space that a file may name. */
static int64_t room_of(const struct schedule_file *file, kp_space space)
{
    if (space == KP_SCRATCH)
        return file->scratch >= 0 ? file->scratch : FILE_SCRATCH * file->units_of_block;
    bool each = kp_operation_blocks(file->problem.operation, space) == KP_BLOCK_EACH;
    return file->units_of_block * (each ? file->problem.n : 1);
}

/* Writes a piece as the text form has it. */
static void word_piece(const kp_piece *piece, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "%s[%lld", write_spaces[piece->space],
                                     (long long)piece->first);
    if (piece->run != 1)
        length += (size_t)snprintf(text + length, size - length, "..%lld",
                                   (long long)piece->first + (long long)piece->run - 1);
    if (piece->count != 1)
        length += (size_t)snprintf(text + length, size - length, " by %lld x %lld",
                                   (long long)piece->stride, (long long)piece->count);
    snprintf(text + length, size - length, "]");
}

bool piece_check(struct schedule_file *file, const kp_piece *piece, int64_t *end)
{
    const int64_t room = room_of(file, piece->space);
    const char *space = write_spaces[piece->space];
    const bool several = piece->count > 1;
    char text[160];
    word_piece(piece, text, sizeof text);
    if (room == 0)
        return refuse(file, "%s has no places", space);
    if (piece->first < 0 || piece->first >= room)
        return refuse(file, "place %lld of %s, which has the places 0 ... %lld",
                      (long long)piece->first, space, (long long)room - 1);
    if (piece->count == 1 && piece->run > room - piece->first)
        return refuse(file, "places %lld ... %llu of %s, which has the places 0 ... %lld",
                      (long long)piece->first,
                      (unsigned long long)piece->first + (unsigned long long)piece->run - 1, space,
                      (long long)room - 1);
    if (piece->run < 1 || piece->run > room || piece->count < 1 || piece->count > room)
        return refuse(file, "%s is %lld times %lld %s; there may be 1 or more, and %s has %lld",
                      text, (long long)piece->count, (long long)piece->run,
                      piece->run == 1 ? "place" : "places", space, (long long)room);
    int64_t distance = several ? piece->stride : 0, apart = distance;
    if (apart >= -room && apart < 0)
        apart = -apart;
    if (several && apart < piece->run && apart >= 0)
        return refuse(file, "%s names a place twice: the distance is %lld; it may be %lld or more",
                      text, (long long)distance, (long long)piece->run);
    if (several && (apart < 0 || apart > room || piece->count - 1 > room / apart))
        return refuse(file, "%s reaches beyond %s, which has the places 0 ... %lld", text, space,
                      (long long)room - 1);
    int64_t last = piece->first + (piece->count - 1) * distance;
    *end = (last > piece->first ? last : piece->first) + piece->run;
    if (last < 0 || *end > room)
        return refuse(file,
                      "%s has the places %lld ... %lld of %s, which has the places 0 ... %lld",
                      text, (long long)(last < piece->first ? last : piece->first),
                      (long long)*end - 1, space, (long long)room - 1);
    return true;
}
