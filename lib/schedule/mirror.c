/* Runs a schedule backwards. A scatter run backwards is a gather, for example.
 *
 * The rounds are taken in reverse order. Every message now goes the other way: the former receiver
 * sends the units from the places at which it stored them, and the former sender stores them at the
 * places from which it read them. The outgoing and the incoming buffer exchange their roles. The
 * local moves that followed a round now come before the round, so they become moves of the round
 * before. The reversed schedule is right if the original schedule is right, writes no place twice
 * and moves every block once. */
#include "lib/schedule/builder.h"

static kp_piece turned(kp_piece piece)
{
    static const kp_space other[KP_SPACES] = {
        [KP_OUT] = KP_IN, [KP_IN] = KP_OUT, [KP_SCRATCH] = KP_SCRATCH};
    piece.space = other[piece.space];
    return piece;
}

static void mirror_moves(struct kp_builder *b, const struct kp_schedule *s, int round)
{
    for (int i = kp_schedule_moves(s, b->rank, round) - 1; i >= 0; i--) {
        kp_move move = kp_schedule_move(s, b->rank, round, i);
        kp_build_move(b, turned(move.to), turned(move.from));
    }
}

static void mirror_pieces(struct kp_builder *b, const kp_message *message)
{
    for (int i = 0; i < message->piece_count; i++)
        kp_build_piece(b, turned(message->pieces[i]));
}

static void mirror_round(struct kp_builder *b, const struct kp_schedule *s, int round)
{
    for (int i = 0; i < kp_schedule_receives(s, b->rank, round); i++) {
        kp_message in = kp_schedule_receive(s, b->rank, round, i);
        kp_build_send(b, in.port, in.peer);
        mirror_pieces(b, &in);
    }
    for (int i = 0; i < kp_schedule_sends(s, b->rank, round); i++) {
        kp_message out = kp_schedule_send(s, b->rank, round, i);
        kp_build_receive(b, out.port, out.peer);
        mirror_pieces(b, &out);
    }
}

void kp_mirror_processor(struct kp_builder *b, const struct kp_schedule *s)
{
    kp_build_scratch(b, kp_schedule_units(s, KP_SCRATCH));
    for (int round = s->rounds - 1; round >= -1; round--) {
        mirror_moves(b, s, round);
        if (round < 0)
            break;
        kp_build_round(b);
        mirror_round(b, s, round);
    }
}
