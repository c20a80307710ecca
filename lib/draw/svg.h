/* The SVG pen's page, and what its diagrams are drawn with. */
#ifndef KPORT_LIB_DRAW_SVG_H
#define KPORT_LIB_DRAW_SVG_H

#include "lib/draw/draw.h"
#include "lib/schedule/vector.h"

/* A panel is what begins with a section; it is written with (0, 0) as its corner, and put on the
 * page when its size is known: panels that hold nothing but grids beside each other, others below
 * each other. */
struct kp_svg {
    struct kp_vector text;     /* char: of the panel */
    struct kp_vector panels;   /* that have ended */
    size_t placed;             /* so many of them have their place on the page */
    bool begun;                /* there is a panel */
    bool flows;                /* it holds nothing but grids */
    int width, height;         /* of the panel so far */
    int y;                     /* where the next panel would be */
    int page_width;            /* so far */
    char title[256];           /* of the first section */
    struct kp_vector cells;    /* of the grid that is being drawn */
    int column_width;          /* of a grid, in pixels, so far */
    size_t columns;            /* known after its first row */
    struct kp_diagram diagram; /* that is being drawn, */
    struct kp_vector arrows;   /* struct kp_arrow: and its arrows */
    bool failed;               /* no memory */
};

/* Writes to the panel. */
void kp_svg_put(struct kp_svg *svg, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next stretch of a text as it stands in XML, which keeps some characters for itself and does
 * not allow others; `text` moves behind it. */
#define KP_SVG_STRETCH 40
const char *kp_svg_escape(const char **text, char stretch[KP_SVG_STRETCH]);

/* A text at its baseline; the class says how it looks and where x is in it. */
void kp_svg_text(struct kp_svg *svg, int x, int y, const char *class, const char *text);

/* The panel is at least so large. */
void kp_svg_reach(struct kp_svg *svg, int width, int height);

#define KP_SVG_CHARACTER 8 /* pixels that a character of a text takes at most, about */

/* Tenths of a pixel. */
struct kp_svg_point {
    int64_t x, y;
};

/* A point `back` tenths before the end of the line from a to b. */
struct kp_svg_point kp_svg_before(struct kp_svg_point a, struct kp_svg_point b, int64_t back);

/* An arrow from a to b of that thickness, in tenths. */
void kp_svg_arrow(struct kp_svg *svg, struct kp_svg_point a, struct kp_svg_point b,
                  int64_t thickness);

/* The class that has the colour, and the dashes, of a port. */
const char *kp_svg_port(int port, char text[16]);

/* How thick arrows are: in proportion to their bytes. */
struct kp_svg_scale {
    int64_t least, most; /* bytes */
    int64_t thickest;    /* tenths of a pixel, for the most */
};
struct kp_svg_scale kp_svg_scale_of(const struct kp_svg *svg, int64_t thickest);
int64_t kp_svg_thickness(const struct kp_svg_scale *scale, int64_t bytes);

/* What thickness and colours mean, at the foot of the panel. */
void kp_svg_legend(struct kp_svg *svg, const struct kp_svg_scale *scale);

/* The two diagrams, of svg->diagram and svg->arrows. */
void kp_svg_rounds(struct kp_svg *svg);
void kp_svg_tree(struct kp_svg *svg);

#endif
