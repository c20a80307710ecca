/* Fuzzes schedules in files, as text or, if the first byte is a brace, as JSON. Any bytes must be
 * read, or refused with a sentence. If a small schedule is read, it must be built, or refused with
 * a sentence. A built one must be the same after it is written and read again in both forms. */
#include "fuzz.h"

#include "kport/error.h"
#include "tools/kport/files/read.h"
#include "tools/kport/files/write.h"

#include <string.h>

#define MOST_N      16
#define MOST_ROUNDS 64
#define MOST_WEIGHT 100000

typedef bool read_form(struct schedule_file *file, const char *text, size_t size,
                       struct read_where *where);
typedef int write_form(const kp_schedule *schedule, FILE *out);

/* Returns the file, or NULL if the reader refuses the text. */
static struct schedule_file *read_as(read_form *read, const char *text, size_t size)
{
    struct read_where where = {.text = ""};
    struct schedule_file *file = schedule_file_begin("@fuzzed");
    if (!file)
        wrong("no memory");
    if (read(file, text, size, &where))
        return file;
    if (strlen(file->why) < 5 || strlen(where.text) >= sizeof where.text)
        wrong("refused without a sentence: \"%s\", at \"%s\"", file->why, where.text);
    schedule_file_free(file);
    return NULL;
}

static kp_schedule *build(struct schedule_file *file)
{
    kp_problem problem;
    kp_schedule *schedule = NULL;
    if (!schedule_file_asked(file, "", &problem))
        wrong("its own problem is refused: %s", file->why);
    int status = kp_schedule_build(&problem, &schedule);
    if (status && (status != KP_ESCHEDULE || strlen(kp_last_error()->sentence) < 5))
        wrong("not built: status %d, %s", status, kp_last_error()->sentence);
    return schedule;
}

static char *write_as(write_form *write, const kp_schedule *schedule, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out || write(schedule, out) != 0 || fclose(out) != 0)
        wrong("not written");
    return text;
}

static void there_and_back(write_form *write, read_form *read, const kp_schedule *schedule,
                           int accepted)
{
    size_t size, again_size;
    kp_error_record error;
    char *text = write_as(write, schedule, &size);
    struct schedule_file *file = read_as(read, text, size);
    kp_schedule *again = file ? build(file) : NULL;
    if (!again)
        wrong("written, and not read again:\n%s", text);
    char *text_again = write_as(write, again, &again_size);
    if (strcmp(text, text_again) != 0)
        wrong("written as\n%s\nthen as\n%s", text, text_again);
    if (kp_schedule_check(again, &error) != accepted)
        wrong("the checker changes its mind: %s\n%s", error.sentence, text);
    kp_schedule_free(again);
    schedule_file_free(file);
    free(text_again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kp_error_record error;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct schedule_file *file = read_as(text[0] == '{' ? read_json : read_text, text, size);
    if (file && file->problem.n <= MOST_N && file->rounds <= MOST_ROUNDS &&
        file->weight < MOST_WEIGHT && file->scratch < MOST_WEIGHT) {
        kp_schedule *schedule = build(file);
        if (schedule) {
            int accepted = kp_schedule_check(schedule, &error);
            there_and_back(write_text, read_text, schedule, accepted);
            there_and_back(write_json, read_json, schedule, accepted);
        }
        kp_schedule_free(schedule);
    }
    schedule_file_free(file);
    free(text);
    return 0;
}
