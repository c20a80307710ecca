/* The tests of profiles share this header. It has the text of a profile, in the form in which
 * `kport tune` writes it, and functions that parse profiles and problems. */
#ifndef KPORT_TESTS_PROFILE_COMMON_H
#define KPORT_TESTS_PROFILE_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kport.h>

#include "lib/tune/profile.h"

/* The function `good` returns a sample profile, which is for n = 8 and k = 1. The index takes seven
 * rounds with r = 8, and three rounds with r = 2. For short blocks the built-in model prefers r =
 * 2, while the sample profile says that r = 8 is faster for blocks of 8 bytes. The three %s in the
 * sample stand for the parts of the profile's revision. */

static char text[4096];

static inline const char *good(void)
{
    static const char *const sample =
        "{\"kport_profile\":1,\"stamp\":{\"version\":\"%s\",\"table\":\"%s\",\"machine\":\"%s\"},"
        "\"settings\":[{\"n\":8,\"k\":1,\"carrier\":\"threads\",\"workers\":0,\"rounds\":"
        "\"barrier\","
        "\"beta_us\":2.5,\"tau_us\":1e-3,\"operations\":[{\"operation\":\"index\","
        "\"gamma\":[1,0.5,3],\"b\":[8,1024,4096],\"candidates\":["
        "{\"algorithm\":\"radix\",\"values\":[2],\"us\":[20,40,100]},"
        "{\"algorithm\":\"radix\",\"values\":[8],\"us\":[10,50,80]},"
        "{\"algorithm\":\"pairwise\",\"values\":[],\"us\":[30,null,300]}]}]}]}\n";
    struct kp_revision revision;
    kp_revision_here(&revision);
    int length =
        snprintf(text, sizeof text, sample, revision.version, revision.table, revision.machine);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return text;
}

static inline kp_profile *read_good(void)
{
    kp_profile *profile = NULL;
    const char *whole = good();
    if (kp_profile_parse("sample", whole, strlen(whole), &profile))
        fail_msg("%s", kp_last_error()->sentence);
    return profile;
}

/* A profile of a computer whose caches hold 64 KiB. */
static inline kp_profile *read_small_caches(void)
{
    char whole[6000];
    kp_profile *profile = NULL;
    const char *rest = strstr(good(), ",\"stamp\"");
    snprintf(whole, sizeof whole,
             "{\"kport_profile\":2%.*s,\"thresholds\":{\"eager_of_two\":1024,"
             "\"eager_of_many\":2048,\"eager_crowded\":4096,\"least_part\":8192,"
             "\"past_cache\":65536}}\n",
             (int)strlen(rest) - 2, rest);
    if (kp_profile_parse("small", whole, strlen(whole), &profile))
        fail_msg("%s", kp_last_error()->sentence);
    return profile;
}

static inline kp_problem parse(const char *problem)
{
    kp_problem p;
    assert_int_equal(kp_problem_parse(problem, &p), KP_OK);
    return p;
}

static char folder[64], path[128];

static inline void write_file(const char *name, const char *whole)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(whole, f);
    fclose(f);
}

static inline int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/kport-profile-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"empty", "closed", "kport/profile.json", "kport", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

#endif
