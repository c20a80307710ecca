/* Tests what the readers of schedules say about wrong files: where the mistake is, and what may
 * stand there. Each row has a file and the exact sentence. */
#include "tests/common/schedule_common.h"

#include "tools/kport/files/read.h"

typedef bool read_form(struct schedule_file *file, const char *text, size_t size,
                       struct read_where *where);

struct row {
    const char *text;
    const char *said; /* with "*" at its end only the beginning: the rest is jansson's */
    size_t size;      /* 0: up to the final zero */
};

#define HEAD   "kport schedule 1\n"
#define CONCAT HEAD "problem concat:n=4,k=1,b=8\n"
#define ROUND  CONCAT "round 0\n"
#define REDUCE HEAD "problem reduce:n=2,k=1,count=4\n"
#define SPLIT  HEAD "problem broadcast:n=2,k=1,b=8\nunits bytes\n"

/* clang-format off */
static const struct row texts[] = {
    /* The first line, and the problem */
    {"", "line 1: the file ends before its problem", 0},
    {"\n\n# nothing\n", "line 4: the file ends before its problem", 0},
    {"concat", "line 1: a file begins with the line \"kport schedule 1\"", 0},
    {"\xef\xbb\xbfkport schedule 1\n", "line 1: a file begins with the line \"kport schedule 1\"", 0},
    {"\0\0\0", "line 1: a file begins with the line \"kport schedule 1\"", 3},
    {"kport schedule", "line 1: the line ends where the version is expected", 0},
    {"kport schedule 2", "line 1: the version is 2; this kport reads version 1", 0},
    {"kport schedule 1 2", "line 1: \"2\" stands where the end of the line is expected", 0},
    {HEAD, "line 2: the file ends before its problem", 0},
    {HEAD "round 0", "line 2: the line 'problem ...' must stand before the first move and the first round", 0},
    {HEAD "0 -> 1: out[0] -> in[0]", "line 2: a step stands before \"before\" and the first round", 0},
    {HEAD "units bytes", "line 2: units stands before the problem", 0},
    {HEAD "problem", "line 2: the line ends where a problem, as concat:n=4,k=1,b=8, is expected", 0},
    {HEAD "problem concat:n=1000000000,k=1,b=8", "line 2: n is '1000000000'; in a file it may be 1 ... 65536", 0},
    {HEAD "problem concat:n=65537,k=1,b=8", "line 2: n is '65537'; in a file it may be 1 ... 65536", 0},
    {HEAD "problem concat:n=-4,k=1,b=8", "line 2: n is '-4'; in a file it may be 1 ... 65536", 0},
    {HEAD "problem concat:n=4,k=1", "line 2: b is missing, the bytes of a block, as in b=8; it may be a number 0 ... 576460752303423487", 0},
    {HEAD "problem concat:n=4,k=4,b=8", "line 2: k is '4'; with n=4 it may be a number 1 ... 3", 0},
    {HEAD "problem concat:n=4,k=1,b=99999999999999999999", "line 2: b is '99999999999999999999'; it may be a number 0 ... 576460752303423487", 0},
    {HEAD "problem concat:n=4,k=1,b=8,alg=ring", "line 2: alg is given, but the file is the algorithm", 0},
    {HEAD "problem concat:n=4,k=1,b=8,carrier=fibers", "line 2: carrier says how a machine runs the schedule, so it stands behind the name of the file, as in @FILE:carrier=...", 0},
    {HEAD "problem concat:n=4,k=1,b=8,b=8", "line 2: b is there twice; it may be there once", 0},
    {HEAD "problem concat", "line 2: after the operation 'concat' a colon is missing, as in index:n=64,k=2,b=256", 0},
    {HEAD "problem concat:n=4,k=1,b=8\xff", "line 2: \"?\" stands where a shorter word, of printable ASCII, is expected", 0},
    {CONCAT "problem concat:n=4,k=1,b=8", "line 3: problem is there twice", 0},
    /* What stands before the steps */
    {CONCAT "units miles", "line 3: units is \"miles\"; with concat it may be blocks or bytes", 0},
    {CONCAT "units elements", "line 3: units is \"elements\"; with concat it may be blocks or bytes", 0},
    {REDUCE "units bytes", "line 3: units is \"bytes\"; with reduce it may be blocks or elements", 0},
    {HEAD "problem indexv:n=2,k=1,b=8\nunits bytes", "line 3: units is \"bytes\"; with indexv it may be blocks", 0},
    {HEAD "problem concat:n=4,k=1,b=0\nunits bytes", "line 3: units is bytes, but a block has none of them", 0},
    {HEAD "problem concat:n=4,k=1,b=4G\nunits bytes", "line 3: a block has 4294967296 bytes; in a file that splits blocks it may have 2147483648", 0},
    {CONCAT "scratch -1", "line 3: scratch is -1; it may be 0 ... 16777216", 0},
    {CONCAT "scratch 16777217", "line 3: scratch is 16777217; it may be 0 ... 16777216", 0},
    {CONCAT "scratch 1\nscratch 1", "line 4: scratch is there twice", 0},
    {CONCAT "scratch 1\nunits bytes", "line 4: units stands behind scratch, whose size it says", 0},
    {CONCAT "length-bytes 8", "line 3: the blocks of concat have no lengths of their own", 0},
    {CONCAT "padded", "line 3: the blocks of concat have no lengths of their own", 0},
    {HEAD "problem indexv:n=2,k=1,b=8\nlength-bytes 65", "line 3: the bytes that carry a length are 65; they may be 0 ... 64", 0},
    {ROUND "scratch 1", "line 4: scratch stands behind the first step", 0},
    /* Rounds and steps */
    {ROUND "before", "line 4: before is there twice, or behind the first round", 0},
    {CONCAT "round 1", "line 3: round 1 stands where round 0 is expected", 0},
    {ROUND "round 0", "line 4: round 0 stands where round 1 is expected", 0},
    {CONCAT "round x", "line 3: \"x\" stands where a round is expected", 0},
    {CONCAT "rounds 0", "line 3: \"rounds\" stands where a step, round, before, problem, units, scratch, length-bytes or padded is expected", 0},
    {ROUND "0 -> 4: out[0] -> in[0]", "line 4: processor 4; with n=4 it may be 0 ... 3", 0},
    {ROUND "4: out[0] -> in[0]", "line 4: processor 4; with n=4 it may be 0 ... 3", 0},
    {ROUND "0 -> 1: out[0-3] -> in[0]", "line 4: \"-\" stands where \"]\" is expected; a range is in[0..3]", 0},
    {ROUND "0 -> -1: out[0] -> in[0]", "line 4: a processor is -1; it may be 0 ... 65536", 0},
    {ROUND "99999999999999999999 -> 1: out[0] -> in[0]", "line 4: the number for a processor is too large", 0},
    {ROUND "0.99999 -> 1: out[0] -> in[0]", "line 4: a port is 99999; it may be 0 ... 65536", 0},
    {ROUND "0 -> 1 out[0] -> in[0]", "line 4: \"out[0]\" stands where \":\" is expected", 0},
    {ROUND "0 -> 1: out[0] in[0]", "line 4: the line ends where \"->\" is expected", 0},
    {ROUND "0 -> 1: -> in[0]", "line 4: \"->\" stands where out, in or scratch is expected", 0},
    {ROUND "0 -> 1: out[0] ->", "line 4: the line ends where out, in or scratch is expected", 0},
    {ROUND "0 -> 1: out[0] -> in[0] x", "line 4: \"x\" stands where the end of the line is expected", 0},
    {ROUND "0 -> 1: out[0] -> in[0", "line 4: the line ends where \"]\" is expected", 0},
    {ROUND "0 -> 1: out[1] -> in[0]", "line 4: place 1 of out, which has the places 0 ... 0", 0},
    {ROUND "0 -> 1: out[0] -> in[4]", "line 4: place 4 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: out[0] -> in[-1]", "line 4: place -1 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: in[3..2] -> in[0]", "line 4: the last place is 2, which is before the first", 0},
    {ROUND "0 -> 1: in[0..6] -> in[0..6]", "line 4: places 0 ... 6 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: in[2..4] -> in[0..2]", "line 4: places 2 ... 4 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: in[0 by 2 x 3] -> in[0..2]", "line 4: in[0 by 2 x 3] has the places 0 ... 4 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: in[0 by -1 x 2] -> in[0..1]", "line 4: in[0 by -1 x 2] has the places -1 ... 0 of in, which has the places 0 ... 3", 0},
    {ROUND "0 -> 1: in[0..1 by 1 x 2] -> in[0..3]", "line 4: in[0..1 by 1 x 2] names a place twice: the distance is 1; it may be 2 or more", 0},
    {ROUND "0 -> 1: in[0 by 0 x 4] -> in[0..3]", "line 4: in[0 by 0 x 4] names a place twice: the distance is 0; it may be 1 or more", 0},
    {ROUND "0 -> 1: in[0 by 4611686018427387900 x 2] -> in[0]", "line 4: the number for a distance is too large", 0},
    {ROUND "0 -> 1: in[0 by 1 x 400000000000000000] -> in[0]", "line 4: in[0 by 1 x 400000000000000000] is 400000000000000000 times 1 place; there may be 1 or more, and in has 4", 0},
    {ROUND "0 -> 1: in[0 by 1 x 0] -> in[0]", "line 4: in[0 by 1 x 0] is 0 times 1 place; there may be 1 or more, and in has 4", 0},
    {ROUND "0 -> 1: in[0..1] -> in[0]", "line 4: 2 blocks are sent, but there are places for 1", 0},
    {ROUND "0 -> 1: out[0] -> left in[0]", "line 4: concat combines nothing", 0},
    {ROUND "0 -> 1: out[0] -> in[0] with in[1]", "line 4: places stand behind \"with\", but the message combines nothing; it combines with \"left\" or \"right\", as in -> left in[0] with out[0]", 0},
    {REDUCE "round 0\n1 -> 0: out[0] -> left in[0] with out[0] out[0]", "line 4: 2 places stand behind \"with\", but the message is combined into 1; there must be as many", 0},
    {REDUCE "round 0\n1 -> 0: out[0] -> middle in[0]", "line 4: \"middle\" stands where out, in or scratch is expected", 0},
    {ROUND "0: out[0] out[0] -> in[0..1]", "line 4: a move has one piece on each side, and no operands", 0},
    {ROUND "0: in[0..1] -> in[0]", "line 4: 2 blocks are moved, but there are places for 1", 0},
    {CONCAT "scratch 2\nround 0\n0: scratch[2] -> in[0]", "line 5: place 2 of scratch, which has the places 0 ... 1", 0},
    {CONCAT "scratch 0\nround 0\n0: scratch[0] -> in[0]", "line 5: scratch has no places", 0},
    {ROUND "0 -> 1: in[0 by 3 x 3] -> in[0..2]", "line 4: in[0 by 3 x 3] reaches beyond in, which has the places 0 ... 3", 0},
    {CONCAT "before\n0 -> 1: out[0] -> in[0]", "line 4: a message stands before the first round", 0},
    {SPLIT "round 0\n0 -> 1: out[0..8] -> in[0..8]", "line 5: places 0 ... 8 of out, which has the places 0 ... 7", 0},
    {ROUND "0 -> 1: out[0] -> in[0]\0 2 -> 3: out[0] -> in[2]", "line 4: \"?\" stands where the end of the line is expected", sizeof ROUND + 24},
    {ROUND "0 \xe2\x86\x92 1: out[0] -> in[0]", "line 4: \"???\" stands where \":\" is expected", 0},
};

#define OPENED   "{\"format\": \"kport schedule\", \"version\": 1, \"problem\": "
#define JSON     OPENED "{\"operation\": \"concat\", \"n\": 4, \"k\": 1, \"b\": 8}, "
#define STEPS    JSON "\"rounds\": 2, \"steps\": ["
#define MESSAGE  "{\"round\": 0, \"from\": 0, \"from_port\": 0, \"to\": 1, \"to_port\": 0"
#define TAKE     ", \"take\": [{\"space\": \"out\", \"first\": 0}]"
#define ENDS     "]}"

static const struct row jsons[] = {
    /* What is no JSON */
    {"{", "line 1, column 1: string*", 0},
    {"{}x", "line 1, column 3: end of file expected*", 0},
    {"{\"format\": \"\xff\"}", "line 1, column 12: unable to decode byte 0xff*", 0},
    {"{\"format\": 1, \"format\": 2}", "line 1, column 22: duplicate object key*", 0},
    {"{\"version\": 99999999999999999999}", "line 1, column 32: too big integer*", 0},
    {"{\"format\": \"a\\u0000b\"}", "line 1, column 21: *", 0},
    {"{\0}", "line 1, column 2: *", 3},
    /* What stands before the steps */
    {"[]", "an object is expected", 0},
    {"{}", "the key \"format\" is missing", 0},
    {"{\"form\": 1}", "the key \"form\" is unknown; there may be format, version, problem, units, scratch, padded, length_bytes, rounds, steps, comment, $schema", 0},
    {"{\"format\": \"x\", \"version\": 1}", "the format is not \"kport schedule\"", 0},
    {"{\"format\": \"kport schedule\"}", "the key \"version\" is missing", 0},
    {"{\"format\": \"kport schedule\", \"version\": 2}", "the version is 2; this kport reads version 1", 0},
    {"{\"format\": \"kport schedule\", \"version\": \"1\"}", "version: a whole number is expected", 0},
    {"{\"format\": \"kport schedule\", \"version\": 1}", "the key \"problem\" is missing", 0},
    {OPENED "[]}", "problem: an object is expected", 0},
    {OPENED "{}}", "problem: the key \"operation\" is missing", 0},
    {OPENED "{\"operation\": 1}}", "problem: the operation is no text", 0},
    {OPENED "{\"operation\": \"concat\"}}", "problem: n is missing; in a file it may be 1 ... 65536", 0},
    {OPENED "{\"operation\": \"concat\", \"n\": 1000000000, \"k\": 1, \"b\": 8}}", "problem: n is '1000000000'; in a file it may be 1 ... 65536", 0},
    {OPENED "{\"operation\": \"concat\", \"n\": 4.5, \"k\": 1, \"b\": 8}}", "problem: n is '4.5'; in a file it may be 1 ... 65536", 0},
    {OPENED "{\"operation\": \"concat\", \"n\": 4, \"k\": 1, \"b\": 8, \"alg\": \"ring\"}}", "problem: alg is given, but the file is the algorithm", 0},
    {JSON "\"units\": 3}", "units is \"no text\"; with concat it may be blocks or bytes", 0},
    {JSON "\"scratch\": -1}", "scratch: the number is -1; it may be 0 ... 4611686018427387904", 0},
    {JSON "\"scratch\": 1e3}", "scratch: a whole number is expected", 0},
    {JSON "\"scratch\": 99999999999}", "scratch is 99999999999; it may be 0 ... 16777216", 0},
    {JSON "\"padded\": 1}", "padded is neither true nor false", 0},
    {JSON "\"padded\": true}", "the blocks of concat have no lengths of their own", 0},
    {JSON "\"rounds\": 1}", "the key \"steps\" is missing", 0},
    {JSON "\"steps\": []}", "the key \"rounds\" is missing", 0},
    {JSON "\"rounds\": 99999999, \"steps\": []}", "rounds: the number is 99999999; it may be 0 ... 8388608", 0},
    {JSON "\"rounds\": 1, \"steps\": {}}", "steps: a list of steps is expected", 0},
    /* Steps */
    {STEPS "1" ENDS, "steps[0]: an object is expected", 0},
    {STEPS "{}" ENDS, "steps[0]: the key \"round\" is missing", 0},
    {STEPS "{\"round\": 2}" ENDS, "steps[0].round: the number is 2; it may be -1 ... 1", 0},
    {STEPS "{\"round\": 0}" ENDS, "steps[0]: the key \"from\" is missing", 0},
    {STEPS "{\"round\": 0, \"from\": 9}" ENDS, "steps[0].from: the number is 9; it may be 0 ... 3", 0},
    {STEPS "{\"round\": 0, \"from\": true}" ENDS, "steps[0].from: a whole number is expected", 0},
    {STEPS "{\"round\": 0, \"at\": -1}" ENDS, "steps[0].at: the number is -1; it may be 0 ... 3", 0},
    {STEPS "{\"round\": 0, \"at\": 1, \"from\": 1}" ENDS, "steps[0]: the key \"from\" is unknown; there may be round, at, take, combine, put", 0},
    {STEPS MESSAGE "}" ENDS, "steps[0]: the key \"take\" is missing", 0},
    {STEPS MESSAGE TAKE "}" ENDS, "steps[0]: the key \"put\" is missing", 0},
    {STEPS MESSAGE ", \"take\": 1}" ENDS, "steps[0].take: a list of pieces is expected", 0},
    {STEPS MESSAGE ", \"take\": [], \"put\": []}" ENDS, "steps[0]: nothing is sent", 0},
    {STEPS MESSAGE ", \"take\": [{}]}" ENDS, "steps[0].take[0]: the key \"space\" is missing", 0},
    {STEPS MESSAGE ", \"take\": [{\"space\": \"on\"}]}" ENDS, "steps[0].take[0].space: it may be \"out\", \"in\", \"scratch\"", 0},
    {STEPS MESSAGE ", \"take\": [{\"space\": \"out\"}]}" ENDS, "steps[0].take[0]: the key \"first\" is missing", 0},
    {STEPS MESSAGE ", \"take\": [{\"space\": \"in\", \"first\": 0, \"count\": 2}]}" ENDS, "steps[0].take[0]: the key \"stride\" is missing", 0},
    {STEPS MESSAGE ", \"take\": [{\"space\": \"in\", \"first\": 0, \"run\": 0}]}" ENDS, "steps[0].take[0].run: the number is 0; it may be 1 ... 4611686018427387904", 0},
    {STEPS MESSAGE TAKE ", \"put\": [{\"space\": \"in\", \"first\": 0}, {\"space\": \"in\", \"first\": 4}]}" ENDS, "steps[0].put[1]: place 4 of in, which has the places 0 ... 3", 0},
    {STEPS MESSAGE TAKE ", \"combine\": \"up\"}" ENDS, "steps[0].combine: it may be \"left\", \"right\"", 0},
    {STEPS MESSAGE TAKE ", \"combine\": \"left\"}" ENDS, "steps[0]: concat combines nothing", 0},
    {STEPS "{\"round\": 1, \"at\": 0, \"take\": [{\"space\": \"in\", \"first\": 0}], \"put\": [{\"space\": \"in\", \"first\": 1}]}, {\"round\": 0}" ENDS,
     "steps[1].round: the number is 0; it may be 1 ... 1", 0},
};
/* clang-format on */

static void check(read_form *read, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct schedule_file *file = schedule_file_begin("@file");
        struct read_where where = {.text = ""};
        char said[800];
        assert_non_null(file);
        size_t size = rows[i].size ? rows[i].size : strlen(rows[i].text);
        if (read(file, rows[i].text, size, &where))
            fail_msg("accepted: %s", rows[i].text);
        snprintf(said, sizeof said, "%s%s%s", where.text, where.text[0] ? ": " : "", file->why);
        size_t length = strcspn(rows[i].said, "*");
        if (strncmp(said, rows[i].said, length) != 0 || (!rows[i].said[length] && said[length]))
            fail_msg("%s\nsays:   %s\nwanted: %s", rows[i].text, said, rows[i].said);
        schedule_file_free(file);
    }
}

static void a_wrong_text_is_refused_with_its_line(void **state)
{
    (void)state;
    check(read_text, texts, sizeof texts / sizeof texts[0]);
}

static void wrong_json_is_refused_with_its_path(void **state)
{
    (void)state;
    check(read_json, jsons, sizeof jsons / sizeof jsons[0]);
}

/* --- Large files --- */

static char *repeated(const char *head, const char *part, size_t times, const char *tail)
{
    size_t first = strlen(head), length = strlen(part);
    char *text = malloc(first + length * times + strlen(tail) + 1);
    assert_non_null(text);
    memcpy(text, head, first);
    for (size_t i = 0; i < times; i++)
        memcpy(text + first + i * length, part, length);
    memcpy(text + first + times * length, tail, strlen(tail) + 1);
    return text;
}

static void refused(read_form *read, char *text, const char *said)
{
    struct row row = {.text = text, .said = said};
    check(read, &row, 1);
    free(text);
}

/* A small file must not ask for much memory: by many rounds of many processors, by long pieces, or
 * by nesting. */
static void small_files_take_little_memory(void **state)
{
    (void)state;
    struct schedule_file *file = schedule_file_begin("@file");
    assert_non_null(file);
    assert_true(schedule_file_problem(file, "broadcast:n=65536,k=1,b=8"));
    for (int i = 0; i < 512; i++)
        assert_true(schedule_file_round(file));
    assert_false(schedule_file_round(file));
    assert_string_equal(
        file->why, "there are more than 512 rounds, which is the most for n=65536 and this file");
    schedule_file_free(file);
    refused(
        read_text,
        repeated(HEAD "problem broadcast:n=65536,k=1,b=8\n", "round 0\n", 1,
                 "round 1\nround 2\nround 3\nround 4\nround 5\nround 6\nround 7\nround 8\nround "
                 "9\nround 10\nround 11\nround 12\nround 13\nround 14\nround 15\nround 16\n"),
        "line 19: there are more than 16 rounds, which is the most for n=65536 and this file");
    refused(read_json, repeated(JSON, " ", 1000, "\"rounds\": 8388608, \"steps\": []}"),
            "steps: there are more than 298432 rounds, which is the most for n=4 and this file");
    refused(read_text,
            repeated(HEAD "problem concat:n=65536,k=1,b=8\nround 0\n0 -> 1:", " in[0..65535]", 2049,
                     "\n"),
            "line 4: all steps together have more than 134217728 runs");
    refused(read_json, repeated("", "[", 1000000, ""),
            "line 1, column 2049: maximum parsing depth*");
    refused(read_json, repeated("{\"comment\": \"", " ", (size_t)65 << 20, "\"}"),
            "it has 68157455 bytes; JSON may have 67108864");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_text_is_refused_with_its_line),
        cmocka_unit_test(wrong_json_is_refused_with_its_path),
        cmocka_unit_test(small_files_take_little_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
