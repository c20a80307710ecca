/* Draws the legend below a diagram. It shows sample arrows, and says which thickness means how many
 * bytes and which colour means which port. */
#include "lib/draw/svg.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE 34  /* the length of a sample arrow */
#define LINE   20  /* the height of a line of samples */
#define WIDEST 900 /* the greatest width of the legend, unless the diagram is wider */
#define SIZES  4   /* the most sizes for which a sample is shown */
/* The most ports for which a sample is shown. Further ports repeat the colours and dashes. */
#define PORTS 28

struct legend {
    struct kp_svg *svg;
    int left, x, y, wrap;
};

static void begin_line(struct legend *l, const char *what)
{
    l->y += LINE;
    kp_svg_text(l->svg, 0, l->y, "soft", what);
    l->left = l->x = ((int)strlen(what) + 1) * KP_SVG_CHARACTER;
}

static void sample(struct legend *l, const char *class, int64_t thickness, const char *text)
{
    int width = SAMPLE + 8 + ((int)strlen(text) + 2) * KP_SVG_CHARACTER;
    if (l->x > l->left && l->x + width > l->wrap) {
        l->y += LINE;
        l->x = l->left;
    }
    kp_svg_put(l->svg, "<g class=\"arrow %s\"><path class=\"shaft\" d=\"M%d %dh%d\" ", class, l->x,
               l->y - 4, SAMPLE);
    kp_svg_put(l->svg, "stroke-width=\"%d.%d\"/></g>\n", (int)(thickness / 10),
               (int)(thickness % 10));
    kp_svg_text(l->svg, l->x + SAMPLE + 8, l->y, "", text);
    l->x += width;
    kp_svg_reach(l->svg, l->x, l->y + 6);
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Writes the different sizes of messages to `sizes` in ascending order. Returns their number. */
static size_t list_sizes(const struct kp_svg *svg, int64_t *sizes)
{
    const struct kp_arrow *arrows = svg->arrows.items;
    size_t kinds = 0;
    for (size_t i = 0; i < svg->arrows.count; i++)
        sizes[i] = arrows[i].bytes;
    qsort(sizes, svg->arrows.count, sizeof *sizes, compare);
    for (size_t i = 0; i < svg->arrows.count; i++) {
        if (kinds == 0 || sizes[i] > sizes[kinds - 1])
            sizes[kinds++] = sizes[i];
    }
    return kinds;
}

/* Shows a sample of every size if there are at most SIZES sizes. Otherwise shows SIZES of them,
 * including the smallest and the largest. */
static void show_sizes(struct legend *l, const struct kp_svg_scale *scale)
{
    char text[40];
    int64_t *sizes = malloc(l->svg->arrows.count * sizeof *sizes);
    l->svg->failed |= sizes == NULL;
    if (!sizes)
        return;
    size_t kinds = list_sizes(l->svg, sizes), shown = kinds < SIZES ? kinds : SIZES;
    begin_line(l, kinds == 1 ? "every arrow:" : "thickness:");
    for (size_t i = 0; i < shown; i++) {
        int64_t size = sizes[shown > 1 ? i * (kinds - 1) / (shown - 1) : 0];
        snprintf(text, sizeof text, "%lld byte%s", (long long)size, size == 1 ? "" : "s");
        sample(l, "port6", kp_svg_thickness(scale, size), text);
    }
    free(sizes);
}

static void show_ports(struct legend *l)
{
    const struct kp_arrow *arrows = l->svg->arrows.items;
    bool used[PORTS] = {false}, beyond = false;
    char class[16], text[16];
    for (size_t i = 0; i < l->svg->arrows.count; i++) {
        used[arrows[i].port % PORTS] = true;
        beyond |= arrows[i].port >= PORTS;
    }
    begin_line(l, "port:");
    for (int port = 0; port < PORTS; port++) {
        snprintf(text, sizeof text, "%d", port);
        if (used[port])
            sample(l, kp_svg_port(port, class), 20, text);
    }
    if (beyond) {
        l->y += LINE;
        kp_svg_text(l->svg, l->left, l->y, "soft", "from port 28 on as from port 0 on");
        kp_svg_reach(l->svg, 0, l->y + 6);
    }
}

/* Says in words what the mark means, as the sample alone needs its colour. */
static void show_mark(struct legend *l)
{
    const struct kp_mark *mark = l->svg->diagram.mark;
    char text[200], where[48] = "before the first round", other[80] = "";
    if (mark->round >= l->svg->diagram.rounds)
        snprintf(where, sizeof where, "after round %d", l->svg->diagram.rounds - 1);
    else if (mark->round >= 0)
        snprintf(where, sizeof where, "in round %d", mark->round);
    if (mark->has_other)
        snprintf(other, sizeof other, ", beside that from processor %d to processor %d",
                 mark->other_from, mark->other_to);
    if (mark->from == mark->to)
        snprintf(text, sizeof text, "%s, at processor %d%s", where, mark->from,
                 mark->port >= 0 ? ", which sends to itself" : "");
    else
        snprintf(text, sizeof text, "%s, from processor %d to processor %d%s%s", where, mark->from,
                 mark->to, mark->missing ? " (nobody sends it)" : "", other);
    begin_line(l, "wrong (!):");
    if (mark->from != mark->to)
        sample(l, mark->missing ? "wrong dash1" : "wrong", 45, text);
    else
        kp_svg_text(l->svg, l->x, l->y, "", text);
}

void kp_svg_legend(struct kp_svg *svg, const struct kp_svg_scale *scale)
{
    struct legend legend = {
        .svg = svg, .y = svg->height, .wrap = svg->width > WIDEST ? svg->width : WIDEST};
    if (svg->arrows.count > 0)
        show_sizes(&legend, scale);
    if (svg->arrows.count > 0 && svg->diagram.k > 1)
        show_ports(&legend);
    if (svg->diagram.mark)
        show_mark(&legend);
    kp_svg_reach(svg, 0, legend.y + 10);
}
