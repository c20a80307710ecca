/* What the checker finds wrong in a schedule, and where. The sentence of the error says the same in
 * words; account.h tells what led to it. */
#ifndef KPORT_LIB_FINDING_H
#define KPORT_LIB_FINDING_H

#include "lib/check/replay.h"

enum kp_fault {
    KP_FAULT_PORTS,    /* a message breaks the rules about ports and partners */
    KP_FAULT_UNPAIRED, /* a message has no receive, no send, or two lengths */
    KP_FAULT_EMPTY,    /* a message carries no block */
    KP_FAULT_BUFFER,   /* messages overlap in an eager buffer */
    KP_FAULT_SPACE,  /* a piece lies outside its space, may not be written, or has a wrong length */
    KP_FAULT_EARLY,  /* a place is read before anything has arrived there */
    KP_FAULT_CLASH,  /* a place is read and written in a round, or written twice */
    KP_FAULT_TWICE,  /* an operand is counted twice */
    KP_FAULT_MIXED,  /* operands of different places are combined */
    KP_FAULT_RESULT, /* a block is missing or wrong at the end */
    KP_FAULT_MEMBER, /* a result lacks an operand, or has one too many */
    KP_FAULT_SUM,    /* a result is missing, wrong or combined out of order */
    KP_FAULT_ORDER,  /* processors combine in different orders (same_order) */
    KP_FAULTS
};

/* The steps in which the checker carries out a round. */
enum kp_stage {
    KP_STAGE_RULES,    /* nothing of the round has been carried out */
    KP_STAGE_RECEIVES, /* the receives of lower processors, and those before `index` */
    KP_STAGE_MOVES,    /* all receives, the moves of lower processors, and those before `index` */
};

/* A field that does not apply is -1. */
struct kp_finding {
    enum kp_fault fault;
    enum kp_stage stage;
    int index;   /* the index of the receive or the move at which the check has stopped */
    int message; /* in KP_FAULT_PORTS: the index of the message among the sends or the receives */
    int round, processor, port, peer;
    bool sending; /* true: processor and port are those of a send, else of a receive */
    kp_cell cell; /* a cell of `processor`; KP_NOWHERE if none is concerned */
    size_t at;    /* in KP_FAULT_TWICE and KP_FAULT_MIXED: the index of the cell in the message */
    int member;   /* the processor of an operand that is counted wrongly */
};

/* Does what kp_schedule_check does, and fills in `finding` if it returns KP_ESCHEDULE. */
int kp_schedule_find_fault(const struct kp_schedule *schedule, struct kp_finding *finding);

/* Checks the results of a replay that has carried out all rounds. Returns KP_OK, or sets and
 * returns KP_ESCHEDULE and fills in `finding`. */
int kp_check_result(const struct kp_replay *replay, struct kp_finding *finding);

/* Sets the error that kp_check_result sets for a wrong block in the finding's place. */
void kp_check_refuse_place(const struct kp_replay *replay, struct kp_finding *finding);

#endif
