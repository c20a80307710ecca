/* Fuzzes profiles. From any text kport must read at least one setting, or refuse the text with a
 * sentence. The predictions of a profile that was read must be finite numbers.
 *
 * A profile has a revision, which names the library's version, its algorithms and the computer. In
 * the input an @ stands for the revision of this computer in the formats 1 and 2. A # stands for
 * the revision in format 3, as it would be if radix were the only algorithm. */
#include "fuzz.h"

#include "lib/tune/profile.h"

#include <stdbool.h>
#include <string.h>

#define MOST_TEXT 8192

static void write_revision(char mark, char *text, size_t size)
{
    char table[KP_STAMP_ALGORITHM + 4], radix[KP_STAMP_ALGORITHM];
    struct kp_revision revision;
    kp_revision_here(&revision);
    kp_revision_algorithm(kp_algorithm_find(KP_INDEX, "radix"), radix, sizeof radix);
    snprintf(table, sizeof table, mark == '#' ? "[\"%s\"]" : "\"%s\"",
             mark == '#' ? radix : revision.table);
    snprintf(text, size, "{\"version\":\"%s\",\"table\":%s,\"machine\":\"%s\"}", revision.version,
             table, revision.machine);
}

static size_t with_revision(const uint8_t *data, size_t size, char *text, size_t room)
{
    char revision[500];
    size_t length = 0;
    bool written = false;
    for (size_t i = 0; i < size && length + sizeof revision < room; i++) {
        if ((data[i] == '@' || data[i] == '#') && !written) {
            write_revision((char)data[i], revision, sizeof revision);
            memcpy(text + length, revision, strlen(revision));
            length += strlen(revision);
            written = true;
        } else {
            text[length++] = (char)data[i];
        }
    }
    return length;
}

static void look(const kp_prediction *prediction, void *arg)
{
    (void)arg;
    if (!(prediction->us >= 0 && prediction->us < 1e300))
        wrong("a prediction is %g", prediction->us);
}

static void predict_by(const kp_profile *profile, const struct kp_setting *s, kp_operation o)
{
    const size_t b[] = {0, 8, 1000, 1u << 20};
    kp_config config = {.carrier = s->carrier, .workers = s->workers, .discipline = s->discipline};
    for (size_t i = 0; i < sizeof b / sizeof b[0] && s->n <= 16; i++) {
        kp_prediction choice;
        kp_problem p = {.operation = o, .n = s->n, .k = s->k, .b = b[i]};
        if (kp_predict(&config, profile, &p, look, NULL, &choice) == KP_OK)
            look(&choice, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT];
    kp_profile *profile = NULL;
    size_t length = with_revision(data, size, text, sizeof text);
    /* The buffer is exactly as long as the text, so that a sanitizer detects a read past its
     * end. */
    char *own = malloc(length ? length : 1);
    memcpy(own, text, length);
    int status = kp_profile_parse("fuzzed", own, length, &profile);
    if (status != KP_OK &&
        (status != KP_EPROFILE || profile || strlen(kp_last_error()->sentence) < 20))
        wrong("status %d, %s", status, kp_last_error()->sentence);
    if (status == KP_OK && profile->count == 0)
        wrong("a profile without a setting is taken: \"%s\"", profile->left_out);
    free(own);
    for (int i = 0; profile && i < profile->count; i++) {
        for (int o = 0; o < KP_OPERATIONS; o++) {
            if (profile->settings[i].operations[o])
                predict_by(profile, &profile->settings[i], (kp_operation)o);
        }
    }
    kp_profile_free(profile);
    return 0;
}
