/* The pen for SVG. It writes one self-contained picture, measured in pixels. An SVG file begins
 * with the size of the page, which is known only at the end. So the pen collects the parts of the
 * page, the panels, in memory and writes the file at the end. */
#include "lib/draw/svg.h"

#include "ports/port.h"

#include <string.h>

#define MARGIN 24
#define GAP    28 /* the distance between two panels */
#define LINE   18 /* the height of a line of text */
/* Panels that stand side by side wrap at this width, or at the page's width if it is larger. */
#define WRAP       1024
#define HEADINGS   64 /* the width of a table's first column */
#define ROW        20 /* the height of a table's row */
#define FONT       "\"DejaVu Sans\",Verdana,Arial,sans-serif"
#define CELL_BYTES 40

static const char style[] =
    "text{font:12px " FONT ";fill:#222}\n"
    ".title{font-size:18px;font-weight:bold}.section{font-size:13px;font-weight:bold}\n"
    ".mid{text-anchor:middle}.end{text-anchor:end}.small{font-size:9px}.soft{fill:#666}\n"
    ".name{font-weight:bold;fill:#666}\n"
    ".life{stroke:#bbb}.band{fill:#f6f7f9}.rank{fill:#fff;stroke:#666}.root{fill:#dbe7f3}\n"
    ".box{fill:#fff;stroke:#999}.rule{stroke:#ccc;fill:none}.sent{fill:#ffd98c}\n"
    ".arrow .shaft{stroke:currentColor;fill:none}.arrow .head{fill:currentColor}\n"
    ".arrow text{fill:currentColor;font-size:11px;stroke:#fff;stroke-width:4px;"
    "paint-order:stroke}\n"
    ".arrow:hover{color:#c00}\n"
    ".port0{color:#0072b2}.port1{color:#d55e00}.port2{color:#009e73}.port3{color:#b65a92}\n"
    ".port4{color:#c28500}.port5{color:#3a9bd9}.port6{color:#555}.old{color:#aaa}\n"
    ".dash1 .shaft{stroke-dasharray:9 3}.dash2 .shaft{stroke-dasharray:2 3}\n"
    ".dash3 .shaft{stroke-dasharray:9 3 2 3}.again .shaft{stroke-dasharray:4 3}\n";

/* What only the picture of a wrong schedule needs. */
static const char style_of_marks[] = ".fault{fill:#f4a6a0;stroke:#c00;stroke-width:2px}.wrong{"
                                     "color:#c00}.bad{fill:#c00;stroke:#fff;stroke-width:2px}\n"
                                     ".bang{fill:#fff;font-weight:bold;text-anchor:middle}\n";

/* --- Panels --- */

struct panel {
    char *text;
    size_t length;
    bool flows;
    int x, y, width, height;
};

static void place(struct kp_svg *svg, struct panel *panel, int x)
{
    panel->x = x;
    panel->y = svg->y;
    if (x + panel->width > svg->page_width)
        svg->page_width = x + panel->width;
}

/* Gives panels their positions side by side, in columns of the same width. `panels` are several
 * panels with `flows`, or a single panel of any kind. */
static void place_beside(struct kp_svg *svg, struct panel *panels, size_t count)
{
    int wrap = svg->page_width > WRAP ? svg->page_width : WRAP, widest = 0, height = 0;
    for (size_t i = 0; i < count; i++)
        widest = panels[i].width > widest ? panels[i].width : widest;
    int columns = (wrap - MARGIN + GAP) / (widest + GAP);
    for (size_t i = 0; i < count; i++) {
        int column = columns > 1 ? (int)i % columns : 0;
        if (column == 0 && i > 0) {
            svg->y += height + GAP;
            height = 0;
        }
        height = panels[i].height > height ? panels[i].height : height;
        place(svg, &panels[i], MARGIN + column * (widest + GAP));
    }
    svg->y += height + GAP;
}

/* Gives all panels without a position their position. Successive panels with `flows` stand side by
 * side. */
static void place_panels(struct kp_svg *svg)
{
    struct panel *panels = svg->panels.items;
    while (svg->placed < svg->panels.count) {
        struct panel *first = panels + svg->placed;
        size_t count = 1;
        while (first->flows && svg->placed + count < svg->panels.count && first[count].flows)
            count++;
        svg->placed += count;
        place_beside(svg, first, count);
    }
}

static void end_panel(struct kp_svg *svg)
{
    if (!svg->begun)
        return;
    struct panel *panel = kp_vector_add(&svg->panels, sizeof *panel);
    svg->failed |= panel == NULL;
    if (!panel)
        return;
    *panel = (struct panel){
        .length = svg->text.count, .flows = svg->flows, .width = svg->width, .height = svg->height};
    panel->text = kp_vector_take(&svg->text, 1);
    if (!svg->flows)
        place_panels(svg);
}

static void section(void *to, const char *title)
{
    struct kp_svg *svg = to;
    end_panel(svg);
    bool head = !svg->begun;
    svg->begun = true;
    svg->flows = true;
    svg->width = svg->height = 0;
    if (!*title)
        return;
    if (head)
        snprintf(svg->title, sizeof svg->title, "%s", title);
    kp_svg_text(svg, 0, LINE - 4, head ? "title" : "section", title);
    kp_svg_reach(svg, (int)strlen(title) * (head ? 12 : KP_SVG_CHARACTER), LINE + 6);
}

static void line(void *to, const char *text)
{
    struct kp_svg *svg = to;
    svg->flows = false;
    kp_svg_text(svg, 0, svg->height + LINE - 4, "soft", text);
    kp_svg_reach(svg, (int)strlen(text) * KP_SVG_CHARACTER, svg->height + LINE);
}

/* --- Tables --- */

struct cell {
    char text[CELL_BYTES];
    unsigned marks;
};

static void begin_grid(void *to)
{
    struct kp_svg *svg = to;
    svg->cells.count = 0;
    svg->columns = 0;
}

static void add_cell(void *to, const char *text, unsigned marks)
{
    struct kp_svg *svg = to;
    struct cell *cell = kp_vector_add(&svg->cells, sizeof *cell);
    svg->failed |= cell == NULL;
    if (!cell)
        return;
    snprintf(cell->text, sizeof cell->text, "%s", text);
    cell->marks = marks;
}

static void end_row(void *to)
{
    struct kp_svg *svg = to;
    if (svg->columns == 0)
        svg->columns = svg->cells.count;
}

/* Returns the width of all columns except the first. It is the width of the widest cell of all
 * tables so far, so the columns of tables below each other line up. */
static int column_width(struct kp_svg *svg)
{
    const struct cell *cells = svg->cells.items;
    for (size_t i = 0; i < svg->cells.count; i++) {
        int width = (int)strlen(cells[i].text) * KP_SVG_CHARACTER + 10;
        if (i % svg->columns > 0 && width > svg->column_width)
            svg->column_width = width;
    }
    return svg->column_width;
}

static void draw_rules(struct kp_svg *svg, int left, int top, int width, int rows)
{
    int columns = (int)svg->columns - 1;
    kp_svg_put(svg, "<path class=\"rule\" d=\"");
    for (int i = 1; i < rows; i++)
        kp_svg_put(svg, "M%d %dh%d", left, top + i * ROW, columns * width);
    for (int i = 1; i < columns; i++)
        kp_svg_put(svg, "M%d %dv%d", left + i * width, top, rows * ROW);
    kp_svg_put(svg, "\"/>\n");
}

static void draw_cell(struct kp_svg *svg, size_t i, int left, int top, int width)
{
    const struct cell *cell = (const struct cell *)svg->cells.items + i;
    int row = (int)(i / svg->columns), column = (int)(i % svg->columns) - 1;
    int x = left + column * width, y = top + (row - 1) * ROW;
    if (i == 0)
        kp_svg_text(svg, left - 6, y + ROW - 6, "name end", cell->text);
    else if (column < 0)
        kp_svg_text(svg, left - 6, y + ROW - 6, "soft end", cell->text);
    else if (*cell->text)
        kp_svg_text(svg, x + width / 2, y + ROW - 6, row == 0 ? "mid soft" : "mid", cell->text);
}

static void end_grid(void *to)
{
    struct kp_svg *svg = to;
    if (svg->failed)
        return;
    const struct cell *cells = svg->cells.items;
    int left = HEADINGS, width = column_width(svg);
    int rows = (int)(svg->cells.count / svg->columns) - 1;
    int right = left + ((int)svg->columns - 1) * width, top = svg->height + ROW;
    kp_svg_put(svg, "<g class=\"grid\">\n<rect class=\"box\" x=\"%d\" y=\"%d\" ", left, top);
    kp_svg_put(svg, "width=\"%d\" height=\"%d\"/>\n", right - left, rows * ROW);
    for (size_t i = svg->columns; i < svg->cells.count; i++) {
        int x = left + ((int)(i % svg->columns) - 1) * width;
        if (cells[i].marks)
            kp_svg_put(svg, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                       cells[i].marks & KP_CELL_WRONG ? "fault" : "sent", x,
                       top + ((int)(i / svg->columns) - 1) * ROW, width, ROW);
    }
    draw_rules(svg, left, top, width, rows);
    for (size_t i = 0; i < svg->cells.count; i++)
        draw_cell(svg, i, left, top, width);
    kp_svg_put(svg, "</g>\n");
    kp_svg_reach(svg, right, top + rows * ROW + 8);
}

/* --- Arrows --- */

static void begin_arrows(void *to, const struct kp_diagram *diagram)
{
    struct kp_svg *svg = to;
    svg->diagram = *diagram;
    svg->arrows.count = 0;
    svg->flows = false;
}

static void add_arrow(void *to, const struct kp_arrow *arrow)
{
    struct kp_svg *svg = to;
    struct kp_arrow *kept = kp_vector_add(&svg->arrows, sizeof *kept);
    svg->failed |= kept == NULL;
    if (kept)
        *kept = *arrow;
}

static void end_arrows(void *to)
{
    struct kp_svg *svg = to;
    if (svg->failed)
        return;
    if (svg->diagram.root == KP_DRAW_NO_TREE)
        kp_svg_rounds(svg);
    else
        kp_svg_tree(svg);
}

/* --- The page --- */

static void write_page(const struct kp_svg *svg, FILE *file)
{
    const struct panel *panels = svg->panels.items;
    int width = svg->page_width + MARGIN, height = svg->y - GAP + MARGIN;
    const char *title = svg->title;
    char stretch[KP_SVG_STRETCH];
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    while (*title)
        fputs(kp_svg_escape(&title, stretch), file);
    fprintf(file, "</title>\n<style>\n%s%s</style>\n", style,
            svg->diagram.mark ? style_of_marks : "");
    fprintf(file, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", width, height);
    for (size_t i = 0; i < svg->panels.count; i++) {
        if (panels[i].length == 0)
            continue;
        fprintf(file, "<g transform=\"translate(%d %d)\">\n", panels[i].x, panels[i].y);
        fwrite(panels[i].text, 1, panels[i].length, file);
        fprintf(file, "</g>\n");
    }
    fprintf(file, "</svg>\n");
}

static void forget(struct kp_svg *svg)
{
    const struct panel *panels = svg->panels.items;
    for (size_t i = 0; i < svg->panels.count; i++)
        free(panels[i].text);
    kp_vector_free(&svg->panels);
    kp_vector_free(&svg->text);
    kp_vector_free(&svg->cells);
    kp_vector_free(&svg->arrows);
}

int kp_draw_svg(const kp_schedule *schedule, int tree, FILE *file)
{
    return kp_draw_svg_marked(schedule, tree, NULL, file);
}

int kp_draw_svg_marked(const kp_schedule *schedule, int tree, const struct kp_mark *mark,
                       FILE *file)
{
    struct kp_svg svg = {.y = MARGIN};
    const struct kp_pen pen = {.to = &svg,
                               .marked = "a shaded block",
                               .section = section,
                               .line = line,
                               .begin_grid = begin_grid,
                               .cell = add_cell,
                               .end_row = end_row,
                               .end_grid = end_grid,
                               .begin_arrows = begin_arrows,
                               .arrow = add_arrow,
                               .end_arrows = end_arrows};
    int n = kp_schedule_problem(schedule)->n;
    if (n > KP_DRAW_SVG_N)
        return kp_set_error(KP_EPROBLEM, "n is %d; a picture has columns for up to %d processors",
                            n, KP_DRAW_SVG_N);
    int status = kp_draw(schedule, tree, mark, &pen);
    end_panel(&svg);
    place_panels(&svg);
    if (!status && !svg.failed)
        write_page(&svg, file);
    forget(&svg);
    if (status == KP_EMEMORY || (!status && svg.failed))
        return kp_set_error(KP_EMEMORY, "there is no memory for drawing the schedule");
    return status;
}
