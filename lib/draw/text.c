/* The pen for text. Each column of a table is as wide as its widest cell. A marked cell ends in
 * '*'. */
#include "lib/draw/draw.h"
#include "lib/schedule/vector.h"
#include "ports/port.h"

#include <string.h>

#define CELL_BYTES 40

struct text_cell {
    char text[CELL_BYTES];
};

struct page {
    FILE *file;
    struct kp_vector cells; /* the cells of the current table, row by row */
    size_t columns;         /* the number of the table's columns; 0 until its first row has ended */
    bool begun;             /* true: something has been written */
    bool failed;            /* true: there was no memory */
};

static void text_line(void *to, const char *text)
{
    struct page *page = to;
    fprintf(page->file, "%s\n", text);
}

static void section(void *to, const char *title)
{
    struct page *page = to;
    if (page->begun)
        text_line(to, "");
    if (*title)
        text_line(to, title);
    page->begun = true;
}

static void begin_grid(void *to)
{
    struct page *page = to;
    page->cells.count = 0;
    page->columns = 0;
}

static void add_cell(void *to, const char *text, unsigned marks)
{
    struct page *page = to;
    struct text_cell *cell = kp_vector_add(&page->cells, sizeof *cell);
    if (cell)
        snprintf(cell->text, sizeof cell->text, "%s%s", *text ? text : ".",
                 marks & KP_CELL_SENT ? "*" : "");
    page->failed |= cell == NULL;
}

static void end_row(void *to)
{
    struct page *page = to;
    if (page->columns == 0)
        page->columns = page->cells.count;
}

static size_t width_of(const struct page *page, size_t column)
{
    const struct text_cell *cells = page->cells.items;
    size_t width = 0;
    for (size_t i = column; i < page->cells.count; i += page->columns) {
        size_t length = strlen(cells[i].text);
        width = length > width ? length : width;
    }
    return width;
}

static void end_grid(void *to)
{
    struct page *page = to;
    const struct text_cell *cells = page->cells.items;
    size_t columns = page->columns;
    size_t *widths = malloc((columns + 1) * sizeof *widths);
    page->failed |= widths == NULL;
    if (page->failed) {
        free(widths);
        return;
    }
    for (size_t i = 0; i < columns; i++)
        widths[i] = width_of(page, i);
    for (size_t i = 0; i < page->cells.count; i++) {
        bool last = (i + 1) % columns == 0;
        if (last)
            fprintf(page->file, "%s\n", cells[i].text);
        else
            fprintf(page->file, "%-*s  ", (int)widths[i % columns], cells[i].text);
    }
    free(widths);
}

int kp_draw_text(const kp_schedule *schedule, int tree, FILE *file)
{
    struct page page = {.file = file};
    const struct kp_pen pen = {.to = &page,
                               .marked = "*",
                               .section = section,
                               .line = text_line,
                               .begin_grid = begin_grid,
                               .cell = add_cell,
                               .end_row = end_row,
                               .end_grid = end_grid};
    int status = kp_draw(schedule, tree, NULL, &pen);
    kp_vector_free(&page.cells);
    if (status == KP_EMEMORY || (!status && page.failed))
        return kp_set_error(KP_EMEMORY, "there is no memory for drawing the schedule");
    return status;
}
