/* Tests kport.hpp: an exception of a program is reported to the other processors and to the caller
 * of the run, and handles end with their scope. Prints what is wrong; status 0 if nothing is. */
#include <kport/kport.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static int wrong;

static void expect(bool right, const char *what, const char *detail = "")
{
    if (!right) {
        std::fprintf(stderr, "%s: %s\n", what, detail);
        wrong = 1;
    }
}

static kp_config of(int processors)
{
    kp_config config{};
    config.processors = processors;
    return config;
}

/* What runs well returns its report. */
static void runs()
{
    std::vector<int> sums(4);
    kp_report report = kport::run(of(4), [&](kport::processor self) {
        int mine = self.number() + 1;
        kport::check(kp_allreduce(self.world(), &mine, &sums[(size_t)self.number()], 1, KP_INT32,
                                  KP_SUM, nullptr));
    });
    expect(sums == std::vector<int>(4, 10), "the sums are 10");
    expect(report.started == 4 && report.c1 > 0, "there is a report");
    expect(report.error.status == KP_OK, "without an error");
}

/* Processor 2 throws; the others wait for it and learn why, by catching. */
template <typename Throw> static void thrown(Throw &&throwing, const char *told)
{
    std::vector<std::string> said(3);
    try {
        kport::run(of(3), [&](kport::processor self) {
            if (self.number() == 2)
                throwing();
            try {
                kport::check(kp_barrier(self.world()));
            } catch (const kport::error &e) {
                expect(e.status() == KP_EFAILED, "the others get KP_EFAILED", e.what());
                expect(e.record().processor == 2, "about processor 2", e.what());
                said[(size_t)self.number()] = e.what();
                throw;
            }
        });
        expect(false, "the run throws", told);
    } catch (const kport::error &e) {
        expect(std::strstr(e.what(), told) && std::strstr(e.what(), "processor 2"),
               "who let it run is told what", e.what());
        expect(e.status() == KP_EFAILED, "as KP_EFAILED", e.what());
    }
    for (size_t i = 0; i < 2; i++)
        expect(said[i].find(told) != std::string::npos, "the others are told", said[i].c_str());
}

/* Memory that a program holds is given back when its thread exits in the middle. */
struct counted {
    static std::atomic<int> alive;
    counted()
    {
        alive++;
    }
    ~counted()
    {
        alive--;
    }
};
std::atomic<int> counted::alive{0};

static void thread_exits()
{
    try {
        kport::run(of(3), [&](kport::processor self) {
            counted one;
            if (self.number() == 1)
                pthread_exit(nullptr);
            kport::check(kp_barrier(self.world()));
        });
        expect(false, "a lost processor is an error");
    } catch (const kport::error &e) {
        expect(e.status() == KP_ELOST, "KP_ELOST", e.what());
        expect(e.record().processor == 1, "names processor 1", e.what());
    }
    expect(counted::alive == 0, "frames are unwound");
}

/* A machine is kept; an attachment and a group end with their scopes, by exceptions too. */
static void scopes()
{
    kport::machine machine(of(2));
    for (int i = 0; i < 3; i++) {
        bool failed = false;
        try {
            machine.run([&](kport::processor self) -> int {
                if (i == 1 && self.number() == 0)
                    throw std::runtime_error("second run");
                return kp_barrier(self.world());
            });
        } catch (const kport::error &e) {
            failed = std::strstr(e.what(), "second run");
        }
        expect(failed == (i == 1), "one run of three fails");
    }
    std::atomic<bool> there{false};
    std::thread other([&] {
        try {
            kport::attachment mine(machine, 1);
            there = true;
            kport::check(kp_barrier(mine.self().world()));
            expect(false, "the other has thrown");
        } catch (const kport::error &e) {
            expect(e.status() == KP_EFAILED && std::strstr(e.what(), "left the scope"),
                   "an attachment that an exception ends tells so", e.what());
        }
    });
    try {
        kport::attachment mine(machine, 0);
        int both[] = {0, 1};
        kport::group group(mine.self(), both, 2);
        while (!there)
            std::this_thread::yield();
        throw std::logic_error("out");
    } catch (const std::logic_error &) {
    }
    other.join();
    try {
        kport::machine impossible(of(-1));
        expect(false, "there is no such machine");
    } catch (const kport::error &e) {
        expect(e.status() == KP_EARGUMENT && std::strstr(e.what(), "processors is -1"),
               "and the sentence says so", e.what());
    }
    kport::machine moved(std::move(machine));
    moved.run([](kport::processor self) { kport::check(kp_barrier(self.world())); });
}

int main()
{
    runs();
    thrown([] { throw std::runtime_error("the disk is full"); }, "the disk is full");
    thrown([] { throw 42; }, "no std::exception");
    thrown([] { throw std::bad_alloc(); }, std::bad_alloc().what());
    thread_exits();
    scopes();
    return wrong;
}
