#include "ports/error.h"

#include "ports/self.h"

#include <stdio.h>

static _Thread_local kp_error_record latest = {
    .processor = -1, .round = -1, .port = -1, .peer = -1, .line = -1};

static const struct {
    int status;
    const char *text;
} statuses[] = {
#define STATUS_ROW(name, value, text) {name, text},
    KP_STATUSES(STATUS_ROW)
#undef STATUS_ROW
};

const char *kp_strerror(int status)
{
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        if (statuses[i].status == status)
            return statuses[i].text;
    }
    return "unknown status";
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
    /* Written aside first: an argument may be the sentence that is replaced. */
    kp_error_record record = kp_error_of(status, -1);
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
