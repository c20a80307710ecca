/* A program that kportcc has linked is a shared object, which kportrun can load many times. With an
 * interpreter and an entry point it starts by itself, too. Linkers write no interpreter into a
 * shared object, so this section has its name. */

#if defined(__x86_64__) && defined(__LP64__)
#define INTERPRETER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define INTERPRETER "/lib/ld-linux-aarch64.so.1"
#elif defined(__i386__)
#define INTERPRETER "/lib/ld-linux.so.2"
#elif defined(__ARM_PCS_VFP)
#define INTERPRETER "/lib/ld-linux-armhf.so.3"
#elif defined(__s390x__)
#define INTERPRETER "/lib/ld64.so.1"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define INTERPRETER "/lib64/ld64.so.2"
#elif defined(__riscv_float_abi_double) && __riscv_xlen == 64
#define INTERPRETER "/lib/ld-linux-riscv64-lp64d.so.1"
#else
#error "the name of this system's dynamic linker is not known here"
#endif

__attribute__((section(".interp"), used)) static const char interpreter[] = INTERPRETER;
