/* Tests what is known of the computer: the CPUs that --bind gives, on computers that hwloc makes
 * up, and the governors, in a folder that stands for the root. */
#include "tools/kport/computer/computer.h"
#include "tools/kport/computer/look.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
    const char *topology, *lists[COMPUTER_PARTS]; /* of cores, sockets, NUMA nodes and CPUs */
} computers[] = {
    {"pack:1 core:2 pu:1", {"0;1", "0-1", "0-1", "0;1"}},
    {"pack:2 numa:1 core:2 pu:2", {"0-1;2-3;4-5;6-7", "0-3;4-7", "0-3;4-7", "0;1;2;3;4;5;6;7"}},
    {"pack:1 numa:2 core:2 pu:1", {"0;1;2;3", "0-3", "0-1;2-3", "0;1;2;3"}},
    /* The system's numbers of a core's hardware threads are often far apart. */
    {"pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)",
     {"0,4;1,5;2,6;3,7", "0-1,4-5;2-3,6-7", "0-7", "0;4;1;5;2;6;3;7"}},
    /* Two nodes have the same CPUs, as nodes of fast and of large memory have. */
    {"pack:2 [numa] [numa] core:1 pu:2", {"0-1;2-3", "0-1;2-3", "0-1;2-3", "0;1;2;3"}},
    {"core:2 pu:1", {"0;1", "", "0-1", "0;1"}}, /* it has no socket */
};

/* Returns the first part whose lists are wrong, or COMPUTER_PARTS. */
static int wrong_part(size_t i)
{
    int part = 0;
    setenv("HWLOC_SYNTHETIC", computers[i].topology, 1);
    for (; part < COMPUTER_PARTS; part++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        const int count = computer_list((enum computer_part)part, out);
        fclose(out);
        int lists = *text != '\0';
        for (const char *at = text; (at = strchr(at, ';')); at++)
            lists++;
        const bool right = strcmp(text, computers[i].lists[part]) == 0 && lists == count;
        if (!right)
            fprintf(stderr, "%s: part %d is \"%s\"\n", computers[i].topology, part, text);
        free(text);
        if (!right)
            break;
    }
    return part;
}

/* hwloc looks once in a process, so each computer gets one. */
static void each_part_has_its_cpus(void **state)
{
    (void)state;
    if (computer_look()->missing)
        skip();
    for (size_t i = 0; i < sizeof computers / sizeof computers[0]; i++) {
        int status = 0;
        char *const again[] = {(char *)"test_computer", (char[]){(char)('0' + i), '\0'}, NULL};
        const pid_t child = fork();
        if (child == 0) {
            execv("/proc/self/exe", again);
            _exit(127);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), COMPUTER_PARTS);
    }
}

static void make(const char *root, const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    if (!text) {
        assert_int_equal(mkdir(whole, 0700), 0);
        return;
    }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void remove_all(const char *root)
{
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    assert_int_equal(system(command), 0);
}

static void each_governor_is_told_once(void **state)
{
    static const char *const governors[] = {"power\n", "powersave\n", "power\n", "schedutil\n"};
    char root[] = "/tmp/kport_test_computer_XXXXXX", path[96], text[64];
    (void)state;
    assert_non_null(mkdtemp(root));
    setenv("HWLOC_FSROOT", root, 1);
    computer_governor(text, sizeof text);
    assert_string_equal(text, "");
    static const char *const folders[] = {"/sys", "/sys/devices", "/sys/devices/system",
                                          "/sys/devices/system/cpu"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        make(root, folders[i], NULL);
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d", i);
        make(root, path, NULL);
        strcat(path, "/cpufreq");
        make(root, path, NULL);
        strcat(path, "/scaling_governor");
        make(root, path, governors[i]);
    }
    computer_governor(text, sizeof text);
    unsetenv("HWLOC_FSROOT");
    remove_all(root);
    assert_string_equal(text, "power, powersave, schedutil");
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_has_its_cpus),
        cmocka_unit_test(each_governor_is_told_once),
    };
    if (count > 1)
        return wrong_part((size_t)(arguments[1][0] - '0'));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
