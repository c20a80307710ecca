/* Tests what a machine over a wire does with messages with tags: it refuses them, and works on.
 * Copies of groups work there. */
#include "tests/message/message_common.h"

static int refused(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self), *copy;
    kp_request *request = NULL;
    const int me = kp_rank(world), n = kp_size(world);
    int64_t values[4] = {0}, value = me;
    int there;
    (void)argument;
    NEED(self, kp_send(world, &value, 8, 0, 1) == KP_EUNSERVED);
    NEED(self, strstr(kp_error(self)->sentence, "KP_CARRIER_MPI") != NULL);
    NEED(self, kp_receive(world, &value, 8, 0, 1, NULL) == KP_EUNSERVED);
    NEED(self, kp_exchange_messages(world, &value, 8, 0, 1, &value, 8, 0, 1, NULL) == KP_EUNSERVED);
    NEED(self, kp_probe(world, 0, 1, NULL) == KP_EUNSERVED);
    NEED(self, kp_probe_now(world, 0, 1, &there, NULL) == KP_EUNSERVED);
    NEED(self, kp_send_start(world, &value, 8, 0, 1, &request) == KP_EUNSERVED && !request);
    NEED(self, kp_receive_start(world, &value, 8, 0, 1, NULL, &request) == KP_EUNSERVED);
    NEED(self, kp_group_dup(world, &copy) == 0 && copy != world && kp_rank(copy) == me);
    for (int i = 0; i < 2; i++) {
        NEED(self, kp_concat(i ? world : copy, &value, values, 8, NULL) == 0);
        NEED(self, values[n - 1] == n - 1);
    }
    return kp_group_free(copy);
}

static void messages_over_a_wire_are_refused(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        kp_report report;
        assert_good(kp_run(&(kp_config){.processors = n}, refused, NULL, &report), &report);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(messages_over_a_wire_are_refused)};
    read_level(argc, argv);
    return cmocka_run_group_tests_name("message_wire", tests, NULL, NULL);
}
