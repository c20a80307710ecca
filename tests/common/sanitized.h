/* Which sanitizer watches this test. Tests make fewer calls under one, because it slows them down.
 */
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

#endif
