/* Tests problem strings. A problem that is written and parsed again must be the same. An invalid
 * string must be refused with a sentence that names the key, its value and the allowed values. */
#include "tests/common/schedule_common.h"

#include "lib/problem/operation.h"

#include <kport/collective.h>
#include <kport/persistent.h>
#include <kport/route.h>

/* --- Valid strings --- */

static void same_problem(const kp_problem *a, const kp_problem *b)
{
    assert_int_equal(a->operation, b->operation);
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->k, b->k);
    assert_int_equal(a->b, b->b);
    assert_ptr_equal(a->algorithm, b->algorithm);
    assert_memory_equal(a->values, b->values, sizeof a->values);
    assert_int_equal(a->rank, b->rank);
    assert_int_equal(a->root, b->root);
    assert_int_equal(a->target, b->target);
    assert_int_equal(a->in_place, b->in_place);
    assert_int_equal(a->per_process, b->per_process);
    assert_int_equal(a->type, b->type);
    assert_ptr_equal(a->op ? a->op : KP_SUM, b->op ? b->op : KP_SUM);
}

static void written_as_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "index:n=64,k=2,b=256,alg=radix,r=4",
        "index:n=64,k=2,b=256,alg=radix",
        "index:n=64,k=2,b=256",
        "index:n=1,k=1,b=0",
        "index:n=1,k=1,b=0,alg=literal,r=2",
        "index:n=2,k=1,b=7,alg=literal,r=2",
        "concat:n=64,k=63,b=1048576",
        "concat:n=15,k=3,b=5,alg=circulant,prefer=c1",
        "concat:n=15,k=3,b=5,alg=circulant,prefer=c2",
        "concat:n=27,k=2,b=1,alg=recursive-doubling",
        "concat:n=3,k=2,b=1,alg=ring",
        "one-to-one:n=9,k=4,b=5,root=3,to=0,alg=torus,packets=4",
        "concat:n=1048575,k=1048574,b=1,alg=gather-broadcast",
        "scan:n=4,k=1,count=3,type=int8,op=maximum,in_place=1",
        "gather:n=12,k=1,b=3,root=1,in_place=1,per_process=4,alg=tree",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char text[160];
        kp_problem problem = parse(texts[i]);
        int length = kp_problem_format(&problem, text, sizeof text);
        assert_string_equal(text, texts[i]);
        assert_int_equal(length, strlen(texts[i]));
    }
}

static void round_trip(const kp_problem *problem)
{
    char text[160];
    assert_true(kp_problem_format(problem, text, sizeof text) < (int)sizeof text);
    kp_problem read = parse(text);
    same_problem(&read, problem);
}

static void read_the_same(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"alltoall:n=64,k=2,b=256,alg=radix,r=4", "index:n=64,k=2,b=256,alg=radix,r=4"},
        {"allgather:n=9,k=2,b=3", "concat:n=9,k=2,b=3"},
        {"index:r=4,alg=radix,b=256,k=2,n=64", "index:n=64,k=2,b=256,alg=radix,r=4"},
        {"index:n=2,b=8", "index:n=2,k=1,b=8"}, /* no other k is possible */
        {"index:n=1,b=8", "index:n=1,k=1,b=8"},
        {"index:n=064,k=02,b=000,alg=radix", "index:n=64,k=2,b=0,alg=radix"},
        /* Numbers with units. */
        {"index:n=4,k=1,b=4K", "index:n=4,k=1,b=4096"},
        {"index:n=4,k=1,b=3M", "index:n=4,k=1,b=3145728"},
        {"index:n=4,k=1,b=1G", "index:n=4,k=1,b=1073741824"},
        {"index:n=4,k=1,b=4k", "index:n=4,k=1,b=4096"},
        {"index:n=1K,k=1,b=0K", "index:n=1024,k=1,b=0"},
        {"scan:n=4,k=1,count=2K", "scan:n=4,k=1,b=16384"},
        {"broadcast:n=4,k=1,b=1M,alg=ring,packets=1K",
         "broadcast:n=4,k=1,b=1M,alg=ring,packets=1024"},
        /* Other names of types and operators. */
        {"scan:n=4,k=1,b=8,type=char,op=max", "scan:n=4,k=1,b=8,type=int8,op=maximum"},
        {"scan:n=4,k=1,b=8,type=int,op=min", "scan:n=4,k=1,b=8,type=int32,op=minimum"},
        {"scan:n=4,k=1,b=8,type=long,op=add", "scan:n=4,k=1,b=8,type=int64,op=sum"},
        {"scan:n=4,k=1,b=8,type=float,op=mul", "scan:n=4,k=1,b=8,type=float32,op=product"},
        {"scan:n=4,k=1,b=8,type=double", "scan:n=4,k=1,b=8,type=float64,op=sum"},
        /* A parameter that only one algorithm has, so the algorithm need not be named. */
        {"concat:n=9,k=2,b=3,prefer=c2", "concat:n=9,k=2,b=3,alg=circulant,prefer=c2"},
        {"index:at_once=2,n=9,k=8,b=3", "index:n=9,k=8,b=3,alg=shared-memory,at_once=2"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        kp_problem a = parse(pairs[i][0]), b = parse(pairs[i][1]);
        same_problem(&a, &b);
        round_trip(&a);
    }
}

static void round_trips(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++)
        for_all_problems(n, 1234567, round_trip);
}

/* A buffer that is too small gets the beginning of the text, with a 0 at its end. The function must
 * return the length of the whole text. */
static void cut(void **state)
{
    (void)state;
    const char *whole = "index:n=64,k=2,b=256,alg=radix,r=4";
    kp_problem problem = parse(whole);
    for (size_t size = 0; size <= strlen(whole) + 1; size++) {
        char text[64];
        memset(text, 'x', sizeof text);
        assert_int_equal(kp_problem_format(&problem, text, size), strlen(whole));
        assert_int_equal(text[size], 'x');
        if (size > 0) {
            assert_int_equal(strlen(text), size - 1);
            assert_memory_equal(text, whole, size - 1);
        }
    }
}

/* --- Invalid strings --- */

struct bad {
    const char *text;
    int status;
    const char *sentence; /* a part of the expected sentence */
};

static const struct bad bad[] = {
    /* Errors in the operation. */
    {"", KP_EPROBLEM, "the operation is ''; it may be index (alltoall), concat (allgather)"},
    {":", KP_EPROBLEM, "the operation is ''"},
    {"index", KP_EPROBLEM, "a colon is missing"},
    {"index,n=4,k=1,b=8", KP_EPROBLEM, "after the operation 'index' a colon is missing"},
    {"sort:n=4,k=1,b=8", KP_EPROBLEM, "the operation is 'sort'; it may be index"},
    {"Index:n=4,k=1,b=8", KP_EPROBLEM, "the operation is 'Index'"},
    {" index:n=4,k=1,b=8", KP_EPROBLEM, "the operation is ' index'"},
    {"indexx:n=4,k=1,b=8", KP_EPROBLEM, "the operation is 'indexx'"},
    {"inde:n=4,k=1,b=8", KP_EPROBLEM, "the operation is 'inde'"},
    {"n=4,k=1,b=8", KP_EPROBLEM, "the operation is 'n=4'"},
    /* Errors in the form of the fields. */
    {"index:", KP_EPROBLEM, "n, k and b are missing; give them as in index:n=4,k=1,b=8"},
    {"index:,", KP_EPROBLEM, "nothing between two commas"},
    {"index:n=4,k=1,b=8,", KP_EPROBLEM, "nothing between two commas, or after the last"},
    {"index:,n=4,k=1,b=8", KP_EPROBLEM, "nothing between two commas"},
    {"index:n=4,,k=1,b=8", KP_EPROBLEM, "nothing between two commas"},
    {"index:n=4 k=1 b=8", KP_EPROBLEM, "n is '4 k=1 b=8'"},
    {"index:n=4,k,b=8", KP_EPROBLEM, "'k' is no field; a field is key=value"},
    {"index:n=4,=1,b=8", KP_EPROBLEM, "'=1' has no key"},
    {"index:n=4,k=,b=8", KP_EPROBLEM, "k is empty"},
    {"index:n=,k=1,b=8", KP_EPROBLEM, "n is empty"},
    {"index:n=4,k=1,b=8,alg=", KP_EPROBLEM, "alg is empty"},
    {"index:n=4,n=4,k=1,b=8", KP_EPROBLEM, "n is there twice"},
    {"index:n=4,k=1,b=8,b=9", KP_EPROBLEM, "b is there twice"},
    {"index:n=4,k=1,b=8,alg=radix,r=2,r=3", KP_EPROBLEM, "r is there twice"},
    {"index:n=4,k=1,b=8,alg=radix,alg=radix", KP_EPROBLEM, "alg is there twice"},
    {"index:n==4,k=1,b=8", KP_EPROBLEM, "n is '=4'; it may be a number 1 ... 1048575"},
    {"index:a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1", KP_EPROBLEM,
     "more than 16 fields"},
    /* Errors in n. */
    {"index:k=1,b=8", KP_EPROBLEM, "n is missing"},
    {"index:n=0,k=1,b=8", KP_EPROBLEM, "n is '0'; it may be a number 1 ... 1048575"},
    {"index:n=1048576,k=1,b=8", KP_EPROBLEM, "n is '1048576'"},
    {"index:n=-4,k=1,b=8", KP_EPROBLEM, "n is '-4'"},
    {"index:n=+4,k=1,b=8", KP_EPROBLEM, "n is '+4'"},
    {"index:n= 4,k=1,b=8", KP_EPROBLEM, "n is ' 4'"},
    {"index:n=4 ,k=1,b=8", KP_EPROBLEM, "n is '4 '"},
    {"index:n=0x4,k=1,b=8", KP_EPROBLEM, "n is '0x4'"},
    {"index:n=4.0,k=1,b=8", KP_EPROBLEM, "n is '4.0'"},
    {"index:n=4e1,k=1,b=8", KP_EPROBLEM, "n is '4e1'"},
    {"index:n=four,k=1,b=8", KP_EPROBLEM, "n is 'four'"},
    {"index:n=18446744073709551617,k=1,b=8", KP_EPROBLEM, "n is '18446744073709551617'"},
    {"index:N=4,k=1,b=8", KP_EPROBLEM, "N is no key of a problem"},
    {"index:n=4, k=1,b=8", KP_EPROBLEM, "a blank stands before \"k\"; there may be none"},
    {"index:n=4,k=1,bytes=8", KP_EPROBLEM, "bytes is no key of a problem"},
    /* Errors in k. */
    {"index:n=4,b=8", KP_EPROBLEM,
     "k is missing, the ports of a processor, as in k=1; with n=4 it may be a number 1 ... 3"},
    {"index:n=4,k=0,b=8", KP_EPROBLEM, "k is '0'; with n=4 it may be a number 1 ... 3"},
    {"index:n=4,k=4,b=8", KP_EPROBLEM, "k is '4'; with n=4 it may be a number 1 ... 3"},
    {"index:n=1,k=2,b=8", KP_EPROBLEM, "k is '2'; with n=1 it may be a number 1 ... 1"},
    {"index:n=2,k=2,b=8", KP_EPROBLEM, "k is '2'; with n=2 it may be a number 1 ... 1"},
    /* Errors in b. */
    {"index:n=4,k=1", KP_EPROBLEM,
     "b is missing, the bytes of a block, as in b=8; it may be a number 0 ..."},
    {"index:n=4,k=1,b=-1", KP_EPROBLEM, "b is '-1'"},
    {"index:n=4,k=1,b=K", KP_EPROBLEM, "b is 'K'"},
    {"index:n=4,k=1,b=8KK", KP_EPROBLEM, "b is '8KK'"},
    {"index:n=4,k=1,b=8K8", KP_EPROBLEM, "b is '8K8'"},
    {"index:n=4,k=1,b=8T", KP_EPROBLEM, "b is '8T'"},
    {"index:n=4,k=1,b=1KB", KP_EPROBLEM,
     "b is '1KB'; it may be a number of bytes 0 ... 576460752303423487, as 1024, 1K or 1M"},
    {"index:n=4,k=1,b=-8K", KP_EPROBLEM, "b is '-8K'"},
    {"index:n=4,k=1,b=17179869184G", KP_EPROBLEM, "b is '17179869184G'"},
    {"index:n=1M,k=1,b=8", KP_EPROBLEM, "n is '1M'; it may be a number 1 ... 1048575"},
    {"index:n=4,k=1,b=9223372036854775807", KP_EPROBLEM, "b is '9223372036854775807'"},
    {"index:n=4,k=1,b=18446744073709551616", KP_EPROBLEM, "b is '18446744073709551616'"},
    {"index:n=1048575,k=1,b=17592186044416", KP_EPROBLEM, "b is '17592186044416'"},
    /* Errors in the algorithm. */
    {"index:n=4,k=1,b=8,alg=bruck", KP_EALGORITHM,
     "alg is 'bruck'; for index it may be radix, literal"},
    {"index:n=4,k=1,b=8,alg=tea2", KP_EALGORITHM,
     "alg is 'tea2', which is an algorithm of concat; for index it may be"},
    {"concat:n=4,k=1,b=8,alg=radix", KP_EALGORITHM,
     "alg is 'radix', which is an algorithm of index; for concat it may be"},
    {"index:n=4,k=1,b=8,alg=Radix", KP_EALGORITHM, "alg is 'Radix'"},
    {"concat:n=6,k=1,b=8,alg=recursive-doubling", KP_EUNSERVED,
     "algorithm recursive-doubling does not serve n=6, k=1; it serves n a power of k + 1"},
    /* Errors in the algorithm's parameters. */
    {"index:n=4,k=1,b=8,r=2", KP_EPROBLEM,
     "r is a parameter of more than one algorithm of index; alg may be radix, literal"},
    {"broadcast:n=4,k=1,b=8,packets=2", KP_EPROBLEM, "alg may be pipelined, circulant, hypercube"},
    {"concat:n=4,k=1,b=8,r=2", KP_EPROBLEM,
     "r is no key of a problem (n, k, b, alg), and no algorithm of concat has such a parameter"},
    {"concat:n=4,k=1,b=8,prefer=c3", KP_EPROBLEM, "prefer is 'c3'; it may be c1 or c2"},
    {"concat:n=4,k=1,b=8,prefer=c1,r=2", KP_EALGORITHM, "r is no parameter of algorithm circulant"},
    {"index:n=4,k=1,b=8,alg=radix,r=1", KP_EPROBLEM,
     "r is '1'; with n=4 it may be a number 2 ... 4"},
    {"index:n=4,k=1,b=8,alg=radix,r=5", KP_EPROBLEM,
     "r is '5'; with n=4 it may be a number 2 ... 4"},
    {"index:n=1,k=1,b=8,alg=radix,r=3", KP_EPROBLEM,
     "r is '3'; with n=1 it may be a number 2 ... 2"},
    {"index:n=4,k=1,b=8,alg=radix,r=0", KP_EPROBLEM, "r is '0'"},
    {"index:n=4,k=1,b=8,alg=radix,r=two", KP_EPROBLEM, "r is 'two'"},
    {"index:n=4,k=1,b=8,alg=radix,prefer=c1", KP_EALGORITHM,
     "prefer is no parameter of algorithm radix, which has r"},
    {"concat:n=4,k=1,b=8,alg=ring,r=2", KP_EALGORITHM,
     "r is no parameter of algorithm ring, which has no parameter"},
    {"concat:n=4,k=1,b=8,alg=circulant,prefer=c3", KP_EPROBLEM,
     "prefer is 'c3'; it may be c1 or c2"},
    {"concat:n=4,k=1,b=8,alg=circulant,prefer=1", KP_EPROBLEM, "prefer is '1'"},
    {"index:n=4,k=1,b=8,q=3", KP_EPROBLEM,
     "q is no key of a problem"}, /* keys that do not exist, and keys of the machine */
    {"index:n=4,k=1,b=8,root=0", KP_EPROBLEM, "root is given, but index has no root"},
    {"scatter:n=4,k=1,b=8,root=4", KP_EPROBLEM, "root is '4'; with n=4 it may be a number 0 ... 3"},
    {"index:n=4,k=1,b=8,per_process=5", KP_EPROBLEM,
     "per_process is '5'; with n=4 it may be a number 0 ... 4"},
    {"index:n=4,k=1,b=8,per_process=3", KP_EPROBLEM, "per_process is 3 and n is 4"},
    {"index:n=4,k=1,b=8,alg=hierarchical", KP_EUNSERVED, "it serves per_process = 2 ... n / 2"},
    {"index:n=4,k=1,b=8,per_process=4,alg=hierarchical", KP_EUNSERVED, "it serves per_process"},
    {"index:n=8,k=1,b=8,per_process=2,alg=hierarchical,r=5", KP_EPROBLEM,
     "r is '5'; with n=8 it may be a number 2 ... 4"},
    {"gather:n=4,k=1,b=8,in_place=2", KP_EPROBLEM, "in_place is '2'; it may be a number 0 ... 1"},
    {"index:n=4,k=1,b=8,count=1", KP_EPROBLEM, "count is given, but index combines nothing"},
    {"index:n=4,k=1,b=8,type=int8", KP_EPROBLEM, "type is given, but index combines nothing"},
    {"index:n=4,k=1,b=8,op=sum", KP_EPROBLEM, "op is given, but index combines nothing"},
    {"scan:n=4,k=1,count=1,b=8", KP_EPROBLEM, "count and b are both given"},
    {"scan:n=4,k=1", KP_EPROBLEM, "b is missing"},
    {"scan:n=4,k=1,b=9,type=int16", KP_EPROBLEM,
     "b is 9; with type int16 and op sum it may be a multiple of 2"},
    {"scan:n=4,k=1,b=8,op=compose", KP_EPROBLEM, "it may be a multiple of 16"},
    {"scan:n=4,k=1,count=x", KP_EPROBLEM, "count is 'x'; it may be a number 0 ..."},
    {"scan:n=4,k=1,count=18446744073709551615", KP_EPROBLEM, "count is '18446744073709551615'"},
    {"scan:n=4,k=1,count=1152921504606846975", KP_EPROBLEM, "count is '1152921504606846975'"},
    {"scan:n=4,k=1,count=1,type=real", KP_EPROBLEM, "type is 'real'; it may be uint8, uint16"},
    {"scan:n=4,k=1,count=1,type=opaque", KP_EPROBLEM, "type is 'opaque'"},
    {"scan:n=4,k=1,count=1,op=plus", KP_EPROBLEM, "op is 'plus'; it may be sum, product"},
    {"scan:n=4,k=1,count=1,op=bit-or", KP_EPROBLEM,
     "op is bit-or, which does not know elements of type float64"},
    {"reduce:n=4,k=1,count=1,op=compose,alg=tree", KP_EUNSERVED,
     "algorithm tree does not serve n=4, k=1; it serves a commutative operator"},
    {"index:n=4,k=1,b=8,group=0", KP_EPROBLEM, "group is kept for later use"},
    {"index:n=4,k=1,b=8,alg=radix,seed=1", KP_EPROBLEM,
     "seed is kept for later use and may not be given yet; kport run has the options --seed S"},
    {"index:n=4,k=1,b=8,carrier=fiber", KP_EPROBLEM, "carrier says on what machine"},
    {"index:n=4,k=1,b=8,workers=2", KP_EPROBLEM, "workers says on what machine"},
};

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kp_problem problem;
        memset(&problem, 0x5a, sizeof problem);
        kp_problem before = problem;
        int status = kp_problem_parse(bad[i].text, &problem);
        const kp_error_record *error = kp_last_error();
        if (status != bad[i].status || error->status != status)
            fail_msg("'%s' gives %d (%s)", bad[i].text, status, error->sentence);
        if (!strstr(error->sentence, bad[i].sentence))
            fail_msg("'%s' gives '%s', not '%s'", bad[i].text, error->sentence, bad[i].sentence);
        assert_memory_equal(&problem, &before, sizeof problem);
    }
    assert_int_equal(kp_problem_parse(NULL, NULL), KP_EPROBLEM);
}

/* Tests the problem string of an algorithm of the caller, and the error of parsing this string. */
static void own_algorithms(void **state)
{
    (void)state;
    kp_algorithm mine = *kp_algorithm_find(KP_INDEX, "radix");
    kp_problem p = {.operation = KP_INDEX, .n = 4, .k = 1, .b = 8, .algorithm = &mine}, read;
    char text[160];
    p.values[0] = 2;
    mine.name = "tea2";
    kp_problem_format(&p, text, sizeof text);
    assert_string_equal(text, "index:n=4,k=1,b=8,alg=tea2,r=2");
    assert_int_equal(kp_problem_parse(text, &read), KP_EALGORITHM);
    assert_non_null(strstr(
        kp_last_error()->sentence,
        "alg is 'tea2', which is an algorithm of concat; for index it may be radix, literal"));
    mine.name = "radix";
    kp_problem_format(&p, text, sizeof text);
    assert_int_equal(kp_problem_parse(text, &read), KP_OK);
    assert_ptr_equal(read.algorithm, kp_algorithm_find(KP_INDEX, "radix"));
}

/* The error sentence must quote only the beginning of a very long word, so that it stays short. */
static void long_words(void **state)
{
    (void)state;
    char text[4096] = "index:n=";
    memset(text + 8, '9', sizeof text - 9);
    text[sizeof text - 1] = '\0';
    kp_problem problem;
    assert_int_equal(kp_problem_parse(text, &problem), KP_EPROBLEM);
    assert_true(strlen(kp_last_error()->sentence) < 200);
}

/* A problem that the caller fills in by hand must be checked like a parsed one. */
static void refused_by_hand(void **state)
{
    (void)state;
    const kp_algorithm *radix = kp_algorithm_find(KP_INDEX, "radix");
    const kp_algorithm *doubling = kp_algorithm_find(KP_CONCAT, "recursive-doubling");
    const struct {
        kp_problem problem;
        int status;
    } rows[] = {
        {{.operation = KP_INDEX, .n = 0, .k = 1}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = -1, .k = 1}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 0}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 4}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 1, .b = SIZE_MAX / 2}, KP_EPROBLEM},
        {{.operation = KP_OPERATIONS, .n = 4, .k = 1}, KP_EPROBLEM},
        {{.operation = KP_CONCAT, .n = 4, .k = 1, .algorithm = radix}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 1, .algorithm = radix, .values = {5}}, KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 1, .algorithm = radix, .values = {2, 1}},
         KP_EPROBLEM},
        {{.operation = KP_INDEX, .n = 4, .k = 1, .values = {2}}, KP_EPROBLEM},
        {{.operation = KP_CONCAT, .n = 6, .k = 1, .algorithm = doubling}, KP_EUNSERVED},
        {{.operation = KP_BARRIER, .n = 4, .k = 1, .b = 1}, KP_EPROBLEM},
        {{.operation = KP_BARRIER, .n = 4, .k = 1, .in_place = 1}, KP_EPROBLEM},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_problem problem = rows[i].problem;
        kp_schedule *schedule = NULL;
        assert_int_equal(kp_tune(&problem, NULL), rows[i].status);
        assert_int_equal(kp_schedule_build(&rows[i].problem, &schedule), rows[i].status);
        assert_true(strlen(kp_last_error()->sentence) > 10);
        assert_null(schedule);
    }
}

/* --- A call's `hints` as text --- */

static void hints_list(void **state)
{
    (void)state;
    kp_hints hints;
    assert_int_equal(kp_hints_parse(KP_INDEX, "radix,r=4", &hints), KP_OK);
    assert_ptr_equal(hints.algorithm, kp_algorithm_find(KP_INDEX, "radix"));
    assert_int_equal(hints.values[0], 4);
    assert_int_equal(kp_hints_parse(KP_CONCAT, "circulant", &hints), KP_OK);
    assert_ptr_equal(hints.algorithm, kp_algorithm_find(KP_CONCAT, "circulant"));
    assert_int_equal(hints.values[0], 0);
    assert_int_equal(kp_hints_parse(KP_CONCAT, "circulant,prefer=c2", &hints), KP_OK);
    assert_int_equal(hints.values[0], 2);
    assert_int_equal(kp_hints_parse(KP_CONCAT, "", &hints), KP_OK);
    assert_null(hints.algorithm);
    static const char *const wrong[] = {"r=4",
                                        "tea2",
                                        "radix,",
                                        "radix,r",
                                        "radix,r=",
                                        "radix,r=0",
                                        "radix,r=-1",
                                        "radix,q=4",
                                        "radix,r=4,r=4",
                                        ",r=4",
                                        "radix,r=4,",
                                        "radix r=4",
                                        "radix,r=99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        if (kp_hints_parse(KP_INDEX, wrong[i], &hints) != KP_EALGORITHM)
            fail_msg("'%s' was read", wrong[i]);
        assert_int_equal(kp_last_error()->status, KP_EALGORITHM);
        assert_true(strlen(kp_last_error()->sentence) > 10);
    }
    assert_int_equal(kp_hints_parse(KP_INDEX, "radix/r=2", &hints), KP_EALGORITHM);
    assert_non_null(strstr(kp_last_error()->sentence, "behind a comma, as in radix,r=2"));
    assert_int_equal(kp_hints_parse(KP_INDEX, NULL, &hints), KP_EALGORITHM);
    assert_int_equal(kp_hints_parse(KP_OPERATIONS, "radix", &hints), KP_EALGORITHM);
}

/* --- The table of algorithms --- */

static void table(void **state)
{
    (void)state;
    int count = 0;
    for (; kp_algorithm_at(count); count++) {
        const kp_algorithm *a = kp_algorithm_at(count);
        assert_ptr_equal(kp_algorithm_find(a->operation, a->name), a);
        assert_non_null(a->summary);
        assert_non_null(a->source);
        assert_true(a->build || a->mirror_of || a->same_schedule_as);
        assert_non_null(a->stated_cost);
        assert_non_null(kp_operation_name(a->operation));
        assert_int_equal(!a->serves, !a->restriction);
    }
    assert_true(count >= 6);
    assert_null(kp_algorithm_at(-1));
    assert_null(kp_algorithm_find(KP_INDEX, "tea2"));
    assert_string_equal(kp_operation_name(KP_CONCAT), "concat");
    assert_null(kp_operation_name(KP_OPERATIONS));
    assert_string_equal(kp_strerror(KP_EPROBLEM), "the problem cannot be");
    assert_string_equal(kp_strerror(17), "unknown status");
}

/* --- The operations, listed once more apart from their rows --- */

static void operations_have_their_arguments(void **state)
{
    static const struct {
        bool root, target, reduces, lengths, no_bytes;
    } expected[KP_OPERATIONS] = {
        [KP_BROADCAST] = {.root = true},
        [KP_SCATTER] = {.root = true},
        [KP_GATHER] = {.root = true},
        [KP_INDEXV] = {.lengths = true},
        [KP_CONCATV] = {.lengths = true},
        [KP_SCATTERV] = {.root = true, .lengths = true},
        [KP_GATHERV] = {.root = true, .lengths = true},
        [KP_REDUCE] = {.root = true, .reduces = true},
        [KP_ALLREDUCE] = {.reduces = true},
        [KP_REDUCE_SCATTER] = {.reduces = true},
        [KP_SCAN] = {.reduces = true},
        [KP_SCAN_EXCLUSIVE] = {.reduces = true},
        [KP_ONE_TO_ONE] = {.root = true, .target = true},
        [KP_REDUCE_SCATTERV] = {.reduces = true, .lengths = true},
        [KP_BARRIER] = {.no_bytes = true},
    };
    (void)state;
    for (int i = 0; i < KP_OPERATIONS; i++) {
        assert_int_equal(kp_operation_has_root(i), expected[i].root);
        assert_int_equal(kp_operation_has_target(i), expected[i].target);
        assert_int_equal(kp_operation_reduces(i), expected[i].reduces);
        assert_int_equal(kp_operation_row(i)->lengths, expected[i].lengths);
        assert_int_equal(kp_operation_row(i)->no_bytes, expected[i].no_bytes);
    }
}

/* --- Former names --- */

static void former_names_still_serve(void **state)
{
    kp_how how;
    (void)state;
    assert_int_equal(kp_how_parse(KP_INDEX, "radix,r=3", &how), KP_OK);
    assert_string_equal(how.algorithm->name, "radix");
    const kp_arguments arguments = {.how = &how};
    const kp_route_how route = {.index = how};
    assert_ptr_equal(arguments.hints, &how);
    assert_int_equal(route.index.values[0], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations_have_their_arguments),
        cmocka_unit_test(former_names_still_serve),
        cmocka_unit_test(written_as_read),
        cmocka_unit_test(read_the_same),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(cut),
        cmocka_unit_test(refused),
        cmocka_unit_test(own_algorithms),
        cmocka_unit_test(long_words),
        cmocka_unit_test(refused_by_hand),
        cmocka_unit_test(hints_list),
        cmocka_unit_test(table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
