"""What the authors of the wrong programs of wrong.c are told."""

import pathlib

lines = (pathlib.Path(__file__).parent / "wrong.c").read_text().splitlines()


def line_of(mark):
    """The number of the one line of wrong.c that has this mark."""
    (line,) = [i for i, text in enumerate(lines, 1) if mark in text]
    return line


# name: (status, sentence, options); the sentence's places are those of wrong.c
PROCESS = r"process \d: "
CASES = {
    "unregistered": (1, r"bsp_put at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "unregistered_get": (1, r"bsp_get at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "unregistered_hpput": (1, r"bsp_hpput at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "unregistered_hpget": (1, r"bsp_hpget at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "unregistered_direct_get": (1, r"bsp_direct_get at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "negative_block": (1, r"bsp_push_reg at \S+wrong\.c:\d+: size is -4; it may not be negative"),
    "null_with_bytes": (1, r"bsp_push_reg at \S+wrong\.c:\d+: the block is NULL with 4 bytes"),
    "put_beyond": (1, r"bsp_put at \S+wrong\.c:\d+: bytes 4 \.\.\. 67 are out of bounds, as process 1 has registered 64 bytes"),
    "put_beyond_one": (1, r"bsp_put at \S+wrong\.c:\d+: bytes 30 \.\.\. 33 are out of bounds, as process 1 has registered 32 bytes"),
    "put_beyond_words": (1, r"bsp_put at \S+wrong\.c:\d+: bytes 60 \.\.\. 67 are out of bounds, as process 1 has registered 64 bytes"),
    "hpput_beyond_words": (1, r"bsp_hpput at \S+wrong\.c:\d+: bytes 64 \.\.\. 71 are out of bounds, as process 1 has registered 64 bytes"),
    "put_after_end": (1, r"bsp_put at \S+wrong\.c:\d+: was called (before bsp_begin, )?after bsp_end"),
    "hpput_after_end": (1, r"bsp_hpput at \S+wrong\.c:\d+: was called (before bsp_begin, )?after bsp_end"),
    "move_after_end": (1, r"bsp_move at \S+wrong\.c:\d+: was called (before bsp_begin, )?after bsp_end"),
    "get_beyond": (1, r"bsp_get at \S+wrong\.c:\d+: bytes 64 \.\.\. 67 are out of bounds, as process 1 has registered 64 bytes"),
    "hpget_beyond": (1, r"bsp_hpget at \S+wrong\.c:\d+: bytes \d+ \.\.\. \d+ are out of bounds, as process 1 has registered 64 bytes"),
    "direct_get_beyond": (1, r"bsp_direct_get at \S+wrong\.c:\d+: bytes 61 \.\.\. 64 are out of bounds, as process \d has registered 64 bytes"),
    "negative_size": (1, r"bsp_put at \S+wrong\.c:\d+: size is -1; it may not be negative"),
    "no_process_put": (1, r"bsp_put at \S+wrong\.c:\d+: pid is -1; it may be 0 \.\.\. 2"),
    "no_process_get": (1, r"bsp_get at \S+wrong\.c:\d+: pid is 99; it may be 0 \.\.\. 2"),
    "negative_tag": (1, r"bsp_set_tagsize at \S+wrong\.c:\d+: tag_size is -1; it may be 0 \.\.\. \d+"),
    "null_tag_size": (1, r"bsp_set_tagsize at \S+wrong\.c:\d+: tag_size is NULL or no integer of 4 or 8 bytes"),
    "null_tag": (1, r"bsp_send at \S+wrong\.c:\d+: tag is NULL with 4 bytes"),
    "null_payload": (1, r"bsp_send at \S+wrong\.c:\d+: payload is NULL with 3 bytes"),
    "move_to_null": (1, r"bsp_move at \S+wrong\.c:\d+: payload is NULL with 4 bytes"),
    "hpmove_to_null": (1, r"bsp_hpmove at \S+wrong\.c:\d+: payload is NULL"),
    "null_status": (1, r"bsp_get_tag at \S+wrong\.c:\d+: status is NULL or no integer of 4 or 8 bytes"),
    "null_count": (1, r"bsp_qsize at \S+wrong\.c:\d+: messages is NULL or no integer of 4 or 8 bytes"),
    "null_block": (1, r"bsp_get at \S+wrong\.c:\d+: the block is NULL, and this process has registered none"),
    "too_early": (1, r"bsp_put at \S+wrong\.c:\d+: block 0x\w+ is registered in this superstep, and can be used from"),
    "popped": (1, r"bsp_get at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "popped_twice": (1, r"bsp_pop_reg at \S+wrong\.c:\d+: block 0x\w+ is not registered"),
    "pushed_by_some": (1, r"bsp_sync at \S+: numbers of bsp_push_reg in the superstep differ: \d in this process, \d in "
                          r"process \d, there last at \S+wrong\.c:\d+; all"),
    "popped_by_some": (1, r"bsp_sync at \S+: numbers of bsp_pop_reg in the superstep differ: \d in this process, \d in "
                          r"process \d, there last at \S+wrong\.c:\d+; all"),
    "popped_in_other_order": (1, r"bsp_sync at \S+: process \d has taken away other registrations than this process"),
    "beyond": (1, r"bsp_hpput at \S+wrong\.c:\d+: bytes 30 \.\.\. 33 are out of bounds, as process 1 has registered 32 bytes"),
    "negative_offset": (1, r"bsp_get at \S+wrong\.c:\d+: offset is -4; it may not be negative"),
    "no_part": (1, r"bsp_put at \S+wrong\.c:\d+: (?:bytes 0 \.\.\. 3 are out of bounds, as process 1 has registered 0 bytes|"
                   r"block 0x\w+ is not registered)"),
    "no_process": (1, r"bsp_send at \S+wrong\.c:\d+: pid is 3; it may be 0 \.\.\. 2"),
    "sync_missing": (1, r"bsp_\w+ at \S+wrong\.c:\d+: process \d has called bsp_\w+ at \S+wrong\.c:\d+ instead"),
    "ended": (7, r"bsp_pid at \S+wrong\.c:\d+: the program has called exit\(7\) after this call, without bsp_end"),
    "no_end": (1, r"bsp_pid at \S+wrong\.c:\d+: its program has ended after this call, without bsp_end"),
    "begin_twice": (1, r"bsp_begin at \S+wrong\.c:\d+: was called twice"),
    "begin_again": (1, r"bsp_begin at \S+wrong\.c:\d+: was called after bsp_end"),
    "init_late": (1, r"bsp_init at \S+wrong\.c:\d+: was called after bsp_begin"),
    "tag_sizes": (1, r"bsp_sync at \S+wrong\.c:\d+: the lengths of tags differ: \d in this process, \d in process \d"),
    "tag_size_by_some": (1, r"bsp_sync at \S+wrong\.c:\d+: numbers of bsp_set_tagsize in the superstep differ"),
    "no_message": (1, r"bsp_move at \S+wrong\.c:\d+: there is no message to take"),
    "message_of_before": (1, r"bsp_move at \S+wrong\.c:\d+: there is no message to take"),
    "message_before_pushes": (1, r"bsp_move at \S+wrong\.c:\d+: there is no message to take"),
    "aborted": (1, r"bsp_abort at \S+wrong\.c:\d+: x is 42\n"),
    "before": (1, r"bsp_sync at \S+wrong\.c:\d+: was called before bsp_begin"),
    "no_processes": (1, r"bsp_begin at \S+wrong\.c:\d+: processes is 0; it may be 1 \.\.\. 3"),
    "numbers": (1, r"bsp_begin at \S+wrong\.c:\d+: processes is 2 in process 0, and 1 in process 1; without bsp_init all"),
}  # fmt: skip
# With --check, after which the program goes on.
CHECKED = {
    "conflict": r"process 0: bsp_sync at \S+: process 1 \(bsp_put at \S+wrong\.c:\d+\) and process 2 \(bsp_put at "
                r"\S+wrong\.c:\d+\) put different values at the same place in this superstep; that of process 1 stays",
    "conflict_hp": r"process 0: bsp_sync at \S+: process 1 \(bsp_hpput at \S+wrong\.c:\d+\) and process 2 \(bsp_hpput at "
                   r"\S+wrong\.c:\d+\) put different values at the same place in this superstep; that of process 1 stays",
    "changed": r"process 1 has changed what its bsp_hpput at \S+wrong\.c:\d+ sends, before the end of the superstep",
    "unfinished": r"bsp_end at \S+wrong\.c:\d+: no bsp_sync ends the last superstep, so its calls are not done; the first of each "
                  + "kind: " + ", ".join(rf"{call} at \S+wrong\.c:{line_of(f'/* the first {call} */')}"
                                         for call in ("bsp_hpput", "bsp_get", "bsp_send", "bsp_set_tagsize")),
}  # fmt: skip
