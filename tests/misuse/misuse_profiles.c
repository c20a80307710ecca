/* Misuse of profiles, and of the predictions that are made from them. */
#include "tests/misuse/misuse.h"

static kp_problem right(void)
{
    return (kp_problem){.operation = KP_INDEX, .n = 4, .k = 1, .b = 8};
}

static int read_nothing(void)
{
    kp_profile *profile;
    return kp_profile_read(NULL, &profile);
}

static int read_nowhere(void)
{
    return kp_profile_read("profile.json", NULL);
}

static int read_missing(void)
{
    kp_profile *profile;
    return kp_profile_read("/nowhere/profile.json", &profile);
}

static int read_folder(void)
{
    kp_profile *profile;
    return kp_profile_read("/", &profile);
}

static int find_nowhere(void)
{
    char text[8];
    return kp_profile_find(NULL, text, sizeof text);
}

static int find_untold(void)
{
    kp_profile *profile;
    return kp_profile_find(&profile, NULL, 8);
}

static int predict_null(void)
{
    return kp_predict(NULL, NULL, NULL, NULL, NULL, NULL);
}

static int predict_impossible(void)
{
    kp_problem problem = right();
    kp_prediction choice;
    problem.k = 4;
    return kp_predict(NULL, NULL, &problem, NULL, NULL, &choice);
}

static int serves_null(void)
{
    return misuse_told(kp_profile_serves(NULL, NULL, NULL) == 0);
}

static int tuned_by_null(void)
{
    char text[8];
    return kp_tuned_by(NULL, text, sizeof text);
}

static int tuned_by_nowhere(struct scene *scene)
{
    return scene->wrong ? kp_tuned_by(scene->group, NULL, 8) : KP_OK;
}

static int no_tuning(void)
{
    kp_machine *machine;
    return kp_machine_create(&(kp_config){.processors = 4, .tuning = (kp_tuning)7}, &machine);
}

const struct misuse misuses_of_profiles[] = {
    {"`kp_profile_read`", "`path` is NULL", KP_EARGUMENT, "path is NULL; it must be a file's name",
     .alone = read_nothing},
    {"`kp_profile_read`", "`profile` is NULL", KP_EARGUMENT,
     "profile is NULL; it must be where the profile goes", .alone = read_nowhere},
    {"`kp_profile_read`", "no such file", KP_EPROFILE,
     "profile /nowhere/profile.json: No such file or directory", .alone = read_missing},
    {"`kp_profile_read`", "a folder", KP_EPROFILE, "profile /: it is a folder; it may be a file",
     .alone = read_folder},
    {"`kp_profile_find`", "`profile` is NULL", KP_EARGUMENT,
     "profile is NULL; it must be where the profile goes", .alone = find_nowhere},
    {"`kp_profile_find`", "`text` is NULL", KP_EARGUMENT,
     "text is NULL; it must be where the sentence goes", .alone = find_untold},
    {"`kp_predict`", "`problem` is NULL", KP_EPROBLEM,
     "the problem is NULL; it must be what kp_problem_parse read", .alone = predict_null},
    {"`kp_predict`", "a problem that cannot be", KP_EPROBLEM, "k is 4; with n=4 it may be 1 ... 3",
     .alone = predict_impossible},
    {"`kp_profile_serves`, which returns 0", "`problem` is NULL", KP_EPROBLEM,
     "the problem is NULL; it must be what kp_problem_parse read", .alone = serves_null},
    {"`kp_tuned_by`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made",
     .alone = tuned_by_null},
    {"`kp_tuned_by`", "`text` is NULL", KP_EARGUMENT,
     "text is NULL; only with a size of 0 it may be NULL", .among = tuned_by_nowhere,
     .others = KP_OK},
    {"`kp_run`, `kp_machine_create`", "`tuning` is none", KP_EARGUMENT,
     "tuning is 7; it may be 0 ... 2", .alone = no_tuning},
    {0},
};
