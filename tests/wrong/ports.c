/* Ports: calls of kp_exchange and kp_send_recv that break the port rule, or whose sender and
 * receiver disagree. */
#include "wrong.h"

#include <stddef.h>
#include <string.h>

#define ONE       sizeof here->mine
#define TWO_PORTS MACHINE(.ports = 2)
/* TO describes a message to send, FROM a message to receive. */
#define TO(port_, peer_)                                                                           \
    {                                                                                              \
        .port = (port_), .peer = (peer_), .data = &here->mine, .bytes = ONE                        \
    }
#define FROM(port_, peer_)                                                                         \
    {                                                                                              \
        .port = (port_), .peer = (peer_), .data = &here->in[(peer_)&7], .bytes = ONE               \
    }

/* Takes part in a round without sending or receiving. */
static int nothing(member *here)
{
    return kp_exchange(here->world, NULL, 0, NULL, 0);
}

PROGRAM(port_used_twice, "Processor 1 sends two messages by one port.", TWO_PORTS,
        SAYS({"1", KP_EPORT, "P1 | port 0 | twice", WORKS},
             {"others", KP_EPEER, "P1 | port 0", WORKS}))
{
    kp_outgoing out[] = {TO(0, 0), TO(0, 2)};
    return here->me == 1 ? AT(A, kp_exchange(here->world, out, 2, NULL, 0)) : AT(B, nothing(here));
}

PROGRAM(port_beyond_k, "Ports are counted from 0, so with two of them there is no port 2.",
        TWO_PORTS,
        SAYS({"0", KP_EPORT, "P0 | port is 2/port 2", WORKS},
             {"others", KP_EPEER, "P0 | port is 2/port 2", WORKS}))
{
    kp_outgoing out[] = {TO(2, 3)};
    return here->me == 0 ? AT(A, kp_exchange(here->world, out, 1, NULL, 0)) : AT(B, nothing(here));
}

PROGRAM(port_below_zero, "There is no port -1.", TWO_PORTS,
        SAYS({"3", KP_EPORT, "P3 | port is -1/port -1", WORKS}, {"others", KP_EPEER, "P3", WORKS}))
{
    kp_outgoing out[] = {TO(-1, 0)};
    return here->me == 3 ? AT(A, kp_exchange(here->world, out, 1, NULL, 0)) : AT(B, nothing(here));
}

PROGRAM(more_messages_than_ports, "Three messages in one round with two ports.", TWO_PORTS,
        SAYS({"0", TELLING, "P0 | 3 | 2", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    kp_outgoing out[] = {TO(0, 1), TO(1, 2), TO(2, 3)};
    return here->me == 0 ? AT(A, kp_exchange(here->world, out, 3, NULL, 0)) : AT(B, nothing(here));
}

PROGRAM(more_receives_than_ports, "Processor 0 expects three messages with two ports.", TWO_PORTS,
        SAYS({"0", TELLING, "P0 | 3 | 2", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    kp_outgoing out[] = {TO(0, 0)};
    kp_incoming in[] = {FROM(0, 1), FROM(0, 2), FROM(0, 3)};
    if (here->me == 0)
        return AT(A, kp_exchange(here->world, NULL, 0, in, 3));
    return AT(B, kp_exchange(here->world, out, 1, NULL, 0));
}

PROGRAM(one_of_two_taken, "Two messages to the same receiver in a round, which takes one of them.",
        TWO_PORTS,
        SAYS({"2", KP_EUNTAKEN, "P2 | P1 | port 1", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 1), TO(1, 1)};
    kp_incoming in[] = {FROM(0, 2)};
    (void)heard(here,
                AT(A, kp_exchange(here->world, out, here->me == 2 ? 2 : 0, in, here->me == 1)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return 0;
}

PROGRAM(sent_to_oneself, "A message to oneself is none.", TWO_PORTS,
        SAYS({"1", TELLING, "P1", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    return here->me == 1 ? AT(A, kp_exchange(here->world, out, 1, NULL, 0)) : AT(B, nothing(here));
}

PROGRAM(peer_beyond_the_group, "The right neighbour of the last processor was not taken modulo n.",
        SAYS({"3", TELLING, "P3 | 4", WORKS}, {"others", KP_EPEER, "P3 | 4", WORKS}))
{
    kp_outgoing out[] = {TO(0, here->me + 1)};
    kp_incoming in[] = {FROM(0, (here->me + 3) % 4)};
    return AT(A, kp_exchange(here->world, out, 1, in, 1));
}

PROGRAM(peer_below_zero, "The left neighbour of processor 0 was not taken modulo n.",
        SAYS({"0", TELLING, "P0 | -1", WORKS}, {"others", KP_EPEER, "P0 | -1", WORKS}))
{
    kp_outgoing out[] = {TO(0, (here->me + 1) % 4)};
    kp_incoming in[] = {FROM(0, here->me - 1)};
    return AT(A, kp_exchange(here->world, out, 1, in, 1));
}

PROGRAM(processor_for_rank, "In a group of two the peer is given by its processor, not its rank.",
        SAYS({"2", TELLING, "P2 | 3", WORKS}, {"3", TELLING, "P3 | 2", WORKS},
             {"others", KP_OK, NULL, WORKS}))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : JOIN(2, 3);
    kp_outgoing out[] = {TO(0, (here->me ^ 1))};
    kp_incoming in[] = {FROM(0, (here->me ^ 1))};
    return AT(A, kp_exchange(pair, out, 1, in, 1));
}

PROGRAM(received_twice, "Processor 1 takes one message in two places.", TWO_PORTS,
        SAYS({"1", TELLING, "P1 | P0/peer 0/rank 0 | second/twice", WORKS},
             {"others", KP_EPEER, "P1", WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    kp_incoming in[] = {FROM(0, 0), {.port = 0, .peer = 0, .data = &here->all[3], .bytes = ONE}};
    if (here->me == 1)
        return AT(A, kp_exchange(here->world, NULL, 0, in, 2));
    return AT(B, kp_exchange(here->world, out, here->me == 0, NULL, 0));
}

PROGRAM(nobody_sent, "Processor 1 expects a message from one that sends to nobody.",
        SAYS({"1", KP_EMISSING, "P1 | P0 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_incoming in[] = {FROM(0, 0)};
    return AT(A, kp_exchange(here->world, NULL, 0, in, here->me == 1));
}

PROGRAM(sent_to_another, "Processor 0 sends to 2; processor 1 expects the message.",
        SAYS({"1", KP_EMISSING, "P1 | P0 | port 0", WORKS},
             {"0", KP_EUNTAKEN, "P0 | P2 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 2)};
    kp_incoming in[] = {FROM(0, 0)};
    (void)heard(here, AT(A, kp_exchange(here->world, out, here->me == 0, in, here->me == 1)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return 0;
}

PROGRAM(never_taken, "Nobody takes the message of processor 3.",
        SAYS({"3", KP_EUNTAKEN, "P3 | P1 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    int status = AT(A, kp_exchange(here->world, out, here->me == 3, NULL, 0));
    return status ? status : AT(B, kp_exchange(here->world, NULL, 0, NULL, 0));
}

PROGRAM(never_taken_before_a_collective, "The message is not taken, and the next call is a sum.",
        SAYS({"3", KP_EUNTAKEN, "P3 | P1 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    int one = 1, sum = 0;
    int status = AT(A, kp_exchange(here->world, out, here->me == 3, NULL, 0));
    if (status == 0)
        status = AT(B, kp_allreduce(here->world, &one, &sum, 1, KP_INT32, KP_SUM, NULL));
    return sum == 4 ? status : WRONG_DATA;
}

PROGRAM(port_of_the_receiver, "The receiver gives its own port where the sender's is wanted.",
        TWO_PORTS,
        SAYS({"1", KP_EMISSING, "P1 | P0 | port 1", WORKS},
             {"0", KP_EUNTAKEN, "P0 | P1 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    kp_incoming in[] = {FROM(1, 0)};
    (void)heard(here, AT(A, kp_exchange(here->world, out, here->me == 0, in, here->me == 1)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return 0;
}

PROGRAM(another_length, "Processor 1 sends four bytes, processor 2 expects eight.",
        SAYS({"2", KP_ELENGTH, "P1 | P2 | 4 | 8 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {TO(0, 2)};
    kp_incoming in[] = {{.peer = 1, .data = here->in, .bytes = 8}};
    (void)heard(here, AT(A, kp_exchange(here->world, out, here->me == 1, in, here->me == 2)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return here->in[0] != 0 ? WRONG_DATA : 0;
}

PROGRAM(more_than_the_capacity, "A message of sixteen bytes for a place of eight.",
        SAYS({"2", KP_ELENGTH, "P1 | P2 | 16 | 8 | port 0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_outgoing out[] = {{.peer = 2, .data = here->out, .bytes = 16}};
    kp_incoming in[] = {{.peer = 1, .data = here->in, .bytes = 8, .up_to = 1}};
    (void)heard(here, AT(A, kp_exchange(here->world, out, here->me == 1, in, here->me == 2)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return here->in[0] != 0 ? WRONG_DATA : 0;
}

PROGRAM(messages_below_zero, "The number of messages is -1.",
        SAYS({"0", TELLING, "-1", WORKS}, {"others", KP_EPEER, "P0 | -1", WORKS}))
{
    return AT(A, kp_exchange(here->world, NULL, here->me == 0 ? -1 : 0, NULL, 0));
}

PROGRAM(no_messages_there, "One message is said to be there, but the array is NULL.",
        SAYS({"0", KP_EARGUMENT, "NULL/null", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    return AT(A, kp_exchange(here->world, NULL, here->me == 0 ? 1 : 0, NULL, 0));
}

PROGRAM(two_senders, "Processors 0 and 1 both send to 2 by kp_send_recv, which takes one message.",
        SAYS({"1", KP_EUNTAKEN, "P1 | P2", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    int to = here->me < 2 ? 2 : -1, from = here->me == 2 ? 0 : -1;
    (void)heard(here, AT(A, kp_send_recv(here->world, &here->mine, ONE, to, here->in, ONE, from)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return 0;
}

PROGRAM(shift_that_stops, "A shift to the right, but processor 2 thinks that it is the last one.",
        SAYS({"3", KP_EMISSING, "P3 | P2", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    int to = here->me >= 2 ? -1 : here->me + 1, from = here->me - 1;
    return AT(A, kp_send_recv(here->world, &here->mine, ONE, to, here->in, ONE, from));
}

PROGRAM(shift_of_other_lengths, "Processor 0 shifts more than its neighbour has room for.",
        SAYS({"1", KP_ELENGTH, "P0 | P1 | 12 | 4", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    size_t bytes = here->me == 0 ? 3 * ONE : ONE;
    int right = (here->me + 1) % 4, left = (here->me + 3) % 4;
    (void)heard(here,
                AT(A, kp_send_recv(here->world, here->out, bytes, right, here->in, ONE, left)));
    (void)heard(here, AT(B, kp_barrier(here->world)));
    return 0;
}

PROGRAM(place_of_two_messages, "Two messages are received into one place.", TWO_PORTS,
        SAYS({"1", KP_EARGUMENT, "overlap", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    kp_outgoing out[] = {TO(0, 1)};
    kp_incoming in[] = {{.peer = 0, .data = here->in, .bytes = ONE},
                        {.peer = 2, .data = here->in, .bytes = ONE}};
    if (here->me == 1)
        return AT(A, kp_exchange(here->world, NULL, 0, in, 2));
    return AT(B, kp_exchange(here->world, out, here->me != 3, NULL, 0));
}

PROGRAM(received_over_what_is_sent, "What comes would be written over what goes.",
        SAYS({"3", KP_EARGUMENT, "overlap", WORKS}, {"others", KP_EPEER, "P3", WORKS}))
{
    int right = (here->me + 1) % 4, left = (here->me + 3) % 4;
    void *in = here->me == 3 ? here->out : here->in;
    return AT(A, kp_send_recv(here->world, here->out, ONE, right, in, ONE, left));
}

PROGRAM(message_of_null, "Four bytes are sent from NULL.",
        SAYS({"0", KP_EARGUMENT, "NULL/null", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    int right = (here->me + 1) % 4, left = (here->me + 3) % 4;
    const void *out = here->me == 0 ? NULL : here->out;
    return AT(A, kp_send_recv(here->world, out, ONE, right, here->in, ONE, left));
}

const wrong_program *const wrong_ports[] = {&program_port_used_twice,
                                            &program_port_beyond_k,
                                            &program_port_below_zero,
                                            &program_more_messages_than_ports,
                                            &program_more_receives_than_ports,
                                            &program_one_of_two_taken,
                                            &program_sent_to_oneself,
                                            &program_peer_beyond_the_group,
                                            &program_peer_below_zero,
                                            &program_processor_for_rank,
                                            &program_received_twice,
                                            &program_nobody_sent,
                                            &program_sent_to_another,
                                            &program_never_taken,
                                            &program_never_taken_before_a_collective,
                                            &program_port_of_the_receiver,
                                            &program_another_length,
                                            &program_more_than_the_capacity,
                                            &program_messages_below_zero,
                                            &program_no_messages_there,
                                            &program_two_senders,
                                            &program_shift_that_stops,
                                            &program_shift_of_other_lengths,
                                            &program_place_of_two_messages,
                                            &program_received_over_what_is_sent,
                                            &program_message_of_null,
                                            NULL};
