/* This header counts the objects that may hold the address of a kp_algorithm: machines, schedules
 * and profiles. While there is one, no registered algorithm can be taken away. */
#ifndef KPORT_LIB_HOLDERS_H
#define KPORT_LIB_HOLDERS_H

/* `kp_holders_enter` counts an object. Its maker calls it before the object looks for algorithms.
 * `kp_holders_leave` is called when the object is freed. `kp_holders` returns the number of
 * objects. Any thread may call these functions. */
void kp_holders_enter(void);
void kp_holders_leave(void);
long kp_holders(void);

#endif
