/* The page of the SVG pen, and the functions that draw its diagrams. */
#ifndef KPORT_LIB_DRAW_SVG_H
#define KPORT_LIB_DRAW_SVG_H

#include "lib/draw/draw.h"
#include "lib/schedule/vector.h"

/* A page consists of panels. Each section is a panel. A panel is written with (0, 0) as its corner
 * and gets its position on the page when its size is known. Panels that contain only grids stand
 * beside each other; the other panels stand below each other. */
struct kp_svg {
    struct kp_vector text;     /* char: text of the current panel */
    struct kp_vector panels;   /* panels that are complete */
    size_t placed;             /* number of panels that have a position on the page */
    bool begun;                /* true: there is a current panel */
    bool flows;                /* true: the current panel contains only grids */
    int width, height;         /* size of the current panel so far */
    int y;                     /* top of the next panel on the page */
    int page_width;            /* width of the page so far */
    char title[256];           /* title of the first section */
    struct kp_vector cells;    /* cells of the current grid */
    int column_width;          /* the widest column of the grids so far, in pixels */
    size_t columns;            /* number of columns of the grid; known after its first line */
    struct kp_diagram diagram; /* the current diagram */
    struct kp_vector arrows;   /* struct kp_arrow: the arrows of the current diagram */
    bool failed;               /* true: there was no memory */
};

/* Appends text to the current panel. */
void kp_svg_put(struct kp_svg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the next piece of a text, with the characters that XML reserves replaced by entities and
 * those that XML forbids by "?". `text` moves to the end of the piece. */
#define KP_SVG_STRETCH 40
const char *kp_svg_escape(const char **text, char stretch[KP_SVG_STRETCH]);

/* Writes a text with its baseline at y. The class says how it looks, and whether x is its left end,
 * its middle or its right end. */
void kp_svg_text(struct kp_svg *svg, int x, int y, const char *class, const char *text);

/* Makes the current panel at least `width` wide and `height` high. */
void kp_svg_reach(struct kp_svg *svg, int width, int height);

#define KP_SVG_CHARACTER 8 /* about the widest character of a text, in pixels */

/* A point. x and y are in tenths of a pixel. */
struct kp_svg_point {
    int64_t x, y;
};

/* Returns the point on the line from a to b that is `back` tenths of a pixel before b. */
struct kp_svg_point kp_svg_before(struct kp_svg_point a, struct kp_svg_point b, int64_t back);

/* Draws an arrow from a to b. `thickness` is in tenths of a pixel. */
void kp_svg_arrow(struct kp_svg *svg, struct kp_svg_point a, struct kp_svg_point b,
                  int64_t thickness);

/* Writes to `text` the class for the colour and the dashes of a port, and returns it. */
const char *kp_svg_port(int port, char text[16]);

/* The thickness of arrows, in proportion to their bytes. */
struct kp_svg_scale {
    int64_t least, most; /* bytes of the shortest and the longest message */
    int64_t thickest;    /* thickness for `most` bytes, in tenths of a pixel */
};
struct kp_svg_scale kp_svg_scale_of(const struct kp_svg *svg, int64_t thickest);
int64_t kp_svg_thickness(const struct kp_svg_scale *scale, int64_t bytes);

/* Draws the legend of thickness and colours at the foot of the panel. */
void kp_svg_legend(struct kp_svg *svg, const struct kp_svg_scale *scale);

/* `kp_svg_rounds` draws the arrows by round, `kp_svg_tree` the tree of the root's data. Both read
 * svg->diagram and svg->arrows. */
void kp_svg_rounds(struct kp_svg *svg);
void kp_svg_tree(struct kp_svg *svg);

#endif
