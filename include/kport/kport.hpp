/* kport for C++17 programs: exceptions end a processor's program and reach the other processors as
 * errors, and handles end with their scope.
 *
 *     kport::run(config, [&](kport::processor self) {
 *         kport::check(kp_index(self.world(), out, in, 8, nullptr));
 *     });
 *
 * An exception that leaves the program ends this processor's part, as kp_fail does. Members that
 * wait for this processor get KP_EFAILED with the text of what(), and `run` throws the failure to
 * its caller. Everything else is the C interface: its calls throw nothing and take the same
 * handles.
 *
 * A user's operator may not throw. If an exception (or a longjmp) leaves an operator and the
 * program catches it, the call of kport stays unfinished, and the processor's next call returns an
 * error. */
#ifndef KPORT_KPORT_HPP
#define KPORT_KPORT_HPP

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

#include "../kport.h"

namespace kport
{

/* An error of a call: status, processor, round, port, peer, call site and sentence. */
class error : public std::exception
{
  public:
    explicit error(const kp_error_record &record) noexcept : record_(record)
    {
    }
    const char *what() const noexcept override
    {
        return record_.sentence;
    }
    int status() const noexcept
    {
        return record_.status;
    }
    const kp_error_record &record() const noexcept
    {
        return record_;
    }

  private:
    kp_error_record record_;
};

/* Throws the calling thread's latest error unless `status` is KP_OK. */
inline void check(int status)
{
    if (status != KP_OK)
        throw error(*kp_last_error());
}

/* One processor, for the thread that carries it. It converts to kp_proc *. */
class processor
{
  public:
    explicit processor(kp_proc *self) noexcept : self_(self)
    {
    }
    operator kp_proc *() const noexcept
    {
        return self_;
    }
    kp_group *world() const noexcept
    {
        return kp_world(self_);
    }
    int number() const noexcept
    {
        return kp_processor(self_);
    }
    int size() const noexcept
    {
        return kp_size(world());
    }

  private:
    kp_proc *self_;
};

namespace detail
{

/* Returns the status of a caught error. An error that kport set is passed on unchanged, because it
 * already names the processor that caused it. */
inline int tell(kp_proc *self, const error &e)
{
    return e.status() == kp_error(self)->status ? e.status() : (kp_fail)(self, e.what());
}

/* Calls the program and turns any exception into a status with its sentence. */
template <typename Program> int call(kp_proc *self, Program &program)
{
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Program &, processor>>) {
            std::invoke(program, processor(self));
            return KP_OK;
        } else {
            return std::invoke(program, processor(self));
        }
    } catch (const error &e) {
        return tell(self, e);
    } catch (const std::exception &e) {
        return (kp_fail)(self, e.what());
    } catch (...) {
        /* If a thread is cancelled or calls pthread_exit, an exception without a type unwinds its
         * stack. This exception must be thrown on. kport notices the end of the thread. */
#if __has_include(<cxxabi.h>)
        if (!abi::__cxa_current_exception_type())
            throw;
#endif
        return (kp_fail)(self, "an exception that is no std::exception left the program");
    }
}

template <typename Program> int enter(kp_proc *self, void *program)
{
    return call(self, *static_cast<Program *>(program));
}

/* Throws the first failure of the run, if there was one. */
inline void check_run(int status, const kp_report &report)
{
    if (status != KP_OK)
        throw error(report.error.status != KP_OK ? report.error : *kp_last_error());
}

} // namespace detail

/* Does what kp_run does, with any callable that takes a kport::processor and returns nothing or a
 * status. All processors call it at the same time. Throws kport::error. */
template <typename Program> kp_report run(const kp_config &config, Program &&program)
{
    using plain = std::remove_reference_t<Program>;
    kp_report report;
    auto *address = const_cast<void *>(static_cast<const void *>(std::addressof(program)));
    detail::check_run(kp_run(&config, detail::enter<plain>, address, &report), report);
    return report;
}

/* A machine for many runs. Its constructor and `run` throw kport::error; its destructor destroys
 * it. */
class machine
{
  public:
    explicit machine(const kp_config &config)
    {
        check(kp_machine_create(&config, &machine_));
    }
    ~machine()
    {
        kp_machine_destroy(machine_);
    }
    machine(const machine &) = delete;
    machine &operator=(const machine &) = delete;
    machine(machine &&other) noexcept : machine_(std::exchange(other.machine_, nullptr))
    {
    }
    machine &operator=(machine &&other) noexcept
    {
        std::swap(machine_, other.machine_);
        return *this;
    }
    operator kp_machine *() const noexcept
    {
        return machine_;
    }
    template <typename Program> kp_report run(Program &&program)
    {
        using plain = std::remove_reference_t<Program>;
        kp_report report;
        auto *address = const_cast<void *>(static_cast<const void *>(std::addressof(program)));
        detail::check_run(kp_machine_run(machine_, detail::enter<plain>, address, &report), report);
        return report;
    }

  private:
    kp_machine *machine_ = nullptr;
};

/* An object of this class makes the calling thread carry a processor during the object's life. */
class attachment
{
  public:
    attachment(kp_machine *machine, int number)
    {
        check(kp_machine_attach(machine, number, &self_));
    }
    ~attachment()
    {
        if (std::uncaught_exceptions() > exceptions_)
            (kp_fail)(self_, "an exception left the scope of its attachment");
        kp_machine_detach(self_);
    }
    attachment(const attachment &) = delete;
    attachment &operator=(const attachment &) = delete;
    processor self() const noexcept
    {
        return processor(self_);
    }

  private:
    kp_proc *self_ = nullptr;
    int exceptions_ = std::uncaught_exceptions();
};

/* A handle of a group that is freed at the end of its scope. */
class group
{
  public:
    group(kp_proc *self, const int *processors, int count)
    {
        check(kp_group_create(self, processors, count, &group_));
    }
    ~group()
    {
        kp_group_free(group_);
    }
    group(const group &) = delete;
    group &operator=(const group &) = delete;
    operator kp_group *() const noexcept
    {
        return group_;
    }

  private:
    kp_group *group_ = nullptr;
};

} // namespace kport

#endif
