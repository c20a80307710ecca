/* Error handlers, error classes and codes of the program. */
#include "lib/mpi/errhandler.h"

#include "lib/mpi/comm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kp_mpi_errhandler {
    MPI_Comm_errhandler_function *function; /* NULL: a predefined one */
    int users;                              /* handles of the program, and communicators */
    int handles;                            /* those of the program alone; it frees each of them */
};

/* An error code of the program. */
struct kp_mpi_code {
    int class;
    char *text; /* NULL: none */
};

static struct kp_mpi_errhandler *find(struct kp_mpi_rank *self, MPI_Errhandler handle)
{
    return kp_mpi_find(&self->tables[KP_MPI_ERRHANDLER], KP_MPI_ERRHANDLER, handle);
}

bool kp_mpi_errhandlers_begin(struct kp_mpi_rank *self)
{
    static struct kp_mpi_errhandler predefined;
    bool made = true;
    for (int i = 0; i < 3; i++)
        made =
            kp_mpi_handle_make(&self->tables[KP_MPI_ERRHANDLER], KP_MPI_ERRHANDLER, &predefined) &&
            made;
    self->last_code = MPI_ERR_LASTCODE;
    return made;
}

void kp_mpi_errhandlers_end(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_ERRHANDLER];
    for (uint32_t i = 3; i < table->used; i++)
        free(table->slots[i].object);
    for (int i = 0; i < self->code_count; i++)
        free(self->codes[i].text);
    free(self->codes);
}

void kp_mpi_errhandler_hold(struct kp_mpi_rank *self, MPI_Errhandler handle)
{
    struct kp_mpi_errhandler *handler = find(self, handle);
    if (handler && handler->function)
        handler->users++;
}

void kp_mpi_errhandler_release(struct kp_mpi_rank *self, MPI_Errhandler handle)
{
    struct kp_mpi_errhandler *handler = find(self, handle);
    if (!handler || !handler->function || --handler->users > 0)
        return;
    kp_mpi_handle_forget(&self->tables[KP_MPI_ERRHANDLER], handle);
    free(handler);
}

int kp_mpi_errhandler_call(struct kp_mpi_rank *self, MPI_Errhandler handle,
                           struct kp_mpi_comm *comm, int code)
{
    const struct kp_mpi_errhandler *handler = find(self, handle);
    const struct kp_mpi_place call = self->call;
    MPI_Comm of = comm                                    ? comm->handle
                  : handle == self->comm_self->errhandler ? MPI_COMM_SELF
                                                          : MPI_COMM_WORLD;
    int given = code;
    if (handler && handler->function)
        handler->function(&of, &given);
    self->call = call;
    return code;
}

/* --- Functions of MPI --- */

static int make(struct kp_mpi_rank *self, MPI_Comm_errhandler_function *function,
                MPI_Errhandler *handle)
{
    struct kp_mpi_errhandler *handler = function ? malloc(sizeof *handler) : NULL;
    if (!function)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "the function is NULL");
    if (handler) {
        *handler = (struct kp_mpi_errhandler){.function = function, .users = 1, .handles = 1};
        *handle = kp_mpi_handle_make(&self->tables[KP_MPI_ERRHANDLER], KP_MPI_ERRHANDLER, handler);
    }
    if (handler && *handle)
        return MPI_SUCCESS;
    free(handler);
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an error handler");
}

int MPI_Comm_create_errhandler(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle)
{
    KP_MPI_ENTER(Comm_create_errhandler);
    return make(self, function, handle);
}
KP_MPI_NAMES(Comm_create_errhandler);

int MPI_Errhandler_create(MPI_Comm_errhandler_function *function, MPI_Errhandler *handle)
{
    KP_MPI_ENTER(Errhandler_create);
    return make(self, function, handle);
}
KP_MPI_NAMES(Errhandler_create);

static int no_handler(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_ERRHANDLER,
                       "the error handler is not valid: it was freed, or never made");
}

static int set(struct kp_mpi_rank *self, MPI_Comm handle, MPI_Errhandler errhandler)
{
    KP_MPI_COMM_OF(handle);
    if (!find(self, errhandler))
        return no_handler(self);
    kp_mpi_errhandler_hold(self, errhandler);
    kp_mpi_errhandler_release(self, comm->errhandler);
    comm->errhandler = errhandler;
    return MPI_SUCCESS;
}

int MPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    KP_MPI_ENTER(Comm_set_errhandler);
    return set(self, comm, errhandler);
}
KP_MPI_NAMES(Comm_set_errhandler);

int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    KP_MPI_ENTER(Errhandler_set);
    return set(self, comm, errhandler);
}
KP_MPI_NAMES(Errhandler_set);

/* Changes how many handles the program has of a handler. Without one it has nothing to free. */
static void count_handles(struct kp_mpi_rank *self, MPI_Errhandler handle, int more)
{
    struct kp_mpi_errhandler *handler = find(self, handle);
    if (!handler || !handler->function)
        return;
    handler->handles += more;
    kp_mpi_slot_of(&self->tables[KP_MPI_ERRHANDLER], handle)->kept = handler->handles <= 0;
}

static int get(struct kp_mpi_rank *self, MPI_Comm handle, MPI_Errhandler *errhandler)
{
    KP_MPI_COMM_OF(handle);
    *errhandler = comm->errhandler;
    kp_mpi_errhandler_hold(self, *errhandler);
    count_handles(self, *errhandler, 1);
    return MPI_SUCCESS;
}

int MPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    KP_MPI_ENTER(Comm_get_errhandler);
    return get(self, comm, errhandler);
}
KP_MPI_NAMES(Comm_get_errhandler);

int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    KP_MPI_ENTER(Errhandler_get);
    return get(self, comm, errhandler);
}
KP_MPI_NAMES(Errhandler_get);

int MPI_Errhandler_free(MPI_Errhandler *handle)
{
    KP_MPI_ENTER(Errhandler_free);
    if (!find(self, *handle))
        return no_handler(self);
    count_handles(self, *handle, -1);
    kp_mpi_errhandler_release(self, *handle);
    *handle = MPI_ERRHANDLER_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Errhandler_free);

int MPI_Comm_call_errhandler(MPI_Comm handle, int code)
{
    KP_MPI_ENTER(Comm_call_errhandler);
    KP_MPI_COMM_OF(handle);
    char text[MPI_MAX_ERROR_STRING];
    kp_mpi_code_text(self, code, text);
    (void)kp_mpi_fail(self, comm, code, "%.300s", text);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_call_errhandler);

/* --- Classes and codes --- */

/* Makes a new class, or a code of a class. A class is its own code. */
static int add(struct kp_mpi_rank *self, int class, int *code)
{
    struct kp_mpi_code *codes =
        realloc(self->codes, ((size_t)self->code_count + 1) * sizeof *codes);
    if (!codes)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an error code");
    self->codes = codes;
    *code = MPI_ERR_LASTCODE + 1 + self->code_count;
    codes[self->code_count++] = (struct kp_mpi_code){class < 0 ? *code : class, NULL};
    self->last_code = *code;
    return MPI_SUCCESS;
}

static struct kp_mpi_code *own_code(struct kp_mpi_rank *self, int code)
{
    const int index = code - MPI_ERR_LASTCODE - 1;
    return index >= 0 && index < self->code_count ? &self->codes[index] : NULL;
}

/* Whether MPI or the rank has such a code; else reports an error. */
static int check_code(struct kp_mpi_rank *self, int code)
{
    if (!self || (code >= 0 && code <= MPI_ERR_LASTCODE) || own_code(self, code))
        return MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "the error code is %d, which does not exist", code);
}

void kp_mpi_code_text(struct kp_mpi_rank *self, int code, char *text)
{
    const struct kp_mpi_code *own = self ? own_code(self, code) : NULL;
    if (own)
        snprintf(text, MPI_MAX_ERROR_STRING, "%s", own->text ? own->text : "");
    else
        snprintf(text, MPI_MAX_ERROR_STRING, "%s: %s", kp_mpi_class_name(code),
                 kp_mpi_class_text(code));
}

int MPI_Add_error_class(int *class)
{
    KP_MPI_ENTER(Add_error_class);
    return add(self, -1, class);
}
KP_MPI_NAMES(Add_error_class);

int MPI_Add_error_code(int class, int *code)
{
    KP_MPI_ENTER(Add_error_code);
    const int error = check_code(self, class);
    return error ? error : add(self, class, code);
}
KP_MPI_NAMES(Add_error_code);

int MPI_Add_error_string(int code, const char *string)
{
    KP_MPI_ENTER(Add_error_string);
    struct kp_mpi_code *own = own_code(self, code);
    if (!own)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "the error code is %d, which MPI_Add_error_... has not made", code);
    free(own->text);
    own->text = strdup(string);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Add_error_string);

int MPI_Error_class(int code, int *class)
{
    struct kp_mpi_rank *self = kp_mpi_enter_any("MPI_Error_class", __builtin_return_address(0));
    const struct kp_mpi_code *own = self ? own_code(self, code) : NULL;
    *class = own ? own->class : code;
    return check_code(self, code);
}
KP_MPI_NAMES(Error_class);

/* Of the latest error the text has the sentence, too. */
int MPI_Error_string(int code, char *string, int *length)
{
    struct kp_mpi_rank *self = kp_mpi_enter_any("MPI_Error_string", __builtin_return_address(0));
    const int error = check_code(self, code);
    kp_mpi_code_text(self, code, string);
    if (self && code != MPI_SUCCESS && code == self->last_error) {
        const size_t begin = strlen(string);
        snprintf(string + begin, MPI_MAX_ERROR_STRING - begin, "; %s", self->sentence);
    }
    *length = (int)strlen(string);
    return error;
}
KP_MPI_NAMES(Error_string);
