/* This header has the points at which a test can stop a thread. tests/carrier/test_arming.c defines
 * the functions below and compiles carrier/fibers_run.c with KP_TEST_POINTS. In the library the
 * points are empty. */
#ifndef KPORT_PORTS_TEST_POINT_H
#define KPORT_PORTS_TEST_POINT_H

#ifdef KP_TEST_POINTS
struct kp_wait_queue;

/* The worker of this queue has counted the queue, and is about to store that it is armed. */
void kp_test_point_arming(const struct kp_wait_queue *queue);

/* A waker has changed the word and seen sleepers, and is about to look at this queue. */
void kp_test_point_waking(const struct kp_wait_queue *queue);

#define KP_TEST_POINT(point, queue) kp_test_point_##point(queue)
#else
#define KP_TEST_POINT(point, queue) ((void)0)
#endif

#endif
