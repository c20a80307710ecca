/* Wrong BSP programs, by name: `wrong NAME`. cases.py says what each must be told. */
#ifdef MULTICORE
#include <mcbsp.h>
#else
#include <bsp.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int x, y, block[16];

static void unregistered(void)
{
    bsp_put(0, &x, &y, 0, sizeof x);
}

static void unregistered_get(void)
{
    bsp_get(0, &y, 0, &x, sizeof x);
}

static void unregistered_hpput(void)
{
    bsp_hpput(0, &x, &y, 0, sizeof x);
}

static void unregistered_hpget(void)
{
    bsp_hpget(0, &y, 0, &x, sizeof x);
}

static void unregistered_direct_get(void)
{
    bsp_direct_get(0, &y, 0, &x, sizeof x);
}

static void negative_block(void)
{
    bsp_push_reg(&y, (size_t)-4);
}

static void null_with_bytes(void)
{
    bsp_push_reg(NULL, sizeof y);
}

static void null_block(void)
{
    bsp_get(0, NULL, 0, &x, sizeof x);
}

static void too_early(void)
{
    bsp_push_reg(&y, sizeof y);
    bsp_put(0, &x, &y, 0, sizeof x);
}

static void popped(void)
{
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_pop_reg(&y);
    bsp_sync();
    bsp_get(0, &y, 0, &x, sizeof x);
}

static void popped_twice(void)
{
    bsp_push_reg(&y, sizeof y);
    bsp_pop_reg(&y);
    bsp_pop_reg(&y);
}

static void pushed_by_some(void)
{
    if (bsp_pid() == 1)
        bsp_push_reg(&y, sizeof y);
    bsp_sync();
}

static void popped_by_some(void)
{
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_pop_reg(&y);
    bsp_sync();
}

static void popped_in_other_order(void)
{
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_sync();
    bsp_pop_reg(bsp_pid() == 1 ? &x : &y);
    bsp_sync();
}

static void beyond(void)
{
    bsp_push_reg(block, bsp_pid() == 1 ? sizeof block / 2 : sizeof block);
    bsp_sync();
    bsp_hpput(1, &x, block, 30, sizeof x);
}

static void register_block(void)
{
    bsp_push_reg(block, sizeof block);
    bsp_sync();
}

static void put_beyond(void)
{
    register_block();
    bsp_put(1, block, block, 4, sizeof block);
}

/* The first one fits. */
static void put_beyond_one(void)
{
    bsp_push_reg(block, bsp_pid() == 1 ? sizeof block / 2 : sizeof block);
    bsp_sync();
    bsp_put(0, &x, block, 30, sizeof x);
    bsp_put(1, &x, block, 30, sizeof x);
}

/* Words that are put fast, one of which does not fit. */
static void put_beyond_words(void)
{
    static uint64_t words[8];
    bsp_push_reg(words, sizeof words);
    bsp_sync();
    for (size_t i = 0; i < 8; i++)
        bsp_put(1, &words[0], words, (3 * i % 8) * sizeof words[0], sizeof words[0]);
    bsp_put(1, &words[0], words, sizeof words - 4, sizeof words[0]);
}

static void hpput_beyond_words(void)
{
    static uint64_t words[8];
    bsp_push_reg(words, sizeof words);
    bsp_sync();
    bsp_hpput(1, &words[0], words, 0, sizeof words[0]);
    bsp_hpput(1, &words[0], words, sizeof words, sizeof words[0]);
}

/* The same put as in the superstep before. */
static void put_after_end(void)
{
    static uint64_t words[2];
    bsp_push_reg(words, sizeof words);
    bsp_sync();
    bsp_put(bsp_pid(), &words[0], words, 8, sizeof words[0]);
    bsp_sync();
    bsp_end();
    bsp_put(0, &words[0], words, 8, sizeof words[0]);
}

static void hpput_after_end(void)
{
    static uint64_t words[2];
    bsp_push_reg(words, sizeof words);
    bsp_sync();
    bsp_hpput(bsp_pid(), &words[0], words, 8, sizeof words[0]);
    bsp_end();
    bsp_hpput(0, &words[0], words, 8, sizeof words[0]);
}

/* There is one more than a program takes. */
static void move_after_end(void)
{
    uint64_t word = 0;
    for (int i = 0; i < 3; i++)
        bsp_send(bsp_pid(), NULL, &word, sizeof word);
    bsp_sync();
    bsp_move(&word, sizeof word);
    bsp_end();
    bsp_move(&word, sizeof word);
}

static void get_beyond(void)
{
    register_block();
    bsp_get(1, block, sizeof block, &x, sizeof x);
}

static void hpget_beyond(void)
{
    register_block();
    bsp_hpget(1, block, SIZE_MAX / 2, &x, sizeof x);
}

static void direct_get_beyond(void)
{
    register_block();
    bsp_direct_get(bsp_pid(), block, 61, &x, sizeof x);
}

static void negative_size(void)
{
    register_block();
    bsp_put(1, &x, block, 0, (size_t)-1);
}

static void no_process_put(void)
{
    register_block();
    bsp_put(-1, &x, block, 0, sizeof x);
}

static void no_process_get(void)
{
    register_block();
    bsp_get(99, block, 0, &x, sizeof x);
}

static void negative_offset(void)
{
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    bsp_get(1, block, (size_t)-4, &x, sizeof x);
}

static void no_part(void)
{
    bsp_push_reg(bsp_pid() == 1 ? NULL : block, bsp_pid() == 1 ? 0 : sizeof block);
    bsp_sync();
    bsp_put(1, &x, block, 0, sizeof x);
}

static void no_process(void)
{
    bsp_send(bsp_nprocs(), NULL, &x, sizeof x);
}

static void sync_missing(void)
{
    if (bsp_pid() != 1)
        bsp_sync();
}

static void ended(void)
{
    if (bsp_pid() == 1)
        exit(7);
    bsp_sync();
}

static void begin_twice(void)
{
    bsp_begin(bsp_nprocs());
}

static void init_late(void)
{
    bsp_init(begin_twice, 0, NULL);
}

static void tag_sizes(void)
{
    size_t size = bsp_pid() == 1 ? 8 : 4;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void tag_size_by_some(void)
{
    size_t size = 0;
    if (bsp_pid() == 1)
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void no_message(void)
{
    bsp_move(&x, sizeof x);
}

/* Those of the superstep before are gone, whether the one after it has something or not. */
static void move_word_of_before(int pushes)
{
    uint64_t word = 1;
    for (int i = 0; i < 3; i++)
        bsp_send(bsp_pid(), NULL, &word, sizeof word);
    bsp_sync();
    if (pushes)
        bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_move(&word, sizeof word);
}

static void message_of_before(void)
{
    move_word_of_before(0);
}

static void message_before_pushes(void)
{
    move_word_of_before(1);
}

static void negative_tag(void)
{
    int size = -1;
    bsp_set_tagsize(&size);
}

static void null_tag_size(void)
{
    bsp_set_tagsize(NULL);
}

static void null_tag(void)
{
    size_t size = 4;
    bsp_set_tagsize(&size);
    bsp_sync();
    bsp_send(0, NULL, &x, sizeof x);
}

static void null_payload(void)
{
    bsp_send(0, NULL, NULL, 3);
}

static void move_to_null(void)
{
    bsp_send(bsp_pid(), NULL, &x, sizeof x);
    bsp_sync();
    bsp_move(NULL, sizeof x);
}

static void hpmove_to_null(void)
{
    void *tag;
    bsp_hpmove(&tag, NULL);
}

static void null_status(void)
{
    bsp_get_tag(NULL, &x);
}

static void null_count(void)
{
    size_t bytes;
    bsp_qsize(NULL, &bytes);
}

static void aborted(void)
{
    if (bsp_pid() == 1)
        bsp_abort("x is %d\n", 42);
    bsp_sync();
}

static void conflict(void)
{
    int mine = bsp_pid(), *place = &block[bsp_pid() == 2 ? 4 : 5];
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    if (bsp_pid() > 0)
        bsp_put(0, bsp_pid() == 2 ? (int[]){9, 9} : &mine, block,
                (size_t)((char *)place - (char *)block),
                bsp_pid() == 2 ? 2 * sizeof mine : sizeof mine);
    bsp_sync();
    if (bsp_pid() == 0)
        printf("%d\n", block[5]);
}

static void conflict_hp(void)
{
    int mine = bsp_pid();
    register_block();
    if (bsp_pid() > 0)
        bsp_hpput(0, &mine, block, 8, sizeof mine);
    bsp_sync();
    if (bsp_pid() == 0)
        printf("%d\n", block[2]);
}

static void same_values(void)
{
    int seven = 7;
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    bsp_put(0, &seven, block, 8, sizeof seven);
    bsp_sync();
}

/* Process 1 does something else for ever. */
static void endless(void)
{
    bsp_sync();
    while (bsp_pid() == 1)
        sleep(1);
    bsp_sync();
}

static void changed(void)
{
    int mine = 1;
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_hpput(0, &mine, block, 0, sizeof mine);
    mine = 2;
    bsp_sync();
}

static void unfinished(void)
{
    int tag_size = 8;
    bsp_push_reg(block, sizeof block);
    bsp_sync();
    bsp_hpput(0, &x, block, 0, sizeof x); /* the first bsp_hpput */
    bsp_put(0, &x, block, 0, sizeof x);
    bsp_get(0, block, 0, &x, sizeof x); /* the first bsp_get */
    bsp_send(0, NULL, &x, sizeof x);    /* the first bsp_send */
    bsp_get(0, block, 0, &x, sizeof x);
    bsp_set_tagsize(&tag_size); /* the first bsp_set_tagsize */
}

static void before(void)
{
    bsp_sync();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"unregistered", unregistered},
    {"unregistered_get", unregistered_get},
    {"unregistered_hpput", unregistered_hpput},
    {"unregistered_hpget", unregistered_hpget},
    {"unregistered_direct_get", unregistered_direct_get},
    {"negative_block", negative_block},
    {"null_with_bytes", null_with_bytes},
    {"null_block", null_block},
    {"too_early", too_early},
    {"popped", popped},
    {"popped_twice", popped_twice},
    {"pushed_by_some", pushed_by_some},
    {"popped_by_some", popped_by_some},
    {"popped_in_other_order", popped_in_other_order},
    {"beyond", beyond},
    {"put_beyond", put_beyond},
    {"put_beyond_one", put_beyond_one},
    {"put_beyond_words", put_beyond_words},
    {"hpput_beyond_words", hpput_beyond_words},
    {"put_after_end", put_after_end},
    {"hpput_after_end", hpput_after_end},
    {"move_after_end", move_after_end},
    {"get_beyond", get_beyond},
    {"hpget_beyond", hpget_beyond},
    {"direct_get_beyond", direct_get_beyond},
    {"negative_size", negative_size},
    {"no_process_put", no_process_put},
    {"no_process_get", no_process_get},
    {"negative_offset", negative_offset},
    {"no_part", no_part},
    {"no_process", no_process},
    {"sync_missing", sync_missing},
    {"ended", ended},
    {"begin_twice", begin_twice},
    {"init_late", init_late},
    {"tag_sizes", tag_sizes},
    {"tag_size_by_some", tag_size_by_some},
    {"no_message", no_message},
    {"message_of_before", message_of_before},
    {"message_before_pushes", message_before_pushes},
    {"negative_tag", negative_tag},
    {"null_tag_size", null_tag_size},
    {"null_tag", null_tag},
    {"null_payload", null_payload},
    {"move_to_null", move_to_null},
    {"hpmove_to_null", hpmove_to_null},
    {"null_status", null_status},
    {"null_count", null_count},
    {"aborted", aborted},
    {"conflict", conflict},
    {"conflict_hp", conflict_hp},
    {"same_values", same_values},
    {"changed", changed},
    {"unfinished", unfinished},
    {"endless", endless},
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "before") == 0)
        before();
    if (argc > 1 && strcmp(argv[1], "no_processes") == 0)
        bsp_begin(0);
    if (argc > 1 &&
        strcmp(argv[1], "numbers") == 0) /* process 0 reads something, the others nothing */
        bsp_begin(getchar() == EOF ? 1 : 2);
    bsp_begin(bsp_nprocs());
    if (argc > 1 && strcmp(argv[1], "no_end") == 0 && bsp_pid() == 1)
        return 0;
    if (argc > 1 && strcmp(argv[1], "begin_again") == 0) {
        bsp_end();
        bsp_begin(bsp_nprocs());
    }
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof cases[0]; i++) {
        if (strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    }
    bsp_end();
    return 0;
}
