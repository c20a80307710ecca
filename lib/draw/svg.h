/* This header has the page that the SVG pen (draw.h) draws, and functions that draw diagrams on
 * it. */
#ifndef KPORT_LIB_DRAW_SVG_H
#define KPORT_LIB_DRAW_SVG_H

#include "lib/draw/draw.h"
#include "lib/schedule/vector.h"

/* A page consists of panels, one for each section of the picture. The pen draws a panel with its
 * upper left corner at (0, 0), and moves the panel to its position on the page when the panel's
 * size is known. Panels that contain only tables stand side by side. All other panels stand below
 * each other. */
struct kp_svg {
    struct kp_vector text;   /* the text of the current panel; elements are char */
    struct kp_vector panels; /* the panels that are complete */
    size_t placed;           /* the number of panels that have a position on the page */
    bool begun;              /* true: there is a current panel */
    bool flows;              /* true: the current panel contains only tables */
    int width, height;       /* the size of the current panel so far */
    int y;                   /* the upper edge of the next panel on the page */
    int page_width;          /* the width of the page so far */
    char title[256];         /* the title of the first section */
    struct kp_vector cells;  /* the cells of the current table */
    int column_width;        /* the width of the widest column of all tables so far, in pixels */
    size_t columns; /* the number of columns of the current table, known after its first row */
    struct kp_diagram diagram; /* the current diagram */
    struct kp_vector arrows;   /* the arrows of the current diagram (struct kp_arrow) */
    bool failed;               /* true: there was no memory */
};

/* Appends text to the current panel. */
void kp_svg_put(struct kp_svg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the next piece of the text in a form that XML allows. Characters that XML reserves become
 * entities, and characters that XML forbids become "?". `*text` moves on to the end of the
 * piece. */
#define KP_SVG_STRETCH 40
const char *kp_svg_escape(const char **text, char stretch[KP_SVG_STRETCH]);

/* Writes a text at x and y, where y is its baseline. The CSS class gives the text's font and
 * colour, and says whether x is the text's left end, its middle or its right end. */
void kp_svg_text(struct kp_svg *svg, int x, int y, const char *class, const char *text);

/* Makes the current panel at least `width` wide and `height` high. */
void kp_svg_reach(struct kp_svg *svg, int width, int height);

#define KP_SVG_CHARACTER 8 /* about the width of the widest character, in pixels */

/* A point. x and y are in tenths of a pixel. */
struct kp_svg_point {
    int64_t x, y;
};

/* Returns the point on the line from a to b whose distance from b is `back` tenths of a pixel. */
struct kp_svg_point kp_svg_before(struct kp_svg_point a, struct kp_svg_point b, int64_t back);

/* Draws an arrow from a to b. `thickness` is in tenths of a pixel. */
void kp_svg_arrow(struct kp_svg *svg, struct kp_svg_point a, struct kp_svg_point b,
                  int64_t thickness);

/* Writes to `text` the CSS class that gives a port's colour and dashes. Returns `text`. */
const char *kp_svg_port(int port, char text[16]);

/* The thickness of arrows, which is proportional to their bytes. */
struct kp_svg_scale {
    int64_t least, most; /* the bytes of the shortest and of the longest message */
    int64_t thickest;    /* the thickness of an arrow with `most` bytes, in tenths of a pixel */
};
struct kp_svg_scale kp_svg_scale_of(const struct kp_svg *svg, int64_t thickest);
int64_t kp_svg_thickness(const struct kp_svg_scale *scale, int64_t bytes);

/* Draws the legend, which explains thickness and colours, at the foot of the current panel. */
void kp_svg_legend(struct kp_svg *svg, const struct kp_svg_scale *scale);

/* `kp_svg_rounds` draws the arrows round by round. `kp_svg_tree` draws the tree along which the
 * root's data travel. Both use svg->diagram and svg->arrows. */
void kp_svg_rounds(struct kp_svg *svg);
void kp_svg_tree(struct kp_svg *svg);

#endif
