/* Compares the errors that processors got with the errors that the program expects. */
#include "wrong.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char verdict[1600];

static const char *wrongly(const char *form, ...)
{
    va_list arguments;
    va_start(arguments, form);
    vsnprintf(verdict, sizeof verdict, form, arguments);
    va_end(arguments);
    return verdict;
}

/* --- Lists of processors --- */

/* Returns whether `wanted` is in a list of numbers such as "0,2-3" or "0, 2 to 3 and 5". The list
 * ends before the first text that is neither a number nor a word between numbers. */
static bool list_has(const char *list, int wanted)
{
    static const struct {
        const char *word;
        bool range;
    } joints[] = {{", and ", false}, {", ", false},   {" and ", false},
                  {" or ", false},   {",", false},    {"-", true},
                  {" to ", true},    {" ... ", true}, {NULL, false}};
    int before = -1;
    for (bool range = false;;) {
        char *end;
        if (!isdigit((unsigned char)*list))
            return false;
        int number = (int)strtol(list, &end, 10);
        if (number == wanted || (range && before <= wanted && wanted <= number))
            return true;
        int i = 0;
        while (joints[i].word && strncmp(end, joints[i].word, strlen(joints[i].word)) != 0)
            i++;
        if (!joints[i].word)
            return false;
        list = end + strlen(joints[i].word);
        if (strncmp(list, "processor ", 10) == 0)
            list += 10;
        range = joints[i].range;
        before = number;
    }
}

const expectation *expected_of(const scene *stage, int processor)
{
    const wrong_program *program = stage->program;
    bool other = stage->config.discipline == KP_ROUNDS_BY_MAILBOXES && program->mailboxes[0].of;
    const expectation *of = other ? program->mailboxes : program->says;
    for (int i = 0; i < MOST_EXPECTATIONS && of[i].of; i++)
        if (strcmp(of[i].of, "all") == 0 || strcmp(of[i].of, "others") == 0 ||
            list_has(of[i].of, processor))
            return &of[i];
    return NULL;
}

/* --- What a sentence contains --- */

/* Returns whether the sentence names the processor. Four forms count: "processor 1", "processors 1,
 * 2 and 3", "1 waits for 2", and "waited in kp_barrier for 2, 3". */
static bool names_processor(const char *sentence, int processor)
{
    static const char *const before[] = {"processor ", "processors ", " for ", "; ", ", "};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (const char *at = sentence; (at = strstr(at, before[i])) != NULL;) {
            at += strlen(before[i]);
            const char *rest = at + strspn(at, "0123456789");
            bool sure = i < 3 || strncmp(rest, " waits for ", 11) == 0;
            if (sure && list_has(at, processor))
                return true;
        }
    return false;
}

/* Returns whether the sentence contains the text as a word of its own. A number must not be part of
 * a longer number, nor a call's name part of a longer name (reduce, allreduce). */
static bool names_text(const char *sentence, const char *text)
{
    size_t length = strlen(text);
    for (const char *at = sentence; (at = strstr(at, text)) != NULL; at++) {
        char before = at == sentence ? ' ' : at[-1], after = at[length];
        bool begins = !isalnum((unsigned char)before) || !isalnum((unsigned char)*text);
        bool ends = isdigit((unsigned char)text[length - 1]) ? !isdigit((unsigned char)after)
                                                             : after != 'v';
        if (begins && ends)
            return true;
    }
    return false;
}

static bool names_site(const scene *stage, const char *sentence, char site)
{
    char line[256];
    const char *file = atomic_load(&stage->file);
    if (!file)
        return false;
    const char *slash = strrchr(file, '/');
    snprintf(line, sizeof line, "%s:%d", slash ? slash + 1 : file,
             atomic_load(&stage->sites[site - 'A']));
    const char *at = strstr(sentence, line);
    return at && !isdigit((unsigned char)at[strlen(line)]);
}

static bool names_one(const scene *stage, const char *sentence, const char *word)
{
    if (word[0] == 'P' && isdigit((unsigned char)word[1]))
        return names_processor(sentence, atoi(word + 1));
    if (word[0] == '{')
        return names_site(stage, sentence, word[1]);
    return names_text(sentence, word);
}

/* Returns the first item of `names` that the sentence does not contain; NULL if it contains all. */
static const char *not_named(const scene *stage, const char *sentence, const char *names)
{
    static char missing[256];
    char words[256];
    if (!names)
        return NULL;
    snprintf(words, sizeof words, "%s", names);
    for (char *rest = words, *next; rest; rest = next) {
        next = strstr(rest, " | ");
        if (next) {
            *next = 0;
            next += 3;
        }
        snprintf(missing, sizeof missing, "%s", rest);
        bool named = false;
        char *save = NULL;
        for (char *word = strtok_r(rest, "/", &save); word; word = strtok_r(NULL, "/", &save))
            named |= names_one(stage, sentence, word);
        if (!named)
            return missing;
    }
    return NULL;
}

/* --- The errors of one processor --- */

static const char *judge_told(const scene *stage, const member *here, const expectation *expected)
{
    bool caller = stage->program->caller;
    int status = caller || here->returned ? here->told : VANISHED;
    const kp_error_record *record = &here->record;
    /* By mailboxes a call does not synchronise. So the wrong call may succeed, and the next call
     * reports the error. */
    bool later = stage->config.discipline == KP_ROUNDS_BY_MAILBOXES && status == 0 &&
                 expected->status != 0 && expected->after != GONE;
    if (later) {
        status = here->status_after;
        record = &here->record_after;
    }
    int wanted = expected->status;
    if (wanted == TELLING ? status >= 0 || status == VANISHED : status != wanted)
        return wrongly("processor %d: status %d where %d is expected: \"%s\"", here->me, status,
                       wanted, record->sentence);
    if (status == 0 || status == VANISHED || status > 0)
        return "";
    if (!expected->names && expected->after == GONE)
        return ""; /* the program chose this status itself, so kport has no sentence */
    const char *missing = not_named(stage, record->sentence, expected->names);
    if (missing)
        return wrongly("processor %d: \"%s\" does not name %s", here->me, record->sentence,
                       missing);
    if (record->status != status)
        return wrongly("processor %d: returned %d, the record says %d", here->me, status,
                       record->status);
    if (!later && !caller && here->told_line && record->file && record->line != here->told_line)
        return wrongly("processor %d: its call is in line %d, the record says %d: \"%s\"", here->me,
                       here->told_line, record->line, record->sentence);
    return "";
}

static const char *judge_after(const scene *stage, const member *here, const expectation *expected)
{
    bool mailboxes = stage->config.discipline == KP_ROUNDS_BY_MAILBOXES;
    bool works = here->status_after == 0 && here->sum_after;
    bool fails = here->status_after < 0 && here->record_after.status == here->status_after &&
                 here->record_after.sentence[0];
    if (stage->program->caller || expected->after == GONE)
        return "";
    bool may_fail = expected->after != WORKS || mailboxes, may_work = expected->after != FAILED;
    if ((works && may_work) || (fails && may_fail))
        return "";
    return wrongly("processor %d: a right call afterwards: status %d%s: \"%s\"", here->me,
                   here->status_after, here->sum_after ? "" : ", wrong sum",
                   here->record_after.sentence);
}

/* Compares the report of config.on_failure with the program's `diagnosis`. */
static const char *judge_diagnosis(const scene *stage)
{
    const char *missing = NULL;
    if (!stage->program->diagnosis)
        return "";
    if (stage->diagnoses == 0)
        return wrongly("no diagnosis of the machine");
    missing = not_named(stage, stage->diagnosis, stage->program->diagnosis);
    return missing ? wrongly("the diagnosis does not name %s:\n%s", missing, stage->diagnosis) : "";
}

const char *judge(const scene *stage)
{
    const member *one = NULL;
    int members = stage->program->caller ? 1 : stage->config.processors;
    for (int i = 0; i < members; i++) {
        const member *here = &stage->members[i];
        const expectation *expected = expected_of(stage, i);
        if (!expected)
            return wrongly("the program says nothing about processor %d", i);
        const char *said = judge_told(stage, here, expected);
        if (!*said)
            said = judge_after(stage, here, expected);
        if (*said)
            return said;
        /* Whether the world works afterwards may be open, but the right call must then succeed at
         * all members that make it, or fail at all. */
        if (!stage->program->caller && expected->after != GONE &&
            here->told != here->status_after) {
            if (one && !one->status_after != !here->status_after)
                return wrongly("a right call afterwards: status %d on processor %d, %d on %d",
                               one->status_after, one->me, here->status_after, here->me);
            one = here;
        }
    }
    return judge_diagnosis(stage);
}
