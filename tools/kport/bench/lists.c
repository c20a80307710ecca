/* Reads lists of numbers and ranges of sizes from the options of `kport bench`. */
#include "tools/kport/bench/bench.h"

#include "lib/problem/fields.h"
#include "tools/kport/command.h"

#include <stdio.h>
#include <string.h>

#define MOST_SIZE (UINT64_C(1) << 40)

int bench_list_read(const char *option, const char *text, uint64_t high, struct bench_list *list)
{
    for (const char *at = text;; at++) {
        struct kp_word item = {at, strcspn(at, ",")};
        uint64_t value;
        if (list->count == BENCH_MOST_LISTED) {
            fprintf(stderr, "kport bench: %s is \"%.40s...\"; it may list up to %d numbers\n",
                    option, text, BENCH_MOST_LISTED);
            return EXIT_IMPOSSIBLE;
        }
        if (!kp_word_number(item, &value) || value < 1 || value > high) {
            fprintf(stderr, "kport bench: %s is \"%.*s\"; it may be 1 ... %llu%s\n", option,
                    KP_WORD(item), (unsigned long long)high,
                    memchr(item.text, ':', item.length) ? ", and a list has commas, as in 2,4"
                                                        : "");
            return EXIT_IMPOSSIBLE;
        }
        list->values[list->count++] = value;
        at += item.length;
        if (!*at)
            return EXIT_DONE;
    }
}

static bool read_size(const char *text, size_t length, uint64_t *size)
{
    return kp_word_number((struct kp_word){text, length}, size) && *size >= 1 && *size <= MOST_SIZE;
}

int bench_sizes_read(const char *text, uint64_t least, uint64_t *low, uint64_t *high)
{
    const char *colon = strchr(text, ':');
    const char *max = colon ? colon + 1 : text;
    *low = least;
    bool right = !colon || read_size(text, (size_t)(colon - text), low);
    right = right && ((colon && !*max) || read_size(max, strlen(max), high));
    if (right && (!colon || *low <= *high))
        return EXIT_DONE;
    if (right)
        fprintf(stderr, "kport bench: -m is \"%.60s\"; MIN may not be more than MAX\n", text);
    else
        fprintf(stderr,
                "kport bench: -m is \"%.60s\"; it may be MIN:MAX, MIN: or MAX, with 1 <= MIN <= "
                "MAX <= 1024G and K, M or G behind a number%s\n",
                text,
                strchr(text, ',') ? ". Sizes double; for others run again, as with -m 100:100"
                                  : "");
    return EXIT_IMPOSSIBLE;
}
