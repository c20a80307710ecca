#include "ports/error.h"

#include "ports/self.h"

#include <string.h>

static _Thread_local kp_error_record latest = KP_ERROR_OF(KP_OK, -1);

static const char unknown[] = "unknown status";

const char *kp_strerror(int status)
{
    switch (status) {
#define KP_STATUS_CASE(name, value, text)                                                          \
    case value:                                                                                    \
        return text;
        KP_STATUSES(KP_STATUS_CASE)
#undef KP_STATUS_CASE
    default:
        return unknown;
    }
}

bool kp_is_status(int status)
{
    return kp_strerror(status) != unknown;
}

kp_error_record *kp_error_slot(void)
{
    return kp_self.errors ? kp_self.errors : &latest;
}

void kp_no_error(kp_error_record *error)
{
    *error = (kp_error_record)KP_ERROR_OF(KP_OK, -1);
}

void kp_clear_error(void)
{
    kp_no_error(kp_error_slot());
}

const kp_error_record *kp_last_error(void)
{
    return kp_error_slot();
}

/* Ends a text that was too long for its `size` bytes: after its last whole clause if that is not
 * too far back, else in the middle of a word. Three dots say that something is missing. */
static void end_early(char *text, size_t size)
{
    static const char dots[] = "...";
    size_t end = size - sizeof dots;
    for (size_t at = end; at > size / 2; at--) {
        if (memcmp(&text[at - 2], "; ", 2) == 0) {
            end = at;
            break;
        }
    }
    memcpy(&text[end], dots, sizeof dots);
}

int kp_set_error_of(int status, const char *format, va_list arguments)
{
    /* The sentence is written to a copy first, because an argument may be the old sentence. */
    kp_error_record record = KP_ERROR_OF(status, -1);
    const int length = vsnprintf(record.sentence, sizeof record.sentence, format, arguments);
    if (length >= (int)sizeof record.sentence)
        end_early(record.sentence, sizeof record.sentence);
    *kp_error_slot() = record;
    return status;
}

int kp_set_error(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(status, format, arguments);
    va_end(arguments);
    return status;
}

void kp_say(struct kp_words *words, const char *format, ...)
{
    size_t left = words->length < words->size ? words->size - words->length : 0;
    va_list arguments;
    va_start(arguments, format);
    if (words->file)
        vfprintf(words->file, format, arguments);
    else
        words->length +=
            (size_t)vsnprintf(left ? words->text + words->length : NULL, left, format, arguments);
    va_end(arguments);
}

void kp_end_sentence(const struct kp_words *words)
{
    if (words->length >= words->size)
        end_early(words->text, words->size);
}
