/* Fuzzes problem strings. Any text must be parsed, or refused with a sentence. A parsed problem
 * must be valid, and must be the same problem after it is written and parsed again. If it is small,
 * it must have a schedule that the checker accepts. */
#include "fuzz.h"

#include "kport/error.h"
#include "kport/model.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"

#include <stdbool.h>
#include <string.h>

#define MOST_TEXT 4096

static bool same(const kp_problem *a, const kp_problem *b)
{
    return a->operation == b->operation && a->n == b->n && a->k == b->k && a->b == b->b &&
           a->root == b->root && a->target == b->target && a->in_place == b->in_place &&
           a->type == b->type && a->op == b->op && a->algorithm == b->algorithm &&
           memcmp(a->values, b->values, sizeof a->values) == 0;
}

static void refused(const char *text, int status)
{
    const char *sentence = kp_last_error()->sentence;
    if (status != KP_EPROBLEM && status != KP_EALGORITHM && status != KP_EUNSERVED)
        wrong("\"%s\": status %d", text, status);
    if (kp_last_error()->status != status || strlen(sentence) < 5)
        wrong("\"%s\": status %d without a sentence about it: %s", text, status, sentence);
}

static void written_and_read(const char *text, const kp_problem *problem)
{
    char written[512], again[512];
    kp_problem back;
    int length = kp_problem_format(problem, written, sizeof written);
    if (length < 0 || (size_t)length >= sizeof written || strlen(written) != (size_t)length)
        wrong("\"%s\": written with length %d", text, length);
    if (kp_problem_parse(written, &back) != KP_OK || !same(problem, &back))
        wrong("\"%s\": read, written as \"%s\", which is not the same: %s", text, written,
              kp_last_error()->sentence);
    kp_problem_format(&back, again, sizeof again);
    if (strcmp(written, again) != 0)
        wrong("\"%s\": written as \"%s\", then as \"%s\"", text, written, again);
    /* If the buffer is too small, kp_problem_format must cut the text and still return its whole
     * length. */
    if (kp_problem_format(problem, again, 10) != length || strlen(again) > 9)
        wrong("\"%s\": written in 10 bytes: %s", text, again);
}

static void built_and_checked(const char *text, const kp_problem *problem)
{
    kp_schedule *schedule = NULL;
    kp_error_record error;
    kp_problem tuned = *problem;
    int status = kp_tune(&tuned, NULL);
    if (status == KP_EUNSERVED)
        return;
    if (status || kp_problem_check(&tuned))
        wrong("\"%s\": cannot be tuned: %s", text, kp_last_error()->sentence);
    if (kp_schedule_build(problem, &schedule))
        wrong("\"%s\": cannot be built: %s", text, kp_last_error()->sentence);
    if (kp_schedule_check(schedule, &error))
        wrong("\"%s\": not accepted: %s", text, error.sentence);
    kp_schedule_free(schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT + 1];
    kp_problem problem;
    if (size > MOST_TEXT)
        size = MOST_TEXT;
    memcpy(text, data, size);
    text[size] = '\0';
    int status = kp_problem_parse(text, &problem);
    if (status) {
        refused(text, status);
        return 0;
    }
    if (kp_problem_check(&problem))
        wrong("\"%s\": read, and then refused: %s", text, kp_last_error()->sentence);
    written_and_read(text, &problem);
    if (problem.n <= 9 && problem.b <= 64)
        built_and_checked(text, &problem);
    return 0;
}
