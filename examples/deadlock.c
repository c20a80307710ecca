/* Three processors in a circle, each in a barrier with its right neighbour. None of them can go on.
 * kport detects this deadlock and prints (kp_diagnosis_print) what every processor does. */
#include <kport.h>
#include <kport/diagnosis.h>
#include <stdio.h>

static int program(kp_proc *self, void *unused)
{
    int me = kp_processor(self), right = (me + 1) % 3;
    kp_group *pair;
    (void)unused;
    int status = kp_group_create(self, (int[]){me, right}, 2, &pair);
    return status ? status : kp_barrier(pair);
}

int main(void)
{
    kp_config config = {
        .processors = 3, .on_failure = kp_diagnosis_print, .on_failure_arg = stdout};
    return kp_run(&config, program, NULL, NULL) == KP_EDEADLOCK ? 0 : 1;
}
