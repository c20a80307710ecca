/* Tests files that are first written under another name and then replace an old file. The tests
 * check paths and permissions, and that a failure leaves no part of the new file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/kport/common/new_file.h"

static char before[4096], folder[] = "/tmp/kport-new-file-XXXXXX";

/* Creates an empty folder for a test and enters it. */
static int enter(void **state)
{
    (void)state;
    memcpy(folder + sizeof folder - sizeof "XXXXXX", "XXXXXX", sizeof "XXXXXX");
    return getcwd(before, sizeof before) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    DIR *entries = opendir(".");
    for (struct dirent *e; entries && (e = readdir(entries)) != NULL;) {
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(e->d_name);
    }
    closedir(entries);
    return chdir(before) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static int entries_here(void)
{
    int count = 0;
    DIR *entries = opendir(".");
    assert_non_null(entries);
    while (readdir(entries))
        count++;
    closedir(entries);
    return count - 2;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void expect(const char *path, const char *text, mode_t mode)
{
    char read[64] = "";
    struct stat state;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(read, sizeof read, f));
    fclose(f);
    assert_string_equal(read, text);
    assert_int_equal(stat(path, &state), 0);
    assert_true(S_ISREG(state.st_mode));
    assert_int_equal(state.st_mode & 07777, mode);
}

static void replace(const char *path, const char *text)
{
    struct new_file file;
    if (!new_file_begin(&file, path))
        fail_msg("%s: %s", path, file.why);
    fputs(text, file.out);
    if (!new_file_end(&file, true))
        fail_msg("%s: %s", path, file.why);
}

static void expect_refused(const char *path, const char *why)
{
    struct new_file file;
    int there = entries_here();
    assert_false(new_file_begin(&file, path));
    if (!strstr(file.why, why))
        fail_msg("%s: %s", path, file.why);
    assert_int_equal(entries_here(), there);
}

static void whole_or_not_at_all(void **state)
{
    (void)state;
    struct new_file file;
    umask(027);
    replace("new", "one");
    expect("new", "one", 0640);
    umask(022);
    assert_int_equal(chmod("new", 0604), 0);
    assert_true(new_file_begin(&file, "new"));
    fputs("two", file.out);
    expect("new", "one", 0604);
    assert_int_equal(entries_here(), 2);
    struct stat state_of;
    assert_int_equal(stat(file.name, &state_of), 0);
    assert_int_equal(state_of.st_mode & 07777, 0600);
    assert_true(new_file_end(&file, true));
    expect("new", "two", 0604);
    assert_true(new_file_begin(&file, "new"));
    fputs("three", file.out);
    assert_true(new_file_end(&file, false));
    expect("new", "two", 0604);
    assert_int_equal(entries_here(), 1);
}

/* Two files for the same place must get different names, so that an attacker cannot prepare a link
 * with the next name. */
static void its_name_cannot_be_guessed(void **state)
{
    (void)state;
    struct new_file one, other;
    assert_true(new_file_begin(&one, "place"));
    assert_true(new_file_begin(&other, "place"));
    assert_string_not_equal(one.name, other.name);
    assert_null(strstr(one.name, "XXXXXX"));
    assert_true(new_file_end(&other, true) && new_file_end(&one, true));
    assert_int_equal(entries_here(), 1);
}

static void links_are_followed(void **state)
{
    (void)state;
    char absolute[200];
    put("target", "old");
    assert_int_equal(mkdir("sub", 0700), 0);
    snprintf(absolute, sizeof absolute, "%s/sub/near", folder);
    assert_int_equal(symlink("../target", "sub/near"), 0);
    assert_int_equal(symlink(absolute, "far"), 0);
    replace("far", "new");
    expect("target", "new", 0644);
    char led[200] = "";
    assert_int_equal(readlink("far", led, sizeof led), strlen(absolute));
    assert_int_equal(readlink("sub/near", led, sizeof led), strlen("../target"));
    /* A link to a file that does not exist yet, and a link to itself. */
    assert_int_equal(symlink("later", "sub/ahead"), 0);
    replace("sub/ahead", "now");
    expect("sub/later", "now", 0644);
    assert_int_equal(symlink("round", "round"), 0);
    expect_refused("round", strerror(ELOOP));
    assert_int_equal(unlink("sub/near") | unlink("sub/ahead") | unlink("sub/later"), 0);
}

static void nothing_else_is_replaced(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("pipe", "to-pipe"), 0);
    expect_refused("sub", "it is a folder; it may be a regular file, or a name that is free");
    expect_refused("pipe", "it is no regular file; it may be");
    expect_refused("to-pipe", "it is no regular file");
    expect_refused("/dev/null", "it is no regular file");
    expect_refused("", strerror(ENOENT));
    expect_refused("missing/file", strerror(ENOENT));
    expect_refused("pipe/file", strerror(ENOTDIR));
    char path[400];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    expect_refused(path, strerror(ENAMETOOLONG));
    if (geteuid() == 0)
        return; /* the user root may do everything, so no call is refused */
    put("closed", "mine");
    assert_int_equal(chmod("closed", 0400), 0);
    expect_refused("closed", strerror(EACCES));
    assert_int_equal(chmod("sub", 0500), 0);
    expect_refused("sub/file", strerror(EACCES));
}

static void no_room_leaves_nothing(void **state)
{
    (void)state;
    struct new_file file;
    struct rlimit old, small = {.rlim_cur = 4};
    put("place", "old");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool begun = new_file_begin(&file, "place");
    fputs("too long", file.out);
    bool ended = new_file_end(&file, true);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    assert_true(begun);
    assert_false(ended);
    assert_string_equal(file.why, strerror(EFBIG));
    expect("place", "old", 0644);
    assert_int_equal(entries_here(), 1);
    /* The old file is deleted meanwhile, and a folder gets its name. */
    assert_true(new_file_begin(&file, "place"));
    assert_int_equal(unlink("place"), 0);
    assert_int_equal(mkdir("place", 0700), 0);
    assert_false(new_file_end(&file, true));
    assert_string_equal(file.why, strerror(EISDIR));
    assert_int_equal(entries_here(), 1);
}

static _Atomic int arrived;

static void on_signal(int number)
{
    arrived = number;
}

static void signals_wait(void **state)
{
    (void)state;
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct new_file file;
        signal(numbers[i], on_signal);
        arrived = 0;
        assert_true(new_file_begin(&file, "place"));
        raise(numbers[i]);
        assert_int_equal(arrived, 0);
        assert_true(new_file_end(&file, true));
        assert_int_equal(arrived, numbers[i]);
        signal(numbers[i], SIG_DFL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_or_not_at_all, enter, leave),
        cmocka_unit_test_setup_teardown(its_name_cannot_be_guessed, enter, leave),
        cmocka_unit_test_setup_teardown(links_are_followed, enter, leave),
        cmocka_unit_test_setup_teardown(nothing_else_is_replaced, enter, leave),
        cmocka_unit_test_setup_teardown(no_room_leaves_nothing, enter, leave),
        cmocka_unit_test_setup_teardown(signals_wait, enter, leave),
    };
    umask(022);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
