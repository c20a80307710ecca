#include "lib/draw/drawing.h"

#include <stdarg.h>
#include <stdio.h>

void kp_draw_line(const struct kp_drawing *d, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    d->pen->line(d->pen->to, text);
}

void kp_draw_word(const struct kp_drawing *d, const char *text)
{
    d->pen->cell(d->pen->to, text, 0);
}

void kp_draw_number(const struct kp_drawing *d, long long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld", value);
    kp_draw_word(d, text);
}

void kp_draw_end_row(const struct kp_drawing *d)
{
    d->pen->end_row(d->pen->to);
}

int64_t kp_draw_bytes_of_block(const struct kp_drawing *d)
{
    return (int64_t)d->problem->b + d->problem->algorithm->length_bytes;
}

void kp_draw_tell_rounds(const struct kp_drawing *d)
{
    int all = kp_schedule_rounds(d->schedule);
    if (d->rounds < all)
        kp_draw_line(d,
                     "%d of %d rounds are left out: a picture has up to %d rounds and %d messages",
                     all - d->rounds, all, KP_DRAW_ROUNDS, KP_DRAW_ARROWS);
}
