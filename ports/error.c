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

const kp_error_record *kp_last_error(void)
{
    return kp_error_slot();
}

int kp_set_error_of(int status, const char *format, va_list arguments)
{
    /* The sentence is written to a copy first, because an argument may be the old sentence. */
    kp_error_record record = KP_ERROR_OF(status, -1);
    vsnprintf(record.sentence, sizeof record.sentence, format, arguments);
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
