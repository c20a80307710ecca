/* Communicators, groups, attributes and topologies.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_COMMUNICATOR_H
#define KPORT_MPI_FACE_COMMUNICATOR_H

KP_MPI(int, Attr_delete, (MPI_Comm comm, int keyval));
KP_MPI(int, Attr_get, (MPI_Comm comm, int keyval, void *attribute_val, int *flag));
KP_MPI(int, Attr_put, (MPI_Comm comm, int keyval, void *attribute_val));
KP_MPI(int, Cart_coords, (MPI_Comm comm, int rank, int maxdims, int coords[]));
KP_MPI(int, Cart_create,
       (MPI_Comm old_comm, int ndims, const int dims[], const int periods[], int reorder,
        MPI_Comm *comm_cart));
KP_MPI(int, Cart_get, (MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]));
KP_MPI(int, Cart_map,
       (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank));
KP_MPI(int, Cart_rank, (MPI_Comm comm, const int coords[], int *rank));
KP_MPI(int, Cart_shift, (MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest));
KP_MPI(int, Cart_sub, (MPI_Comm comm, const int remain_dims[], MPI_Comm *new_comm));
KP_MPI(int, Cartdim_get, (MPI_Comm comm, int *ndims));
KP_MPI(int, Comm_call_errhandler, (MPI_Comm comm, int errorcode));
KP_MPI(int, Comm_compare, (MPI_Comm comm1, MPI_Comm comm2, int *result));
KP_MPI(int, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm));
KP_MPI(int, Comm_create_errhandler,
       (MPI_Comm_errhandler_function * function, MPI_Errhandler *errhandler));
KP_MPI(int, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm));
KP_MPI(int, Comm_create_keyval,
       (MPI_Comm_copy_attr_function * comm_copy_attr_fn,
        MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state));
KP_MPI(int, Comm_delete_attr, (MPI_Comm comm, int comm_keyval));
KP_MPI(int, Comm_disconnect, (MPI_Comm * comm));
KP_MPI(int, Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm));
KP_MPI(int, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm));
KP_MPI(int, Comm_free, (MPI_Comm * comm));
KP_MPI(int, Comm_free_keyval, (int *comm_keyval));
KP_MPI(int, Comm_get_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag));
KP_MPI(int, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler *erhandler));
KP_MPI(int, Comm_get_info, (MPI_Comm comm, MPI_Info *info_used));
KP_MPI(int, Comm_get_name, (MPI_Comm comm, char *comm_name, int *resultlen));
KP_MPI(int, Comm_get_parent, (MPI_Comm * parent));
KP_MPI(int, Comm_group, (MPI_Comm comm, MPI_Group *group));
KP_MPI(int, Comm_idup, (MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request));
KP_MPI(int, Comm_idup_with_info,
       (MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request));
KP_MPI(int, Comm_rank, (MPI_Comm comm, int *rank));
KP_MPI(int, Comm_remote_group, (MPI_Comm comm, MPI_Group *group));
KP_MPI(int, Comm_remote_size, (MPI_Comm comm, int *size));
KP_MPI(int, Comm_set_attr, (MPI_Comm comm, int comm_keyval, void *attribute_val));
KP_MPI(int, Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler errhandler));
KP_MPI(int, Comm_set_info, (MPI_Comm comm, MPI_Info info));
KP_MPI(int, Comm_set_name, (MPI_Comm comm, const char *comm_name));
KP_MPI(int, Comm_size, (MPI_Comm comm, int *size));
KP_MPI(int, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm));
KP_MPI(int, Comm_split_type,
       (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm));
KP_MPI(int, Comm_test_inter, (MPI_Comm comm, int *flag));
KP_MPI(int, Dims_create, (int nnodes, int ndims, int dims[]));
KP_MPI(int, Dist_graph_create,
       (MPI_Comm comm_old, int n, const int nodes[], const int degrees[], const int targets[],
        const int weights[], MPI_Info info, int reorder, MPI_Comm *newcomm));
KP_MPI(int, Dist_graph_create_adjacent,
       (MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[],
        int outdegree, const int destinations[], const int destweights[], MPI_Info info,
        int reorder, MPI_Comm *comm_dist_graph));
KP_MPI(int, Dist_graph_neighbors,
       (MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree,
        int destinations[], int destweights[]));
KP_MPI(int, Dist_graph_neighbors_count,
       (MPI_Comm comm, int *inneighbors, int *outneighbors, int *weighted));
KP_MPI(int, Graph_create,
       (MPI_Comm comm_old, int nnodes, const int index[], const int edges[], int reorder,
        MPI_Comm *comm_graph));
KP_MPI(int, Graph_get, (MPI_Comm comm, int maxindex, int maxedges, int index[], int edges[]));
KP_MPI(int, Graph_map,
       (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank));
KP_MPI(int, Graph_neighbors, (MPI_Comm comm, int rank, int maxneighbors, int neighbors[]));
KP_MPI(int, Graph_neighbors_count, (MPI_Comm comm, int rank, int *nneighbors));
KP_MPI(int, Graphdims_get, (MPI_Comm comm, int *nnodes, int *nedges));
KP_MPI(int, Group_compare, (MPI_Group group1, MPI_Group group2, int *result));
KP_MPI(int, Group_difference, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
KP_MPI(int, Group_excl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
KP_MPI(int, Group_free, (MPI_Group * group));
KP_MPI(int, Group_incl, (MPI_Group group, int n, const int ranks[], MPI_Group *newgroup));
KP_MPI(int, Group_intersection, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
KP_MPI(int, Group_range_excl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
KP_MPI(int, Group_range_incl, (MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup));
KP_MPI(int, Group_rank, (MPI_Group group, int *rank));
KP_MPI(int, Group_size, (MPI_Group group, int *size));
KP_MPI(int, Group_translate_ranks,
       (MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]));
KP_MPI(int, Group_union, (MPI_Group group1, MPI_Group group2, MPI_Group *newgroup));
KP_MPI(int, Intercomm_create,
       (MPI_Comm local_comm, int local_leader, MPI_Comm bridge_comm, int remote_leader, int tag,
        MPI_Comm *newintercomm));
KP_MPI(int, Intercomm_merge, (MPI_Comm intercomm, int high, MPI_Comm *newintercomm));
KP_MPI(int, Keyval_create,
       (MPI_Copy_function * copy_fn, MPI_Delete_function *delete_fn, int *keyval,
        void *extra_state));
KP_MPI(int, Keyval_free, (int *keyval));
KP_MPI(int, Topo_test, (MPI_Comm comm, int *status));

#ifndef KP_NO_CALL_SITES
#define MPI_Attr_delete(...)             KP_MPI_PLACED(MPI_Attr_delete, __VA_ARGS__)
#define PMPI_Attr_delete(...)            KP_MPI_PLACED(PMPI_Attr_delete, __VA_ARGS__)
#define MPI_Attr_get(...)                KP_MPI_PLACED(MPI_Attr_get, __VA_ARGS__)
#define PMPI_Attr_get(...)               KP_MPI_PLACED(PMPI_Attr_get, __VA_ARGS__)
#define MPI_Attr_put(...)                KP_MPI_PLACED(MPI_Attr_put, __VA_ARGS__)
#define PMPI_Attr_put(...)               KP_MPI_PLACED(PMPI_Attr_put, __VA_ARGS__)
#define MPI_Cart_coords(...)             KP_MPI_PLACED(MPI_Cart_coords, __VA_ARGS__)
#define PMPI_Cart_coords(...)            KP_MPI_PLACED(PMPI_Cart_coords, __VA_ARGS__)
#define MPI_Cart_create(...)             KP_MPI_PLACED(MPI_Cart_create, __VA_ARGS__)
#define PMPI_Cart_create(...)            KP_MPI_PLACED(PMPI_Cart_create, __VA_ARGS__)
#define MPI_Cart_get(...)                KP_MPI_PLACED(MPI_Cart_get, __VA_ARGS__)
#define PMPI_Cart_get(...)               KP_MPI_PLACED(PMPI_Cart_get, __VA_ARGS__)
#define MPI_Cart_map(...)                KP_MPI_PLACED(MPI_Cart_map, __VA_ARGS__)
#define PMPI_Cart_map(...)               KP_MPI_PLACED(PMPI_Cart_map, __VA_ARGS__)
#define MPI_Cart_rank(...)               KP_MPI_PLACED(MPI_Cart_rank, __VA_ARGS__)
#define PMPI_Cart_rank(...)              KP_MPI_PLACED(PMPI_Cart_rank, __VA_ARGS__)
#define MPI_Cart_shift(...)              KP_MPI_PLACED(MPI_Cart_shift, __VA_ARGS__)
#define PMPI_Cart_shift(...)             KP_MPI_PLACED(PMPI_Cart_shift, __VA_ARGS__)
#define MPI_Cart_sub(...)                KP_MPI_PLACED(MPI_Cart_sub, __VA_ARGS__)
#define PMPI_Cart_sub(...)               KP_MPI_PLACED(PMPI_Cart_sub, __VA_ARGS__)
#define MPI_Cartdim_get(...)             KP_MPI_PLACED(MPI_Cartdim_get, __VA_ARGS__)
#define PMPI_Cartdim_get(...)            KP_MPI_PLACED(PMPI_Cartdim_get, __VA_ARGS__)
#define MPI_Comm_call_errhandler(...)    KP_MPI_PLACED(MPI_Comm_call_errhandler, __VA_ARGS__)
#define PMPI_Comm_call_errhandler(...)   KP_MPI_PLACED(PMPI_Comm_call_errhandler, __VA_ARGS__)
#define MPI_Comm_compare(...)            KP_MPI_PLACED(MPI_Comm_compare, __VA_ARGS__)
#define PMPI_Comm_compare(...)           KP_MPI_PLACED(PMPI_Comm_compare, __VA_ARGS__)
#define MPI_Comm_create(...)             KP_MPI_PLACED(MPI_Comm_create, __VA_ARGS__)
#define PMPI_Comm_create(...)            KP_MPI_PLACED(PMPI_Comm_create, __VA_ARGS__)
#define MPI_Comm_create_errhandler(...)  KP_MPI_PLACED(MPI_Comm_create_errhandler, __VA_ARGS__)
#define PMPI_Comm_create_errhandler(...) KP_MPI_PLACED(PMPI_Comm_create_errhandler, __VA_ARGS__)
#define MPI_Comm_create_group(...)       KP_MPI_PLACED(MPI_Comm_create_group, __VA_ARGS__)
#define PMPI_Comm_create_group(...)      KP_MPI_PLACED(PMPI_Comm_create_group, __VA_ARGS__)
#define MPI_Comm_create_keyval(...)      KP_MPI_PLACED(MPI_Comm_create_keyval, __VA_ARGS__)
#define PMPI_Comm_create_keyval(...)     KP_MPI_PLACED(PMPI_Comm_create_keyval, __VA_ARGS__)
#define MPI_Comm_delete_attr(...)        KP_MPI_PLACED(MPI_Comm_delete_attr, __VA_ARGS__)
#define PMPI_Comm_delete_attr(...)       KP_MPI_PLACED(PMPI_Comm_delete_attr, __VA_ARGS__)
#define MPI_Comm_disconnect(...)         KP_MPI_PLACED(MPI_Comm_disconnect, __VA_ARGS__)
#define PMPI_Comm_disconnect(...)        KP_MPI_PLACED(PMPI_Comm_disconnect, __VA_ARGS__)
#define MPI_Comm_dup(...)                KP_MPI_PLACED(MPI_Comm_dup, __VA_ARGS__)
#define PMPI_Comm_dup(...)               KP_MPI_PLACED(PMPI_Comm_dup, __VA_ARGS__)
#define MPI_Comm_dup_with_info(...)      KP_MPI_PLACED(MPI_Comm_dup_with_info, __VA_ARGS__)
#define PMPI_Comm_dup_with_info(...)     KP_MPI_PLACED(PMPI_Comm_dup_with_info, __VA_ARGS__)
#define MPI_Comm_free(...)               KP_MPI_PLACED(MPI_Comm_free, __VA_ARGS__)
#define PMPI_Comm_free(...)              KP_MPI_PLACED(PMPI_Comm_free, __VA_ARGS__)
#define MPI_Comm_free_keyval(...)        KP_MPI_PLACED(MPI_Comm_free_keyval, __VA_ARGS__)
#define PMPI_Comm_free_keyval(...)       KP_MPI_PLACED(PMPI_Comm_free_keyval, __VA_ARGS__)
#define MPI_Comm_get_attr(...)           KP_MPI_PLACED(MPI_Comm_get_attr, __VA_ARGS__)
#define PMPI_Comm_get_attr(...)          KP_MPI_PLACED(PMPI_Comm_get_attr, __VA_ARGS__)
#define MPI_Comm_get_errhandler(...)     KP_MPI_PLACED(MPI_Comm_get_errhandler, __VA_ARGS__)
#define PMPI_Comm_get_errhandler(...)    KP_MPI_PLACED(PMPI_Comm_get_errhandler, __VA_ARGS__)
#define MPI_Comm_get_info(...)           KP_MPI_PLACED(MPI_Comm_get_info, __VA_ARGS__)
#define PMPI_Comm_get_info(...)          KP_MPI_PLACED(PMPI_Comm_get_info, __VA_ARGS__)
#define MPI_Comm_get_name(...)           KP_MPI_PLACED(MPI_Comm_get_name, __VA_ARGS__)
#define PMPI_Comm_get_name(...)          KP_MPI_PLACED(PMPI_Comm_get_name, __VA_ARGS__)
#define MPI_Comm_get_parent(...)         KP_MPI_PLACED(MPI_Comm_get_parent, __VA_ARGS__)
#define PMPI_Comm_get_parent(...)        KP_MPI_PLACED(PMPI_Comm_get_parent, __VA_ARGS__)
#define MPI_Comm_group(...)              KP_MPI_PLACED(MPI_Comm_group, __VA_ARGS__)
#define PMPI_Comm_group(...)             KP_MPI_PLACED(PMPI_Comm_group, __VA_ARGS__)
#define MPI_Comm_idup(...)               KP_MPI_PLACED(MPI_Comm_idup, __VA_ARGS__)
#define PMPI_Comm_idup(...)              KP_MPI_PLACED(PMPI_Comm_idup, __VA_ARGS__)
#define MPI_Comm_idup_with_info(...)     KP_MPI_PLACED(MPI_Comm_idup_with_info, __VA_ARGS__)
#define PMPI_Comm_idup_with_info(...)    KP_MPI_PLACED(PMPI_Comm_idup_with_info, __VA_ARGS__)
#define MPI_Comm_rank(...)               KP_MPI_PLACED(MPI_Comm_rank, __VA_ARGS__)
#define PMPI_Comm_rank(...)              KP_MPI_PLACED(PMPI_Comm_rank, __VA_ARGS__)
#define MPI_Comm_remote_group(...)       KP_MPI_PLACED(MPI_Comm_remote_group, __VA_ARGS__)
#define PMPI_Comm_remote_group(...)      KP_MPI_PLACED(PMPI_Comm_remote_group, __VA_ARGS__)
#define MPI_Comm_remote_size(...)        KP_MPI_PLACED(MPI_Comm_remote_size, __VA_ARGS__)
#define PMPI_Comm_remote_size(...)       KP_MPI_PLACED(PMPI_Comm_remote_size, __VA_ARGS__)
#define MPI_Comm_set_attr(...)           KP_MPI_PLACED(MPI_Comm_set_attr, __VA_ARGS__)
#define PMPI_Comm_set_attr(...)          KP_MPI_PLACED(PMPI_Comm_set_attr, __VA_ARGS__)
#define MPI_Comm_set_errhandler(...)     KP_MPI_PLACED(MPI_Comm_set_errhandler, __VA_ARGS__)
#define PMPI_Comm_set_errhandler(...)    KP_MPI_PLACED(PMPI_Comm_set_errhandler, __VA_ARGS__)
#define MPI_Comm_set_info(...)           KP_MPI_PLACED(MPI_Comm_set_info, __VA_ARGS__)
#define PMPI_Comm_set_info(...)          KP_MPI_PLACED(PMPI_Comm_set_info, __VA_ARGS__)
#define MPI_Comm_set_name(...)           KP_MPI_PLACED(MPI_Comm_set_name, __VA_ARGS__)
#define PMPI_Comm_set_name(...)          KP_MPI_PLACED(PMPI_Comm_set_name, __VA_ARGS__)
#define MPI_Comm_size(...)               KP_MPI_PLACED(MPI_Comm_size, __VA_ARGS__)
#define PMPI_Comm_size(...)              KP_MPI_PLACED(PMPI_Comm_size, __VA_ARGS__)
#define MPI_Comm_split(...)              KP_MPI_PLACED(MPI_Comm_split, __VA_ARGS__)
#define PMPI_Comm_split(...)             KP_MPI_PLACED(PMPI_Comm_split, __VA_ARGS__)
#define MPI_Comm_split_type(...)         KP_MPI_PLACED(MPI_Comm_split_type, __VA_ARGS__)
#define PMPI_Comm_split_type(...)        KP_MPI_PLACED(PMPI_Comm_split_type, __VA_ARGS__)
#define MPI_Comm_test_inter(...)         KP_MPI_PLACED(MPI_Comm_test_inter, __VA_ARGS__)
#define PMPI_Comm_test_inter(...)        KP_MPI_PLACED(PMPI_Comm_test_inter, __VA_ARGS__)
#define MPI_Dims_create(...)             KP_MPI_PLACED(MPI_Dims_create, __VA_ARGS__)
#define PMPI_Dims_create(...)            KP_MPI_PLACED(PMPI_Dims_create, __VA_ARGS__)
#define MPI_Dist_graph_create(...)       KP_MPI_PLACED(MPI_Dist_graph_create, __VA_ARGS__)
#define PMPI_Dist_graph_create(...)      KP_MPI_PLACED(PMPI_Dist_graph_create, __VA_ARGS__)
#define MPI_Dist_graph_create_adjacent(...)                                                        \
    KP_MPI_PLACED(MPI_Dist_graph_create_adjacent, __VA_ARGS__)
#define PMPI_Dist_graph_create_adjacent(...)                                                       \
    KP_MPI_PLACED(PMPI_Dist_graph_create_adjacent, __VA_ARGS__)
#define MPI_Dist_graph_neighbors(...)  KP_MPI_PLACED(MPI_Dist_graph_neighbors, __VA_ARGS__)
#define PMPI_Dist_graph_neighbors(...) KP_MPI_PLACED(PMPI_Dist_graph_neighbors, __VA_ARGS__)
#define MPI_Dist_graph_neighbors_count(...)                                                        \
    KP_MPI_PLACED(MPI_Dist_graph_neighbors_count, __VA_ARGS__)
#define PMPI_Dist_graph_neighbors_count(...)                                                       \
    KP_MPI_PLACED(PMPI_Dist_graph_neighbors_count, __VA_ARGS__)
#define MPI_Graph_create(...)           KP_MPI_PLACED(MPI_Graph_create, __VA_ARGS__)
#define PMPI_Graph_create(...)          KP_MPI_PLACED(PMPI_Graph_create, __VA_ARGS__)
#define MPI_Graph_get(...)              KP_MPI_PLACED(MPI_Graph_get, __VA_ARGS__)
#define PMPI_Graph_get(...)             KP_MPI_PLACED(PMPI_Graph_get, __VA_ARGS__)
#define MPI_Graph_map(...)              KP_MPI_PLACED(MPI_Graph_map, __VA_ARGS__)
#define PMPI_Graph_map(...)             KP_MPI_PLACED(PMPI_Graph_map, __VA_ARGS__)
#define MPI_Graph_neighbors(...)        KP_MPI_PLACED(MPI_Graph_neighbors, __VA_ARGS__)
#define PMPI_Graph_neighbors(...)       KP_MPI_PLACED(PMPI_Graph_neighbors, __VA_ARGS__)
#define MPI_Graph_neighbors_count(...)  KP_MPI_PLACED(MPI_Graph_neighbors_count, __VA_ARGS__)
#define PMPI_Graph_neighbors_count(...) KP_MPI_PLACED(PMPI_Graph_neighbors_count, __VA_ARGS__)
#define MPI_Graphdims_get(...)          KP_MPI_PLACED(MPI_Graphdims_get, __VA_ARGS__)
#define PMPI_Graphdims_get(...)         KP_MPI_PLACED(PMPI_Graphdims_get, __VA_ARGS__)
#define MPI_Group_compare(...)          KP_MPI_PLACED(MPI_Group_compare, __VA_ARGS__)
#define PMPI_Group_compare(...)         KP_MPI_PLACED(PMPI_Group_compare, __VA_ARGS__)
#define MPI_Group_difference(...)       KP_MPI_PLACED(MPI_Group_difference, __VA_ARGS__)
#define PMPI_Group_difference(...)      KP_MPI_PLACED(PMPI_Group_difference, __VA_ARGS__)
#define MPI_Group_excl(...)             KP_MPI_PLACED(MPI_Group_excl, __VA_ARGS__)
#define PMPI_Group_excl(...)            KP_MPI_PLACED(PMPI_Group_excl, __VA_ARGS__)
#define MPI_Group_free(...)             KP_MPI_PLACED(MPI_Group_free, __VA_ARGS__)
#define PMPI_Group_free(...)            KP_MPI_PLACED(PMPI_Group_free, __VA_ARGS__)
#define MPI_Group_incl(...)             KP_MPI_PLACED(MPI_Group_incl, __VA_ARGS__)
#define PMPI_Group_incl(...)            KP_MPI_PLACED(PMPI_Group_incl, __VA_ARGS__)
#define MPI_Group_intersection(...)     KP_MPI_PLACED(MPI_Group_intersection, __VA_ARGS__)
#define PMPI_Group_intersection(...)    KP_MPI_PLACED(PMPI_Group_intersection, __VA_ARGS__)
#define MPI_Group_range_excl(...)       KP_MPI_PLACED(MPI_Group_range_excl, __VA_ARGS__)
#define PMPI_Group_range_excl(...)      KP_MPI_PLACED(PMPI_Group_range_excl, __VA_ARGS__)
#define MPI_Group_range_incl(...)       KP_MPI_PLACED(MPI_Group_range_incl, __VA_ARGS__)
#define PMPI_Group_range_incl(...)      KP_MPI_PLACED(PMPI_Group_range_incl, __VA_ARGS__)
#define MPI_Group_rank(...)             KP_MPI_PLACED(MPI_Group_rank, __VA_ARGS__)
#define PMPI_Group_rank(...)            KP_MPI_PLACED(PMPI_Group_rank, __VA_ARGS__)
#define MPI_Group_size(...)             KP_MPI_PLACED(MPI_Group_size, __VA_ARGS__)
#define PMPI_Group_size(...)            KP_MPI_PLACED(PMPI_Group_size, __VA_ARGS__)
#define MPI_Group_translate_ranks(...)  KP_MPI_PLACED(MPI_Group_translate_ranks, __VA_ARGS__)
#define PMPI_Group_translate_ranks(...) KP_MPI_PLACED(PMPI_Group_translate_ranks, __VA_ARGS__)
#define MPI_Group_union(...)            KP_MPI_PLACED(MPI_Group_union, __VA_ARGS__)
#define PMPI_Group_union(...)           KP_MPI_PLACED(PMPI_Group_union, __VA_ARGS__)
#define MPI_Intercomm_create(...)       KP_MPI_PLACED(MPI_Intercomm_create, __VA_ARGS__)
#define PMPI_Intercomm_create(...)      KP_MPI_PLACED(PMPI_Intercomm_create, __VA_ARGS__)
#define MPI_Intercomm_merge(...)        KP_MPI_PLACED(MPI_Intercomm_merge, __VA_ARGS__)
#define PMPI_Intercomm_merge(...)       KP_MPI_PLACED(PMPI_Intercomm_merge, __VA_ARGS__)
#define MPI_Keyval_create(...)          KP_MPI_PLACED(MPI_Keyval_create, __VA_ARGS__)
#define PMPI_Keyval_create(...)         KP_MPI_PLACED(PMPI_Keyval_create, __VA_ARGS__)
#define MPI_Keyval_free(...)            KP_MPI_PLACED(MPI_Keyval_free, __VA_ARGS__)
#define PMPI_Keyval_free(...)           KP_MPI_PLACED(PMPI_Keyval_free, __VA_ARGS__)
#define MPI_Topo_test(...)              KP_MPI_PLACED(MPI_Topo_test, __VA_ARGS__)
#define PMPI_Topo_test(...)             KP_MPI_PLACED(PMPI_Topo_test, __VA_ARGS__)
#endif

#endif
