/* Which message goes to which receive, by the rules of MPI (MPI 4.1, sections 3.2.4 and 3.5). Every
 * member has one of these structures, and only the member's own thread uses it.
 *
 * A receive names a source and a tag. Each of the two may be KP_ANY. A message always names both. A
 * receive that finds no message is posted. A message that finds no posted receive is unexpected,
 * and is kept. A message goes to the receive that was posted first among those that match. A
 * receive takes the message that came first among those that match. Messages of one source come in
 * the order in which they were sent, so matching messages of one source never overtake each other.
 *
 * Both kinds of entries lie in hash tables by source and tag, where KP_ANY is a value like any
 * other. The entries of one source and tag form a list, in the order in which they were kept. So an
 * entry without KP_ANY is found in constant time. A message looks at four lists at most: (source,
 * tag), (source, any), (any, tag) and (any, any). Of the first entries of these lists it takes the
 * one with the smallest order number. A receive with KP_ANY, which no list serves, goes through all
 * unexpected messages in the order in which they came. This header includes no header of the
 * library. */
#ifndef KPORT_PORTS_MESSAGE_MATCHING_H
#define KPORT_PORTS_MESSAGE_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_ANY (-1)

/* One posted receive, or one unexpected message. The caller sets `source` and `tag`. The other
 * fields belong to the tables. */
struct kp_match {
    int source, tag;
    uint64_t order;                  /* in a posted receive: smaller if it was posted earlier */
    struct kp_match *next, *before;  /* the list of entries with the same source and tag */
    struct kp_match *last;           /* in the first entry of such a list: the last entry */
    struct kp_match *chain;          /* in the first entry: the first entry of another list */
    struct kp_match *later, *sooner; /* all unexpected messages, in the order in which they came */
};

#define KP_MATCH_FIRST_BUCKETS 16 /* a power of two */

/* A hash table of such lists. */
struct kp_match_table {
    struct kp_match **buckets; /* NULL: `first` */
    size_t bucket_count;       /* a power of two; 0 if `buckets` is NULL */
    size_t lists;
    struct kp_match *first[KP_MATCH_FIRST_BUCKETS];
};

struct kp_matching {
    struct kp_match_table posted, unexpected;
    struct kp_match *soonest, *latest; /* the first and the last unexpected message */
    uint64_t order;                    /* the number of receives posted so far */
    /* the number of posted receives; those with KP_ANY as source, as tag, and as both */
    size_t posted_count, any_source, any_tag, any_both;
    size_t unexpected_count;
};

/* Frees the tables, but not the entries. An all-zero structure is an empty one. */
void kp_matching_free(struct kp_matching *all);

/* Returns the posted receive that a message from `source` with `tag` goes to, or NULL. */
struct kp_match *kp_matching_receive_for(const struct kp_matching *all, int source, int tag);

/* Does the same, and takes the receive out. */
struct kp_match *kp_matching_take_receive(struct kp_matching *all, int source, int tag);

/* Returns the unexpected message that a receive with `source` and `tag` takes, or NULL. Each of the
 * two may be KP_ANY. */
struct kp_match *kp_matching_message_for(const struct kp_matching *all, int source, int tag);

/* These two functions keep an entry: a receive for which no message has come, or a message for
 * which no receive is posted. */
void kp_matching_post(struct kp_matching *all, struct kp_match *receive);
void kp_matching_keep(struct kp_matching *all, struct kp_match *message);

/* These two functions take out an entry that one of the functions above has returned or kept. */
void kp_matching_unpost(struct kp_matching *all, struct kp_match *receive);
void kp_matching_drop(struct kp_matching *all, struct kp_match *message);

#endif
