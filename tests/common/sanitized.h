/* Which sanitizer watches this test, and whether lines are counted. Tests make fewer calls under
 * one, and while lines are counted, because both slow them down. */
#ifndef KPORT_TESTS_SANITIZED_H
#define KPORT_TESTS_SANITIZED_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define WATCHES_THREADS true
#else
#define WATCHES_THREADS false
#endif
#ifdef __SANITIZE_ADDRESS__
#define WATCHES_MEMORY true
#else
#define WATCHES_MEMORY false
#endif
#define SANITIZED (WATCHES_THREADS || WATCHES_MEMORY)
#ifdef KPORT_TESTS_COUNTED_EXIT_H
#define LINES_COUNTED true
#else
#define LINES_COUNTED false
#endif

#endif
