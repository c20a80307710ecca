/* Datatypes, reduction operators, packing.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_TYPE_H
#define KPORT_MPI_FACE_TYPE_H

KP_MPI(int, Address, (void *location, MPI_Aint *address));
KP_MPI(MPI_Aint, Aint_add, (MPI_Aint base, MPI_Aint disp));
KP_MPI(MPI_Aint, Aint_diff, (MPI_Aint addr1, MPI_Aint addr2));
KP_MPI(int, Get_address, (const void *location, MPI_Aint *address));
KP_MPI(int, Get_count, (const MPI_Status *status, MPI_Datatype datatype, int *count));
KP_MPI(int, Get_elements, (const MPI_Status *status, MPI_Datatype datatype, int *count));
KP_MPI(int, Get_elements_x, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count));
KP_MPI(int, Op_commutative, (MPI_Op op, int *commute));
KP_MPI(int, Op_create, (MPI_User_function * function, int commute, MPI_Op *op));
KP_MPI(int, Op_free, (MPI_Op * op));
KP_MPI(int, Pack,
       (const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
        int *position, MPI_Comm comm));
KP_MPI(int, Pack_size, (int incount, MPI_Datatype datatype, MPI_Comm comm, int *size));
KP_MPI(int, Reduce_local,
       (const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op));
KP_MPI(int, Status_set_elements, (MPI_Status * status, MPI_Datatype datatype, int count));
KP_MPI(int, Status_set_elements_x, (MPI_Status * status, MPI_Datatype datatype, MPI_Count count));
KP_MPI(int, Type_commit, (MPI_Datatype * type));
KP_MPI(int, Type_contiguous, (int count, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_darray,
       (int size, int rank, int ndims, const int gsize_array[], const int distrib_array[],
        const int darg_array[], const int psize_array[], int order, MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Type_create_hindexed,
       (int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_hindexed_block,
       (int count, int blocklength, const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Type_create_hvector,
       (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_indexed_block,
       (int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Type_create_keyval,
       (MPI_Type_copy_attr_function * type_copy_attr_fn,
        MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state));
KP_MPI(int, Type_create_resized,
       (MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype));
KP_MPI(int, Type_create_struct,
       (int count, const int array_of_block_lengths[], const MPI_Aint array_of_displacements[],
        const MPI_Datatype array_of_types[], MPI_Datatype *newtype));
KP_MPI(int, Type_create_subarray,
       (int ndims, const int size_array[], const int subsize_array[], const int start_array[],
        int order, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_delete_attr, (MPI_Datatype type, int type_keyval));
KP_MPI(int, Type_dup, (MPI_Datatype type, MPI_Datatype *newtype));
KP_MPI(int, Type_extent, (MPI_Datatype type, MPI_Aint *extent));
KP_MPI(int, Type_free, (MPI_Datatype * type));
KP_MPI(int, Type_free_keyval, (int *type_keyval));
KP_MPI(int, Type_get_attr, (MPI_Datatype type, int type_keyval, void *attribute_val, int *flag));
KP_MPI(int, Type_get_contents,
       (MPI_Datatype mtype, int max_integers, int max_addresses, int max_datatypes,
        int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]));
KP_MPI(int, Type_get_envelope,
       (MPI_Datatype type, int *num_integers, int *num_addresses, int *num_datatypes,
        int *combiner));
KP_MPI(int, Type_get_extent, (MPI_Datatype type, MPI_Aint *lb, MPI_Aint *extent));
KP_MPI(int, Type_get_extent_x, (MPI_Datatype type, MPI_Count *lb, MPI_Count *extent));
KP_MPI(int, Type_get_name, (MPI_Datatype type, char *type_name, int *resultlen));
KP_MPI(int, Type_get_true_extent,
       (MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent));
KP_MPI(int, Type_get_true_extent_x,
       (MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent));
KP_MPI(int, Type_hindexed,
       (int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_hvector,
       (int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_indexed,
       (int count, const int array_of_blocklengths[], const int array_of_displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_lb, (MPI_Datatype type, MPI_Aint *lb));
KP_MPI(int, Type_match_size, (int typeclass, int size, MPI_Datatype *type));
KP_MPI(int, Type_set_attr, (MPI_Datatype type, int type_keyval, void *attr_val));
KP_MPI(int, Type_set_name, (MPI_Datatype type, const char *type_name));
KP_MPI(int, Type_size, (MPI_Datatype type, int *size));
KP_MPI(int, Type_size_x, (MPI_Datatype type, MPI_Count *size));
KP_MPI(int, Type_struct,
       (int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[],
        MPI_Datatype array_of_types[], MPI_Datatype *newtype));
KP_MPI(int, Type_ub, (MPI_Datatype mtype, MPI_Aint *ub));
KP_MPI(int, Type_vector,
       (int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Unpack,
       (const void *inbuf, int insize, int *position, void *outbuf, int outcount,
        MPI_Datatype datatype, MPI_Comm comm));
KP_MPI(int, Pack_external,
       (const char datarep[], const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf,
        MPI_Aint outsize, MPI_Aint *position));
KP_MPI(int, Pack_external_size,
       (const char datarep[], int incount, MPI_Datatype datatype, MPI_Aint *size));
KP_MPI(int, Unpack_external,
       (const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf,
        int outcount, MPI_Datatype datatype));
KP_MPI(int, Status_c2f, (const MPI_Status *c_status, MPI_Fint *f_status));
KP_MPI(int, Status_c2f08, (const MPI_Status *c_status, MPI_F08_status *f08_status));
KP_MPI(int, Status_f082c, (const MPI_F08_status *f08_status, MPI_Status *c_status));
KP_MPI(int, Status_f082f, (const MPI_F08_status *f08_status, MPI_Fint *f_status));
KP_MPI(int, Status_f2c, (const MPI_Fint *f_status, MPI_Status *c_status));
KP_MPI(int, Status_f2f08, (const MPI_Fint *f_status, MPI_F08_status *f08_status));
KP_MPI(int, Type_create_f90_complex, (int p, int r, MPI_Datatype *newtype));
KP_MPI(int, Type_create_f90_integer, (int r, MPI_Datatype *newtype));
KP_MPI(int, Type_create_f90_real, (int p, int r, MPI_Datatype *newtype));

#ifndef KP_NO_CALL_SITES
#define MPI_Status_c2f(...)               KP_MPI_PLACED(MPI_Status_c2f, __VA_ARGS__)
#define PMPI_Status_c2f(...)              KP_MPI_PLACED(PMPI_Status_c2f, __VA_ARGS__)
#define MPI_Status_c2f08(...)             KP_MPI_PLACED(MPI_Status_c2f08, __VA_ARGS__)
#define PMPI_Status_c2f08(...)            KP_MPI_PLACED(PMPI_Status_c2f08, __VA_ARGS__)
#define MPI_Status_f082c(...)             KP_MPI_PLACED(MPI_Status_f082c, __VA_ARGS__)
#define PMPI_Status_f082c(...)            KP_MPI_PLACED(PMPI_Status_f082c, __VA_ARGS__)
#define MPI_Status_f082f(...)             KP_MPI_PLACED(MPI_Status_f082f, __VA_ARGS__)
#define PMPI_Status_f082f(...)            KP_MPI_PLACED(PMPI_Status_f082f, __VA_ARGS__)
#define MPI_Status_f2c(...)               KP_MPI_PLACED(MPI_Status_f2c, __VA_ARGS__)
#define PMPI_Status_f2c(...)              KP_MPI_PLACED(PMPI_Status_f2c, __VA_ARGS__)
#define MPI_Status_f2f08(...)             KP_MPI_PLACED(MPI_Status_f2f08, __VA_ARGS__)
#define PMPI_Status_f2f08(...)            KP_MPI_PLACED(PMPI_Status_f2f08, __VA_ARGS__)
#define MPI_Type_create_f90_complex(...)  KP_MPI_PLACED(MPI_Type_create_f90_complex, __VA_ARGS__)
#define PMPI_Type_create_f90_complex(...) KP_MPI_PLACED(PMPI_Type_create_f90_complex, __VA_ARGS__)
#define MPI_Type_create_f90_integer(...)  KP_MPI_PLACED(MPI_Type_create_f90_integer, __VA_ARGS__)
#define PMPI_Type_create_f90_integer(...) KP_MPI_PLACED(PMPI_Type_create_f90_integer, __VA_ARGS__)
#define MPI_Type_create_f90_real(...)     KP_MPI_PLACED(MPI_Type_create_f90_real, __VA_ARGS__)
#define PMPI_Type_create_f90_real(...)    KP_MPI_PLACED(PMPI_Type_create_f90_real, __VA_ARGS__)
#define MPI_Address(...)                  KP_MPI_PLACED(MPI_Address, __VA_ARGS__)
#define PMPI_Address(...)                 KP_MPI_PLACED(PMPI_Address, __VA_ARGS__)
#define MPI_Aint_add(...)                 KP_MPI_PLACED(MPI_Aint_add, __VA_ARGS__)
#define PMPI_Aint_add(...)                KP_MPI_PLACED(PMPI_Aint_add, __VA_ARGS__)
#define MPI_Aint_diff(...)                KP_MPI_PLACED(MPI_Aint_diff, __VA_ARGS__)
#define PMPI_Aint_diff(...)               KP_MPI_PLACED(PMPI_Aint_diff, __VA_ARGS__)
#define MPI_Get_address(...)              KP_MPI_PLACED(MPI_Get_address, __VA_ARGS__)
#define PMPI_Get_address(...)             KP_MPI_PLACED(PMPI_Get_address, __VA_ARGS__)
#define MPI_Get_count(...)                KP_MPI_PLACED(MPI_Get_count, __VA_ARGS__)
#define PMPI_Get_count(...)               KP_MPI_PLACED(PMPI_Get_count, __VA_ARGS__)
#define MPI_Get_elements(...)             KP_MPI_PLACED(MPI_Get_elements, __VA_ARGS__)
#define PMPI_Get_elements(...)            KP_MPI_PLACED(PMPI_Get_elements, __VA_ARGS__)
#define MPI_Get_elements_x(...)           KP_MPI_PLACED(MPI_Get_elements_x, __VA_ARGS__)
#define PMPI_Get_elements_x(...)          KP_MPI_PLACED(PMPI_Get_elements_x, __VA_ARGS__)
#define MPI_Op_commutative(...)           KP_MPI_PLACED(MPI_Op_commutative, __VA_ARGS__)
#define PMPI_Op_commutative(...)          KP_MPI_PLACED(PMPI_Op_commutative, __VA_ARGS__)
#define MPI_Op_create(...)                KP_MPI_PLACED(MPI_Op_create, __VA_ARGS__)
#define PMPI_Op_create(...)               KP_MPI_PLACED(PMPI_Op_create, __VA_ARGS__)
#define MPI_Op_free(...)                  KP_MPI_PLACED(MPI_Op_free, __VA_ARGS__)
#define PMPI_Op_free(...)                 KP_MPI_PLACED(PMPI_Op_free, __VA_ARGS__)
#define MPI_Pack(...)                     KP_MPI_PLACED(MPI_Pack, __VA_ARGS__)
#define PMPI_Pack(...)                    KP_MPI_PLACED(PMPI_Pack, __VA_ARGS__)
#define MPI_Pack_size(...)                KP_MPI_PLACED(MPI_Pack_size, __VA_ARGS__)
#define PMPI_Pack_size(...)               KP_MPI_PLACED(PMPI_Pack_size, __VA_ARGS__)
#define MPI_Reduce_local(...)             KP_MPI_PLACED(MPI_Reduce_local, __VA_ARGS__)
#define PMPI_Reduce_local(...)            KP_MPI_PLACED(PMPI_Reduce_local, __VA_ARGS__)
#define MPI_Status_set_elements(...)      KP_MPI_PLACED(MPI_Status_set_elements, __VA_ARGS__)
#define PMPI_Status_set_elements(...)     KP_MPI_PLACED(PMPI_Status_set_elements, __VA_ARGS__)
#define MPI_Status_set_elements_x(...)    KP_MPI_PLACED(MPI_Status_set_elements_x, __VA_ARGS__)
#define PMPI_Status_set_elements_x(...)   KP_MPI_PLACED(PMPI_Status_set_elements_x, __VA_ARGS__)
#define MPI_Type_commit(...)              KP_MPI_PLACED(MPI_Type_commit, __VA_ARGS__)
#define PMPI_Type_commit(...)             KP_MPI_PLACED(PMPI_Type_commit, __VA_ARGS__)
#define MPI_Type_contiguous(...)          KP_MPI_PLACED(MPI_Type_contiguous, __VA_ARGS__)
#define PMPI_Type_contiguous(...)         KP_MPI_PLACED(PMPI_Type_contiguous, __VA_ARGS__)
#define MPI_Type_create_darray(...)       KP_MPI_PLACED(MPI_Type_create_darray, __VA_ARGS__)
#define PMPI_Type_create_darray(...)      KP_MPI_PLACED(PMPI_Type_create_darray, __VA_ARGS__)
#define MPI_Type_create_hindexed(...)     KP_MPI_PLACED(MPI_Type_create_hindexed, __VA_ARGS__)
#define PMPI_Type_create_hindexed(...)    KP_MPI_PLACED(PMPI_Type_create_hindexed, __VA_ARGS__)
#define MPI_Type_create_hindexed_block(...)                                                        \
    KP_MPI_PLACED(MPI_Type_create_hindexed_block, __VA_ARGS__)
#define PMPI_Type_create_hindexed_block(...)                                                       \
    KP_MPI_PLACED(PMPI_Type_create_hindexed_block, __VA_ARGS__)
#define MPI_Type_create_hvector(...)       KP_MPI_PLACED(MPI_Type_create_hvector, __VA_ARGS__)
#define PMPI_Type_create_hvector(...)      KP_MPI_PLACED(PMPI_Type_create_hvector, __VA_ARGS__)
#define MPI_Type_create_indexed_block(...) KP_MPI_PLACED(MPI_Type_create_indexed_block, __VA_ARGS__)
#define PMPI_Type_create_indexed_block(...)                                                        \
    KP_MPI_PLACED(PMPI_Type_create_indexed_block, __VA_ARGS__)
#define MPI_Type_create_keyval(...)      KP_MPI_PLACED(MPI_Type_create_keyval, __VA_ARGS__)
#define PMPI_Type_create_keyval(...)     KP_MPI_PLACED(PMPI_Type_create_keyval, __VA_ARGS__)
#define MPI_Type_create_resized(...)     KP_MPI_PLACED(MPI_Type_create_resized, __VA_ARGS__)
#define PMPI_Type_create_resized(...)    KP_MPI_PLACED(PMPI_Type_create_resized, __VA_ARGS__)
#define MPI_Type_create_struct(...)      KP_MPI_PLACED(MPI_Type_create_struct, __VA_ARGS__)
#define PMPI_Type_create_struct(...)     KP_MPI_PLACED(PMPI_Type_create_struct, __VA_ARGS__)
#define MPI_Type_create_subarray(...)    KP_MPI_PLACED(MPI_Type_create_subarray, __VA_ARGS__)
#define PMPI_Type_create_subarray(...)   KP_MPI_PLACED(PMPI_Type_create_subarray, __VA_ARGS__)
#define MPI_Type_delete_attr(...)        KP_MPI_PLACED(MPI_Type_delete_attr, __VA_ARGS__)
#define PMPI_Type_delete_attr(...)       KP_MPI_PLACED(PMPI_Type_delete_attr, __VA_ARGS__)
#define MPI_Type_dup(...)                KP_MPI_PLACED(MPI_Type_dup, __VA_ARGS__)
#define PMPI_Type_dup(...)               KP_MPI_PLACED(PMPI_Type_dup, __VA_ARGS__)
#define MPI_Type_extent(...)             KP_MPI_PLACED(MPI_Type_extent, __VA_ARGS__)
#define PMPI_Type_extent(...)            KP_MPI_PLACED(PMPI_Type_extent, __VA_ARGS__)
#define MPI_Type_free(...)               KP_MPI_PLACED(MPI_Type_free, __VA_ARGS__)
#define PMPI_Type_free(...)              KP_MPI_PLACED(PMPI_Type_free, __VA_ARGS__)
#define MPI_Type_free_keyval(...)        KP_MPI_PLACED(MPI_Type_free_keyval, __VA_ARGS__)
#define PMPI_Type_free_keyval(...)       KP_MPI_PLACED(PMPI_Type_free_keyval, __VA_ARGS__)
#define MPI_Type_get_attr(...)           KP_MPI_PLACED(MPI_Type_get_attr, __VA_ARGS__)
#define PMPI_Type_get_attr(...)          KP_MPI_PLACED(PMPI_Type_get_attr, __VA_ARGS__)
#define MPI_Type_get_contents(...)       KP_MPI_PLACED(MPI_Type_get_contents, __VA_ARGS__)
#define PMPI_Type_get_contents(...)      KP_MPI_PLACED(PMPI_Type_get_contents, __VA_ARGS__)
#define MPI_Type_get_envelope(...)       KP_MPI_PLACED(MPI_Type_get_envelope, __VA_ARGS__)
#define PMPI_Type_get_envelope(...)      KP_MPI_PLACED(PMPI_Type_get_envelope, __VA_ARGS__)
#define MPI_Type_get_extent(...)         KP_MPI_PLACED(MPI_Type_get_extent, __VA_ARGS__)
#define PMPI_Type_get_extent(...)        KP_MPI_PLACED(PMPI_Type_get_extent, __VA_ARGS__)
#define MPI_Type_get_extent_x(...)       KP_MPI_PLACED(MPI_Type_get_extent_x, __VA_ARGS__)
#define PMPI_Type_get_extent_x(...)      KP_MPI_PLACED(PMPI_Type_get_extent_x, __VA_ARGS__)
#define MPI_Type_get_name(...)           KP_MPI_PLACED(MPI_Type_get_name, __VA_ARGS__)
#define PMPI_Type_get_name(...)          KP_MPI_PLACED(PMPI_Type_get_name, __VA_ARGS__)
#define MPI_Type_get_true_extent(...)    KP_MPI_PLACED(MPI_Type_get_true_extent, __VA_ARGS__)
#define PMPI_Type_get_true_extent(...)   KP_MPI_PLACED(PMPI_Type_get_true_extent, __VA_ARGS__)
#define MPI_Type_get_true_extent_x(...)  KP_MPI_PLACED(MPI_Type_get_true_extent_x, __VA_ARGS__)
#define PMPI_Type_get_true_extent_x(...) KP_MPI_PLACED(PMPI_Type_get_true_extent_x, __VA_ARGS__)
#define MPI_Type_hindexed(...)           KP_MPI_PLACED(MPI_Type_hindexed, __VA_ARGS__)
#define PMPI_Type_hindexed(...)          KP_MPI_PLACED(PMPI_Type_hindexed, __VA_ARGS__)
#define MPI_Type_hvector(...)            KP_MPI_PLACED(MPI_Type_hvector, __VA_ARGS__)
#define PMPI_Type_hvector(...)           KP_MPI_PLACED(PMPI_Type_hvector, __VA_ARGS__)
#define MPI_Type_indexed(...)            KP_MPI_PLACED(MPI_Type_indexed, __VA_ARGS__)
#define PMPI_Type_indexed(...)           KP_MPI_PLACED(PMPI_Type_indexed, __VA_ARGS__)
#define MPI_Type_lb(...)                 KP_MPI_PLACED(MPI_Type_lb, __VA_ARGS__)
#define PMPI_Type_lb(...)                KP_MPI_PLACED(PMPI_Type_lb, __VA_ARGS__)
#define MPI_Type_match_size(...)         KP_MPI_PLACED(MPI_Type_match_size, __VA_ARGS__)
#define PMPI_Type_match_size(...)        KP_MPI_PLACED(PMPI_Type_match_size, __VA_ARGS__)
#define MPI_Type_set_attr(...)           KP_MPI_PLACED(MPI_Type_set_attr, __VA_ARGS__)
#define PMPI_Type_set_attr(...)          KP_MPI_PLACED(PMPI_Type_set_attr, __VA_ARGS__)
#define MPI_Type_set_name(...)           KP_MPI_PLACED(MPI_Type_set_name, __VA_ARGS__)
#define PMPI_Type_set_name(...)          KP_MPI_PLACED(PMPI_Type_set_name, __VA_ARGS__)
#define MPI_Type_size(...)               KP_MPI_PLACED(MPI_Type_size, __VA_ARGS__)
#define PMPI_Type_size(...)              KP_MPI_PLACED(PMPI_Type_size, __VA_ARGS__)
#define MPI_Type_size_x(...)             KP_MPI_PLACED(MPI_Type_size_x, __VA_ARGS__)
#define PMPI_Type_size_x(...)            KP_MPI_PLACED(PMPI_Type_size_x, __VA_ARGS__)
#define MPI_Type_struct(...)             KP_MPI_PLACED(MPI_Type_struct, __VA_ARGS__)
#define PMPI_Type_struct(...)            KP_MPI_PLACED(PMPI_Type_struct, __VA_ARGS__)
#define MPI_Type_ub(...)                 KP_MPI_PLACED(MPI_Type_ub, __VA_ARGS__)
#define PMPI_Type_ub(...)                KP_MPI_PLACED(PMPI_Type_ub, __VA_ARGS__)
#define MPI_Type_vector(...)             KP_MPI_PLACED(MPI_Type_vector, __VA_ARGS__)
#define PMPI_Type_vector(...)            KP_MPI_PLACED(PMPI_Type_vector, __VA_ARGS__)
#define MPI_Unpack(...)                  KP_MPI_PLACED(MPI_Unpack, __VA_ARGS__)
#define PMPI_Unpack(...)                 KP_MPI_PLACED(PMPI_Unpack, __VA_ARGS__)
#define MPI_Pack_external(...)           KP_MPI_PLACED(MPI_Pack_external, __VA_ARGS__)
#define PMPI_Pack_external(...)          KP_MPI_PLACED(PMPI_Pack_external, __VA_ARGS__)
#define MPI_Pack_external_size(...)      KP_MPI_PLACED(MPI_Pack_external_size, __VA_ARGS__)
#define PMPI_Pack_external_size(...)     KP_MPI_PLACED(PMPI_Pack_external_size, __VA_ARGS__)
#define MPI_Unpack_external(...)         KP_MPI_PLACED(MPI_Unpack_external, __VA_ARGS__)
#define PMPI_Unpack_external(...)        KP_MPI_PLACED(PMPI_Unpack_external, __VA_ARGS__)
#endif

#endif
