/* Writes the texts and arrows of an SVG panel. */
#include "lib/draw/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of colours of ports (`style` in svg.c). Each colour comes with DASHES kinds of
 * dashes. */
#define COLOURS 7
#define DASHES  4

/* --- Writing --- */

/* Makes room for `count` more bytes of text and a final zero. Returns the address of this room. */
static char *make_room(struct kp_svg *svg, size_t count)
{
    struct kp_vector *text = &svg->text;
    size_t capacity = text->capacity > 0 ? text->capacity : 1024;
    while (capacity - text->count <= count)
        capacity *= 2;
    char *items = capacity > text->capacity ? realloc(text->items, capacity) : text->items;
    svg->failed |= items == NULL;
    if (!items)
        return NULL;
    text->items = items;
    text->capacity = capacity;
    return items + text->count;
}

void kp_svg_put(struct kp_svg *svg, const char *format, ...)
{
    char *room = svg->failed ? NULL : make_room(svg, 256);
    while (room) {
        size_t size = svg->text.capacity - svg->text.count;
        va_list arguments;
        va_start(arguments, format);
        int count = vsnprintf(room, size, format, arguments);
        va_end(arguments);
        if (count >= 0 && (size_t)count < size) {
            svg->text.count += (size_t)count;
            return;
        }
        svg->failed |= count < 0;
        room = count < 0 ? NULL : make_room(svg, (size_t)count);
    }
}

const char *kp_svg_escape(const char **text, char stretch[KP_SVG_STRETCH])
{
    const char *begin = *text;
    size_t length = 0;
    while (length + 1 < KP_SVG_STRETCH && begin[length] >= ' ' && begin[length] <= '~' &&
           !strchr("&<>", begin[length]))
        length++;
    *text += length > 0 ? length : 1;
    if (length == 0)
        return *begin == '&' ? "&amp;" : *begin == '<' ? "&lt;" : *begin == '>' ? "&gt;" : "?";
    memcpy(stretch, begin, length);
    stretch[length] = '\0';
    return stretch;
}

void kp_svg_text(struct kp_svg *svg, int x, int y, const char *class, const char *text)
{
    char stretch[KP_SVG_STRETCH];
    kp_svg_put(svg, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    while (*text)
        kp_svg_put(svg, "%s", kp_svg_escape(&text, stretch));
    kp_svg_put(svg, "</text>\n");
}

void kp_svg_reach(struct kp_svg *svg, int width, int height)
{
    svg->width = width > svg->width ? width : svg->width;
    svg->height = height > svg->height ? height : svg->height;
}

/* --- Arrows --- */

static int64_t root_of(int64_t square)
{
    int64_t low = 0, high = INT32_MAX;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int64_t distance(struct kp_svg_point a, struct kp_svg_point b)
{
    int64_t length = root_of((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
    return length > 0 ? length : 1;
}

struct kp_svg_point kp_svg_before(struct kp_svg_point a, struct kp_svg_point b, int64_t back)
{
    int64_t length = distance(a, b);
    return (struct kp_svg_point){b.x - (b.x - a.x) * back / length,
                                 b.y - (b.y - a.y) * back / length};
}

static void put_point(struct kp_svg *svg, const char *how, struct kp_svg_point p)
{
    kp_svg_put(svg, "%s%d.%d %d.%d", how, (int)(p.x / 10), (int)(p.x % 10), (int)(p.y / 10),
               (int)(p.y % 10));
}

void kp_svg_arrow(struct kp_svg *svg, struct kp_svg_point a, struct kp_svg_point b,
                  int64_t thickness)
{
    int64_t long_side = 80 + thickness, half = 28 + thickness * 6 / 10, length = distance(a, b);
    struct kp_svg_point base = kp_svg_before(a, b, long_side);
    struct kp_svg_point aside = {(b.y - a.y) * half / length, (b.x - a.x) * half / length};
    kp_svg_put(svg, "<path class=\"shaft\" stroke-width=\"%d.%d\"", (int)(thickness / 10),
               (int)(thickness % 10));
    put_point(svg, " d=\"M", a);
    put_point(svg, "L", base);
    put_point(svg, "\"/><path class=\"head\" d=\"M", b);
    put_point(svg, "L", (struct kp_svg_point){base.x + aside.x, base.y - aside.y});
    put_point(svg, "L", (struct kp_svg_point){base.x - aside.x, base.y + aside.y});
    kp_svg_put(svg, "z\"/>");
}

const char *kp_svg_port(int port, char text[16])
{
    snprintf(text, 16, "port%d dash%d", port % COLOURS, port / COLOURS % DASHES);
    return text;
}

struct kp_svg_scale kp_svg_scale_of(const struct kp_svg *svg, int64_t thickest)
{
    const struct kp_arrow *arrows = svg->arrows.items;
    struct kp_svg_scale scale = {.least = INT64_MAX, .thickest = thickest};
    for (size_t i = 0; i < svg->arrows.count; i++) {
        scale.least = arrows[i].bytes < scale.least ? arrows[i].bytes : scale.least;
        scale.most = arrows[i].bytes > scale.most ? arrows[i].bytes : scale.most;
    }
    if (scale.least == scale.most)
        scale.thickest = 20;
    return scale;
}

int64_t kp_svg_thickness(const struct kp_svg_scale *scale, int64_t bytes)
{
    /* bytes * thickest may overflow. So if `most` is large, it is divided by `thickest` first. */
    int64_t each = scale->most / scale->thickest;
    int64_t tenths = each > 1000       ? bytes / each
                     : scale->most > 0 ? bytes * scale->thickest / scale->most
                                       : scale->thickest;
    return tenths < 10 ? 10 : tenths > scale->thickest ? scale->thickest : tenths;
}
