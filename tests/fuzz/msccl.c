/* Fuzzes files of MSCCL. Any bytes must be read, or refused with a sentence. What is read is
 * checked, with steps that may be torn apart and without, for connections of any depth and of depth
 * 1. A file that is right is put into rounds, or refused with a sentence; the rounds must be built,
 * and the schedule must be written back as a file that is right. */
#include "fuzz.h"

#include "kport/error.h"
#include "tools/kport/files/file.h"
#include "tools/kport/msccl/check/verify.h"
#include "tools/kport/msccl/rounds.h"
#include "tools/kport/msccl/write.h"

#include <string.h>

#define MOST_N     16
#define MOST_STEPS 2000
#define MOST_UNITS 4000

/* Returns whether the check finds the schedule right. */
static bool is_right(const struct msccl *m, struct msccl_wish wish)
{
    struct msccl_verdict verdict = {0};
    char error[MSCCL_ERROR] = "";
    if (!msccl_verify(m, &wish, &verdict, error) && strlen(error) < 5)
        wrong("not checked, without a sentence");
    bool right = !error[0] && !findings_wrong(&verdict.findings, false);
    if (right && wish.depth > 0 && verdict.depth_needed > wish.depth)
        wrong("right at depth %u, but %u is needed", wish.depth, verdict.depth_needed);
    findings_end(&verdict.findings);
    return right;
}

static void write_back(const kp_schedule *schedule)
{
    char *text = NULL, error[MSCCL_ERROR];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out || write_msccl(schedule, out) != 0 || fclose(out) != 0)
        wrong("not written");
    struct msccl *again = msccl_parse(text, size, error);
    if (!again || !is_right(again, (struct msccl_wish){.torn = true}))
        wrong("written, and then wrong:\n%s", text);
    msccl_free(again);
    free(text);
}

static void put_into_rounds(const char *text, size_t size)
{
    kp_problem problem;
    kp_schedule *schedule = NULL;
    struct schedule_file *file = schedule_file_begin("@fuzzed");
    if (!file)
        wrong("no memory");
    if (!msccl_read_rounds(file, text, size)) {
        if (strlen(file->why) < 5)
            wrong("refused without a sentence");
    } else if (!schedule_file_asked(file, "", &problem)) {
        wrong("its own problem is refused: %s", file->why);
    } else if (kp_schedule_build(&problem, &schedule)) {
        wrong("not built: %s", kp_last_error()->sentence);
    } else if (kp_schedule_check(schedule, NULL) == KP_OK) {
        write_back(schedule);
    }
    kp_schedule_free(schedule);
    schedule_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[MSCCL_ERROR] = "";
    const char *text = (const char *)data;
    struct msccl *m = msccl_parse(text, size, error);
    if (!m && strlen(error) < 5)
        wrong("refused without a sentence");
    if (m && m->n <= MOST_N && m->step_count <= MOST_STEPS && m->chunks <= MOST_UNITS) {
        bool torn = is_right(m, (struct msccl_wish){.torn = true});
        bool right = is_right(m, (struct msccl_wish){.torn = false});
        if (torn && !right)
            wrong("right only if steps are torn apart");
        if (is_right(m, (struct msccl_wish){.depth = 1}) && !right)
            wrong("right only at depth 1");
        is_right(m, (struct msccl_wish){.depth = 1, .back_pressure = true});
        if (right)
            put_into_rounds(text, size);
    }
    msccl_free(m);
    return 0;
}
