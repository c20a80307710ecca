/* A run that fails, with its diagnosis and a trace of what every processor did. */
#include <kport.h>
#include <stdio.h>

static int program(kp_proc *self, void *arg)
{
    (void)arg;
    int status = kp_barrier(kp_world(self));
    if (status == 0 && kp_processor(self) == 1)
        return kp_fail(self, "processor 1 has no more data");
    return status ? status : kp_barrier(kp_world(self));
}

/* kport calls this once for a failure. */
static void tell(const kp_diagnosis *diagnosis, void *arg)
{
    char text[4096];
    size_t length = kp_diagnosis_text(diagnosis, text, sizeof text);
    const char *activity = kp_activity_name(diagnosis->processors[1].activity);
    *(int *)arg += length > 0 && kp_diagnosis_json(diagnosis, text, sizeof text) > 0;
    kp_diagnosis_print(diagnosis, stderr);
    kp_diagnosis_print_json(diagnosis, stderr);
    printf("%s: %s\n", kp_diagnosis_kind_name(diagnosis->kind), diagnosis->error.sentence);
    printf("processor 1 is %s its call\n", activity);
}

int main(int argc, char **argv)
{
    int told = 0;
    kp_trace *trace = NULL;
    kp_machine *machine = NULL;
    int status = kp_trace_create(0, &trace);
    kp_config config = {
        .processors = 3, .trace = trace, .on_failure = tell, .on_failure_arg = &told};
    if (status == 0)
        status = kp_machine_create(&config, &machine);
    if (status == 0 && kp_machine_run(machine, program, NULL, NULL) != KP_EFAILED)
        status = KP_EFAILED;
    if (status == 0)
        status = kp_machine_destroy(machine);
    if (status == 0 && argc > 1)
        status = kp_trace_write(trace, argv[1]);
    if (status == 0)
        printf("told %d time; %d records were lost\n", told, (int)kp_trace_dropped(trace));
    if (status == 0)
        status = kp_trace_free(trace);
    if (status != 0)
        fprintf(stderr, "%s\n", kp_last_error()->sentence);
    return status != 0;
}
