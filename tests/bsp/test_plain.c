/* BSPlib in a process that kportrun has not started: parallel parts one after the other, on threads
 * that share the process's globals; and functions that are called by pointers. */
#include <bsp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 9

static int processes;
static int got[MOST]; /* of each process: the numbers of all, added up */

static void add_up(void)
{
    bsp_begin(processes);
    const int pid = bsp_pid(), n = bsp_nprocs();
    int numbers[MOST] = {0}, own = pid + 1;
    bsp_push_reg(numbers, sizeof numbers);
    bsp_sync();
    for (int i = 0; i < n; i++)
        bsp_put(i, &own, numbers, (size_t)pid * sizeof own, sizeof own);
    bsp_sync();
    got[pid] = 0;
    for (int i = 0; i < n; i++)
        got[pid] += numbers[i];
    bsp_end();
}

static void test_parts(void **state)
{
    (void)state;
    bsp_init(add_up, 0, NULL);
    for (processes = 1; processes <= MOST; processes++) {
        add_up();
        assert_int_equal(bsp_nprocs(), processes);
        for (int i = 0; i < processes; i++)
            assert_int_equal(got[i], processes * (processes + 1) / 2);
    }
}

/* Each function by its name alone, without the macros' places. */
static void by_pointers(void)
{
    void (*begin)(int) = bsp_begin;
    void (*end)(void) = bsp_end, (*sync)(void) = bsp_sync;
    int (*pid)(void) = bsp_pid;
    double (*seconds)(void) = bsp_time;
    void (*push)(const void *, size_t) = bsp_push_reg, (*pop)(const void *) = bsp_pop_reg;
    void (*put)(int, const void *, void *, size_t, size_t) = bsp_put,
                                                   (*hpput)(int, const void *, void *, size_t,
                                                            size_t) = bsp_hpput;
    void (*get)(int, const void *, size_t, void *,
                size_t) = bsp_get,
                (*hpget)(int, const void *, size_t, void *, size_t) = bsp_hpget,
                (*direct)(int, const void *, size_t, void *, size_t) = bsp_direct_get;
    void (*send)(int, const void *, const void *, size_t) = bsp_send;
    void (*set)(size_t *) = bsp_set_tagsize, (*size)(size_t *, size_t *) = bsp_qsize,
                       (*tag_of)(size_t *, void *) = bsp_get_tag,
                       (*move)(void *, size_t) = bsp_move;
    ptrdiff_t (*hpmove)(void **, void **) = bsp_hpmove;
    size_t tag_bytes = sizeof(int), count = 0, bytes = 0;
    int block[4] = {0}, a, b = 0, c = 0, d = 0, tag = 0;
    void *tag_at, *at;
    begin(2);
    const int me = pid(), other = 1 - me;
    a = 10 + me;
    push(block, sizeof block);
    set(&tag_bytes);
    sync();
    put(other, &a, block, 0, sizeof a);
    hpput(other, &a, block, sizeof a, sizeof a);
    get(other, block, 8, &b, sizeof b);
    hpget(other, block, 8, &c, sizeof c);
    direct(other, block, 8, &d, sizeof d);
    send(other, &a, &a, sizeof a);
    send(other, &a, NULL, 0);
    sync();
    size(&count, &bytes);
    tag_of(&bytes, &tag);
    move(&c, sizeof c);
    got[me] = block[0] == 10 + other && block[1] == 10 + other && b == 0 && d == 0 && count == 2 &&
              bytes == sizeof a && tag == 10 + other && c == 10 + other &&
              hpmove(&tag_at, &at) == 0 && hpmove(&tag_at, &at) == -1 && seconds() >= 0;
    pop(block);
    sync();
    end();
}

static void test_pointers(void **state)
{
    void (*init)(void (*)(void), int, char **) = bsp_init;
    (void)state;
    init(by_pointers, 0, NULL);
    by_pointers();
    assert_true(got[0] && got[1]);
}

/* --- Long puts, and long rows of short ones --- */

#define LONG 200000

static unsigned char byte(int pid, size_t i)
{
    return (unsigned char)(pid * 101 + i * 7 + i / 251);
}

/* Puts [from, to) of `data` to the same place there, in pieces of `piece` bytes. */
static void put_pieces(int other, const unsigned char *data, unsigned char *block, size_t from,
                       size_t to, size_t piece)
{
    for (size_t i = from; i < to; i += piece)
        bsp_put(other, data + i, block, i, i + piece < to ? piece : to - i);
}

static void put_long(void)
{
    bsp_begin(2);
    const int me = bsp_pid(), other = 1 - me;
    unsigned char *block = calloc(LONG, 1), *data = malloc(LONG);
    for (size_t i = 0; i < LONG; i++)
        data[i] = byte(me, i);
    got[me] = 1;
    bsp_push_reg(block, LONG);
    bsp_sync();
    for (size_t piece = 8; piece <= LONG; piece = piece == 8 ? 65535 : piece + 33617) {
        memset(block, 0, LONG);
        bsp_sync();
        bsp_put(other, data, block, 0, 1); /* it lies in the line of the pair */
        put_pieces(other, data, block, 1, LONG, piece);
        memset(data, 0, LONG); /* it has been captured */
        bsp_sync();
        for (size_t i = 0; i < LONG; i++) {
            got[me] = got[me] && block[i] == byte(other, i);
            data[i] = byte(me, i);
        }
    }
    bsp_end();
    free(block);
    free(data);
}

/* More messages of one length than a run can have, between others. */
static void send_long(void)
{
    bsp_begin(2);
    const int me = bsp_pid(), other = 1 - me;
    unsigned char *data = malloc(LONG), *came = malloc(LONG);
    size_t count = 0, bytes = 0;
    for (size_t i = 0; i < LONG; i++)
        data[i] = byte(me, i);
    bsp_send(other, NULL, data, LONG);
    for (uint64_t i = 0; i < LONG; i++)
        bsp_send(other, NULL, &i, i % 1000 == 999 ? 4 : 8);
    bsp_sync();
    bsp_qsize(&count, &bytes);
    got[me] = count == LONG + 1 && bytes == LONG + 8 * LONG - LONG / 1000 * 4;
    bsp_move(came, LONG);
    for (size_t i = 0; i < LONG; i++)
        got[me] = got[me] && came[i] == byte(other, i);
    for (uint64_t i = 0; i < LONG; i++) {
        uint64_t number = 0;
        bsp_move(&number, sizeof number);
        got[me] = got[me] && number == i;
    }
    bsp_end();
    free(data);
    free(came);
}

/* Of 0 bytes, so that no chunk ends their run. */
static void send_nothing(void)
{
    bsp_begin(2);
    size_t count = 0, bytes = 1;
    void *tag, *payload;
    for (int i = 0; i < LONG; i++)
        bsp_send(1 - bsp_pid(), NULL, NULL, 0);
    bsp_sync();
    bsp_qsize(&count, &bytes);
    got[bsp_pid()] = count == LONG && bytes == 0;
    for (int i = 0; i < LONG; i++)
        got[bsp_pid()] = got[bsp_pid()] && bsp_hpmove(&tag, &payload) == 0;
    got[bsp_pid()] = got[bsp_pid()] && bsp_hpmove(&tag, &payload) == -1;
    bsp_end();
}

/* Messages of several lengths, each taken whole, in part, and with more room than it needs. */
static void take_parts(void)
{
    bsp_begin(2);
    static const size_t lengths[] = {8, 16, 4}, rooms[] = {8, 4, 16};
    const uint64_t words[2] = {UINT64_C(0x0102030405060708), UINT64_C(0x1112131415161718)};
    const int me = bsp_pid();
    for (int i = 0; i < 27; i++)
        bsp_send(1 - me, NULL, words, lengths[i / 9]);
    bsp_sync();
    got[me] = 1;
    for (int i = 0; i < 27; i++) {
        const size_t room = rooms[i % 3], sent = lengths[i / 9];
        uint64_t came[2] = {0, 0}, expected[2] = {0, 0};
        bsp_move(came, room);
        memcpy(expected, words, room < sent ? room : sent);
        got[me] = got[me] && memcmp(came, expected, sizeof came) == 0;
    }
    bsp_end();
}

/* A process without a block names those of the others by NULL. */
static void put_by_null(void)
{
    bsp_begin(2);
    const int me = bsp_pid(), seven = 7;
    int block = 0, *own = me == 0 ? NULL : &block;
    bsp_push_reg(own, me == 0 ? 0 : sizeof block);
    bsp_sync();
    if (me == 0)
        bsp_put(1, &seven, own, 0, sizeof seven);
    bsp_sync();
    got[me] = me == 0 || block == 7;
    bsp_pop_reg(own);
    bsp_end();
}

static void run_spmd(void (*spmd)(void))
{
    bsp_init(spmd, 0, NULL);
    spmd();
    assert_true(got[0] && got[1]);
}

static void test_long(void **state)
{
    (void)state;
    run_spmd(put_long);
    run_spmd(send_long);
    run_spmd(send_nothing);
    run_spmd(take_parts);
}

static void test_null(void **state)
{
    (void)state;
    run_spmd(put_by_null);
}

/* A value to all, and to one of them another value in between: that which was put last stays. What
 * is put a second time to one process counts, too. */
static void put_in_order(void)
{
    bsp_begin(2);
    static const size_t lengths[] = {1, 8, 40, 64, 65, 1000};
    const int me = bsp_pid();
    char block[1000] = {0}, values[3][1000];
    for (int i = 0; i < 3; i++)
        memset(values[i], 'a' + i, sizeof values[i]);
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    got[me] = 1;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t bytes = lengths[i];
        if (me == 0) {
            bsp_put(0, values[0], block, 0, bytes);
            bsp_put(1, values[1], block, bytes / 2, bytes - bytes / 2);
            bsp_put(1, values[0], block, 0, bytes);
            bsp_put(0, values[1], block, bytes / 2, bytes - bytes / 2);
            bsp_put(0, values[2], block, 0, bytes);
        }
        bsp_sync();
        for (size_t k = 0; k < bytes; k++)
            got[me] = got[me] && block[k] == (me == 0 ? 'c' : 'a');
    }
    bsp_end();
}

/* In each superstep one of the two puts. What was put before does not come again. */
static void put_in_turn(void)
{
    bsp_begin(2);
    const int me = bsp_pid();
    int block = 0;
    bsp_push_reg(&block, sizeof block);
    bsp_sync();
    got[me] = 1;
    for (int i = 0; i < 8; i++) {
        const int sender = i / 2 % 2, value = 100 + i;
        if (me == sender) {
            bsp_put(1 - me, &value, &block, 0, sizeof value);
            block = -i;
        }
        bsp_sync();
        got[me] = got[me] && block == (me == sender ? -i : value);
    }
    bsp_end();
}

/* The same put in each superstep. From the third one on it goes to another block of the receiver,
 * which the same block of the sender names now. */
static void put_to_new_block(void)
{
    bsp_begin(2);
    const int me = bsp_pid();
    int blocks[2] = {0, 0};
    bsp_push_reg(&blocks[0], sizeof blocks[0]);
    bsp_sync();
    for (int value = 1; value <= 3; value++) {
        if (me == 0)
            bsp_put(1, &value, blocks, 0, sizeof value);
        if (value == 2)
            bsp_push_reg(&blocks[me], sizeof blocks[me]);
        bsp_sync();
    }
    got[me] = me == 0 ? blocks[0] == 0 && blocks[1] == 0 : blocks[0] == 2 && blocks[1] == 3;
    bsp_end();
}

/* The same put again and again, with more and more supersteps in between that have nothing. */
static void put_after_pauses(void)
{
    bsp_begin(2);
    const int me = bsp_pid(), other = 1 - me;
    int block = 0;
    bsp_push_reg(&block, sizeof block);
    bsp_sync();
    got[me] = 1;
    for (int pause = 0; pause < 6; pause++) {
        const int value = 10 * pause + me;
        bsp_put(other, &value, &block, 0, sizeof value);
        bsp_sync();
        got[me] = got[me] && block == 10 * pause + other;
        for (int i = 0; i < pause; i++)
            bsp_sync();
    }
    bsp_end();
}

/* In each superstep another one of many processes puts to all. What the others put before does not
 * come again. */
static void put_by_turns(void)
{
    bsp_begin(MOST);
    const int me = bsp_pid();
    int block[MOST] = {0};
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    got[me] = 1;
    for (int step = 0; step < 3 * MOST; step++) {
        const int sender = step % MOST, value = step + 1;
        for (int to = 0; to < MOST && me == sender; to++)
            bsp_put(to, &value, block, (size_t)sender * sizeof value, sizeof value);
        bsp_sync();
        for (int i = 0; i < MOST; i++)
            got[me] = got[me] && block[i] == (i == sender ? value : 0);
        block[sender] = 0;
    }
    bsp_end();
}

/* Whether one process puts a block to another one in a superstep. */
static int puts_to(int step, int from, int to)
{
    const unsigned drawn = (unsigned)(step * 64 + from * 8 + to + 1) * 2654435761U;
    return (drawn >> 20) % 3 > 0;
}

/* Blocks from some processes to some others, each into a place of its own. A block lies in memory
 * that another one has had, and that no third one may have. */
static void put_to_some(void)
{
    enum {
        BLOCK = 200
    };
    bsp_begin(MOST);
    const int me = bsp_pid();
    char block[MOST * BLOCK], value[BLOCK];
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    got[me] = 1;
    for (int step = 0; step < 100; step++) {
        memset(block, 0, sizeof block);
        memset(value, 1 + (step * MOST + me) % 100, sizeof value);
        for (int to = 0; to < MOST; to++) {
            if (puts_to(step, me, to))
                bsp_put(to, value, block, (size_t)me * BLOCK, BLOCK);
        }
        bsp_sync();
        for (int i = 0; i < MOST * BLOCK; i++) {
            const int from = i / BLOCK, put = puts_to(step, from, me);
            got[me] = got[me] && block[i] == (put ? 1 + (step * MOST + from) % 100 : 0);
        }
    }
    bsp_end();
}

static void test_order(void **state)
{
    (void)state;
    run_spmd(put_to_some);
    for (int i = 0; i < MOST; i++)
        assert_true(got[i]);
    run_spmd(put_by_turns);
    for (int i = 0; i < MOST; i++)
        assert_true(got[i]);
    run_spmd(put_after_pauses);
    run_spmd(put_to_new_block);
    run_spmd(put_in_turn);
    run_spmd(put_in_order);
}

/* Words by the functions that are compiled into the program: to one place in superstep after
 * superstep, with and without others; and to all other places, each at some distance from that of
 * the put before it, and behind that of a much earlier one. */
static void put_words(void)
{
    enum {
        WORDS = 2003, /* a prime number */
        SUPERSTEPS = 6
    };
    bsp_begin(2);
    const int me = bsp_pid(), other = 1 - me;
    uint64_t *block = calloc(WORDS + 1, sizeof *block);
    bsp_push_reg(block, (WORDS + 1) * sizeof *block);
    bsp_sync();
    got[me] = 1;
    for (uint64_t step = 0; step < SUPERSTEPS; step++) {
        uint64_t word = step * WORDS;
        bsp_put(other, &word, block, 0, sizeof word);
        for (size_t i = 1; i <= WORDS && step % 3 == 2; i++) {
            const size_t place = 1 + 3 * i % WORDS;
            word = step * WORDS + place;
            bsp_put(other, &word, block, place * sizeof word, sizeof word);
        }
        bsp_sync();
        got[me] = got[me] && block[0] == step * WORDS;
        for (uint64_t i = 1; i <= WORDS && step % 3 == 2; i++)
            got[me] = got[me] && block[i] == step * WORDS + i;
    }
    bsp_end();
    free(block);
}

/* Words to both processes, which are taken by bsp_move and bsp_hpmove in turn. What is left is
 * asked for in between. */
static void send_words(void)
{
    enum {
        WORDS = 3000
    };
    bsp_begin(2);
    const int me = bsp_pid();
    size_t count, bytes;
    for (uint64_t i = 0; i < 2 * WORDS; i++)
        bsp_send((int)(i % 2), NULL, &i, sizeof i);
    bsp_sync();
    got[me] = 1;
    for (uint64_t i = 0; i < 2 * WORDS; i++) {
        uint64_t word = 0;
        void *tag, *payload;
        bsp_qsize(&count, &bytes);
        got[me] = got[me] && count == 2 * WORDS - i && bytes == count * sizeof word;
        for (int k = 0; k < 6 && i < 2 * WORDS - 1; k++, i++) {
            bsp_move(&word, sizeof word);
            got[me] = got[me] && word == 2 * (i % WORDS) + (uint64_t)me;
        }
        got[me] = got[me] && bsp_hpmove(&tag, &payload) == sizeof word;
        memcpy(&word, payload, sizeof word);
        got[me] = got[me] && word == 2 * (i % WORDS) + (uint64_t)me;
    }
    bsp_qsize(&count, &bytes);
    got[me] = got[me] && count == 0 && bytes == 0;
    bsp_end();
}

/* Three processes put a word to one of them, each to a block of its own and further on in it; then
 * a number of 4 bytes, each to the same place; then a word there: that of process 0 stays. */
static void put_words_to_blocks(void)
{
    bsp_begin(3);
    const int me = bsp_pid(), number = 7;
    const uint64_t words[3] = {1 + UINT64_MAX / 3, 2 + UINT64_MAX / 3, 3 + UINT64_MAX / 3};
    const uint64_t last = ~words[me];
    uint64_t blocks[3][3] = {{0}}, expected[3][3] = {{0}};
    for (int i = 0; i < 3; i++) {
        bsp_push_reg(blocks[i], sizeof blocks[i]);
        expected[i][i] = words[i];
    }
    bsp_sync();
    bsp_put(0, &words[me], blocks[me], (size_t)me * sizeof words[me], sizeof words[me]);
    bsp_sync();
    got[me] = me != 0 || memcmp(blocks, expected, sizeof blocks) == 0;
    bsp_put(0, &number, blocks[0], 0, sizeof number);
    bsp_sync();
    memcpy(expected, &number, sizeof number);
    got[me] = got[me] && (me != 0 || memcmp(blocks, expected, sizeof blocks) == 0);
    bsp_put(0, &last, blocks[0], 0, sizeof last);
    bsp_sync();
    expected[0][0] = last;
    got[me] = got[me] && (me != 0 || memcmp(blocks, expected, sizeof blocks) == 0);
    bsp_end();
}

/* After words by bsp_put, bsp_hpput sends a word and then a longer block to the same place: the
 * block stays, though only the word is captured. */
static void put_block_after_word(void)
{
    bsp_begin(2);
    const int me = bsp_pid(), other = 1 - me;
    const uint64_t words[3] = {11, 12, 13}, longer[2] = {14, 15};
    const uint64_t expected[6] = {11, 12, 0, 0, 14, 15};
    uint64_t block[6] = {0};
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    bsp_sync(); /* bsp_hpput writes at once after a superstep without puts */
    bsp_put(other, &words[0], block, 0, sizeof words[0]);
    bsp_put(other, &words[1], block, sizeof words[0], sizeof words[1]);
    bsp_hpput(other, &words[2], block, 4 * sizeof words[0], sizeof words[2]);
    bsp_hpput(other, longer, block, 4 * sizeof words[0], sizeof longer);
    bsp_sync();
    got[me] = memcmp(block, expected, sizeof block) == 0;
    bsp_end();
}

static void test_words(void **state)
{
    (void)state;
    run_spmd(put_block_after_word);
    run_spmd(put_words_to_blocks);
    run_spmd(put_words);
    run_spmd(send_words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts), cmocka_unit_test(test_pointers), cmocka_unit_test(test_long),
        cmocka_unit_test(test_null),  cmocka_unit_test(test_order),    cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
