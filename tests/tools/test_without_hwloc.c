/* Tests what a build without hwloc says. without.c is linked in place of look.c, whatever this
 * build has. */
#include "tools/kport/command.h"
#include "tools/kport/computer/computer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WHY "this build lacks hwloc, which knows cores and caches (Meson option hwloc)"

static void the_line_says_what_the_build_lacks(void **state)
{
    char *text;
    size_t length;
    (void)state;
    FILE *out = open_memstream(&text, &length);
    computer_print("# ", out);
    fclose(out);
    assert_non_null(strstr(text, "# computer: " WHY "; governor "));
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    free(text);
    json_t *o = json_object();
    computer_json(o);
    const json_t *computer = json_object_get(o, "computer");
    assert_string_equal(json_string_value(json_object_get(computer, "missing")), WHY);
    assert_non_null(json_object_get(computer, "governor"));
    assert_non_null(json_object_get(computer, "load"));
    assert_non_null(json_object_get(computer, "compiled_with"));
    assert_non_null(json_object_get(computer, "date"));
    assert_non_null(json_object_get(computer, "system"));
    assert_int_equal(json_object_size(computer), 6);
    assert_true(json_is_null(json_object_get(o, "bind")));
    json_decref(o);
}

static void bind_is_refused(void **state)
{
    kp_config config = {.processors = 2};
    char said[256] = "";
    int ends[2], kept = dup(2);
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[1], 2), 2);
    const int status = computer_bind("core", &config);
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    const size_t length = fread(said, 1, sizeof said - 1, in);
    fclose(in);
    assert_true(length > 0);
    assert_int_equal(status, EXIT_IMPOSSIBLE);
    assert_string_equal(said, "kport: --bind is given, but " WHY "\n");
    assert_null(config.cpus);
    assert_int_equal(computer_bind(NULL, &config), EXIT_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_says_what_the_build_lacks),
        cmocka_unit_test(bind_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
