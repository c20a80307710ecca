/* Tests pictures: the configurations of Bruck et al. 1997, Figs. 2, 3 and 9, and the table of
 * rounds. In the paper's Fig. 9 blocks move in the other direction than here. In the paper
 * processor 0 has block 0, then 0 1, then 0 1 2 3. Here it has block 0, then 0 4, then 0 4 3 2. */
#include "tests/common/schedule_common.h"

#include "lib/draw/draw.h"

static const char *const figures_2_and_3 =
    "index:n=5,k=1,b=8,alg=literal,r=2\n"
    "C1 = 3 rounds, C2 = 40 bytes; 15 messages, 200 bytes in all\n"
    "\n"
    "round  port  from  to     blocks  bytes\n"
    "0      0     i     i + 1  2       16\n"
    "1      0     i     i + 2  2       16\n"
    "2      0     i     i + 4  1       8\n"
    "i is every processor; sums are modulo 5\n"
    "\n"
    "before\n"
    "out  p0  p1  p2  p3  p4\n"
    "0    00  10  20  30  40\n"
    "1    01  11  21  31  41\n"
    "2    02  12  22  32  42\n"
    "3    03  13  23  33  43\n"
    "4    04  14  24  34  44\n"
    "\n"
    "after the local moves at the beginning\n"
    "scratch  p0   p1   p2   p3   p4\n"
    "0        00   11   22   33   44\n"
    "1        01*  12*  23*  34*  40*\n"
    "2        02   13   24   30   41\n"
    "3        03*  14*  20*  31*  42*\n"
    "4        04   10   21   32   43\n"
    "\n"
    "after round 0\n"
    "scratch  p0   p1   p2   p3   p4\n"
    "0        00   11   22   33   44\n"
    "1        40   01   12   23   34\n"
    "2        02*  13*  24*  30*  41*\n"
    "3        42*  03*  14*  20*  31*\n"
    "4        04   10   21   32   43\n"
    "\n"
    "after round 1\n"
    "scratch  p0   p1   p2   p3   p4\n"
    "0        00   11   22   33   44\n"
    "1        40   01   12   23   34\n"
    "2        30   41   02   13   24\n"
    "3        20   31   42   03   14\n"
    "4        04*  10*  21*  32*  43*\n"
    "\n"
    "after round 2\n"
    "scratch  p0  p1  p2  p3  p4\n"
    "0        00  11  22  33  44\n"
    "1        40  01  12  23  34\n"
    "2        30  41  02  13  24\n"
    "3        20  31  42  03  14\n"
    "4        10  21  32  43  04\n"
    "in  p0  p1  p2  p3  p4\n"
    "0   00  01  02  03  04\n"
    "1   10  11  12  13  14\n"
    "2   20  21  22  23  24\n"
    "3   30  31  32  33  34\n"
    "4   40  41  42  43  44\n"
    "\n"
    "* is sent in the next round\n";

static const char *const figure_9 = "concat:n=5,k=1,b=8,alg=circulant,prefer=c1\n"
                                    "C1 = 3 rounds, C2 = 32 bytes; 15 messages, 160 bytes in all\n"
                                    "\n"
                                    "round  port  from  to     blocks  bytes\n"
                                    "0      0     i     i + 1  1       8\n"
                                    "1      0     i     i + 2  2       16\n"
                                    "2      0     i     i + 4  1       8\n"
                                    "i is every processor; sums are modulo 5\n"
                                    "\n"
                                    "before\n"
                                    "out  p0  p1  p2  p3  p4\n"
                                    "0    0   1   2   3   4\n"
                                    "\n"
                                    "after the local moves at the beginning\n"
                                    "out  p0  p1  p2  p3  p4\n"
                                    "0    0*  1*  2*  3*  4*\n"
                                    "in  p0  p1  p2  p3  p4\n"
                                    "0   0   .   .   .   .\n"
                                    "1   .   1   .   .   .\n"
                                    "2   .   .   2   .   .\n"
                                    "3   .   .   .   3   .\n"
                                    "4   .   .   .   .   4\n"
                                    "\n"
                                    "after round 0\n"
                                    "in  p0  p1  p2  p3  p4\n"
                                    "0   0*  0*  .   .   .\n"
                                    "1   .   1*  1*  .   .\n"
                                    "2   .   .   2*  2*  .\n"
                                    "3   .   .   .   3*  3*\n"
                                    "4   4*  .   .   .   4*\n"
                                    "\n"
                                    "after round 1\n"
                                    "in  p0  p1  p2  p3  p4\n"
                                    "0   0*  0   0   0   .\n"
                                    "1   .   1*  1   1   1\n"
                                    "2   2   .   2*  2   2\n"
                                    "3   3   3   .   3*  3\n"
                                    "4   4   4   4   .   4*\n"
                                    "\n"
                                    "after round 2\n"
                                    "in  p0  p1  p2  p3  p4\n"
                                    "0   0   0   0   0   0\n"
                                    "1   1   1   1   1   1\n"
                                    "2   2   2   2   2   2\n"
                                    "3   3   3   3   3   3\n"
                                    "4   4   4   4   4   4\n"
                                    "\n"
                                    "* is sent in the next round\n";

/* Returns the picture of a problem as text. The caller frees it. */
static char *picture_of(const kp_problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    kp_schedule *schedule = build(problem);
    assert_int_equal(kp_draw_text(schedule, KP_DRAW_NO_TREE, file), KP_OK);
    kp_schedule_free(schedule);
    fclose(file);
    assert_null(memchr(text, '\0', length));
    /* clang's memory sanitizer does not see that libc has written this 0. */
    text[length] = '\0';
    return text;
}

static void draws(const char *problem_text, const char *expected)
{
    kp_problem problem = parse(problem_text);
    char *text = picture_of(&problem);
    assert_string_equal(text, expected);
    free(text);
}

static void the_papers_figures(void **state)
{
    (void)state;
    draws("index:n=5,k=1,b=8,alg=literal,r=2", figures_2_and_3);
    draws("concat:n=5,k=1,b=8,alg=circulant,prefer=c1", figure_9);
}

static void contains(const char *problem_text, const char *part)
{
    kp_problem problem = parse(problem_text);
    char *text = picture_of(&problem);
    if (!strstr(text, part))
        fail_msg("%s: '%s' is not in\n%s", problem_text, part, text);
    free(text);
}

static void other_forms(void **state)
{
    (void)state;
    contains("index:n=1,k=1,b=8,alg=radix,r=2", "in  p0\n0   00\n");
    contains("concat:n=4,k=1,b=1,alg=recursive-doubling",
             "1      0     i     i (+) 2  2       2\n");
    contains("concat:n=4,k=1,b=1,alg=recursive-doubling", "digits in radix 2, without carries");
    contains("concat:n=3,k=1,b=2,alg=gather-broadcast", "1      0     2     0   1       2\n");
    contains("concat:n=9,k=3,b=8", "1      2     i     i + 7  12\n");
    contains("index:n=12,k=1,b=8,alg=radix,r=12", "11.10");
    /* A block that arrives in two rounds. After the first round the picture must show a part of
     * it. */
    kp_problem p = {.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &halves};
    char *text = picture_of(&p);
    assert_non_null(strstr(text, "after round 0\nin  p0  p1\n0   0   0~\n1   1~  1\n"));
    assert_non_null(strstr(text, "after round 1\nin  p0  p1\n0   0*  0~\n1   1~  1*\n"));
    assert_non_null(strstr(text, "~ a part of the block"));
    free(text);
}

/* Draws a problem. Pictures of large problems must show only the rounds. */
static void draw(const kp_problem *problem)
{
    char *text = picture_of(problem);
    assert_true((strstr(text, "before\n") != NULL) == (problem->n <= KP_DRAW_MEMORY_N));
    free(text);
}

static char *svg_of(const kp_problem *problem)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    kp_schedule *schedule = build(problem);
    if (kp_draw_svg(schedule, problem->root, file) != KP_OK)
        fail_msg("%s: %s", text_of(problem), kp_last_error()->sentence);
    kp_schedule_free(schedule);
    fclose(file);
    assert_null(memchr(text, '\0', length));
    /* As above, the sanitizer does not see this 0. */
    text[length] = '\0';
    return text;
}

/* A name may have characters that are special in XML, or not allowed there. The picture must be
 * valid XML nevertheless. */
static void special_characters(void **state)
{
    (void)state;
    kp_algorithm odd = halves;
    odd.name = "?<a&b>\x01\xc3z";
    kp_problem p = {.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &odd};
    char *text = svg_of(&p);
    assert_non_null(strstr(text, "<title>concat:n=2,k=1,b=8,alg=?&lt;a&amp;b&gt;??z</title>"));
    assert_non_null(strstr(text, "class=\"title\">concat:n=2,k=1,b=8,alg=?&lt;a&amp;b&gt;??z<"));
    free(text);
}

/* Checks the beginning and the end of an SVG picture. tests/cli/show.py checks the rest. */
static void draw_svg(const kp_problem *problem)
{
    char *text = svg_of(problem);
    assert_memory_equal(text, "<?xml ", 6);
    assert_string_equal(text + strlen(text) - 7, "</svg>\n");
    free(text);
}

static void everything(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 3, 5, 16, 17};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for_all_problems(sizes[i], 5, draw);
    for (int n = 1; n <= 4; n++)
        for_all_problems(n, 5, draw_svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_figures),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(special_characters),
        cmocka_unit_test(everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
