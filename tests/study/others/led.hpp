// What adapters of simulators have in common: the wire, and a host that is led over it. See wire.py for what goes over it.
// Simulated time stands still while a request is waited for, so that a closed loop of any depth goes on as if all of its commands had
// been known from the start.

#ifndef SSDLAB_LED_HPP
#define SSDLAB_LED_HPP

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace led {

enum class Request : uint32_t { COMMANDS = 1, DRAIN = 2, REST = 3, COUNTERS = 4 };
enum class Verb : uint8_t { READ = 0, WRITE = 1 };
enum class Issue : uint8_t { WHEN_ROOM = 0, ALONE = 1 };

class Wire {
  public:
    Wire(int in, int out) : in(in), out(out) {}

    // Ends the process where the other side has gone: nobody is left to tell.
    void read(void *to, size_t length) {
        for (auto *at = static_cast<char *>(to); length > 0;) {
            const ssize_t got = ::read(in, at, length);
            if (got <= 0) {
                _exit(0);
            }
            at += got;
            length -= got;
        }
    }

    void write(const void *from, size_t length) {
        for (auto *at = static_cast<const char *>(from); length > 0;) {
            const ssize_t put = ::write(out, at, length);
            if (put <= 0) {
                _exit(0);
            }
            at += put;
            length -= put;
        }
    }

    template <typename Value> Value take() {
        Value value;
        read(&value, sizeof value);
        return value;
    }

    template <typename Value> std::vector<Value> column(size_t count) {
        std::vector<Value> values(count);
        read(values.data(), count * sizeof(Value));
        return values;
    }

    template <typename Value> void column(const std::vector<Value> &values) {
        write(values.data(), values.size() * sizeof(Value));
    }

  private:
    int in, out;
};

// Simulators print, and some wait for a key when they fail: neither may reach the wire.
inline Wire wire_of_its_own() {
    const Wire wire(dup(0), dup(1));
    dup2(2, 1);
    dup2(open("/dev/null", O_RDONLY), 0);
    return wire;
}

// A host that does what it is told over the wire. The simulator says when time has passed (`go_on`, `woken`) and what has completed.
class Host {
  public:
    explicit Host(Wire wire) : wire(wire) {}
    virtual ~Host() {}

    // Goes on until simulated time has to pass.
    void go_on() {
        while (!sleeps) {
            if (has_batch) {
                if (!submit_what_has_room()) {
                    return;
                }
                has_batch = false;
                answer(0);
            } else if (drains) {
                if (in_flight > 0) {
                    return;
                }
                drains = false;
                answer(0);
            } else if (rested) {
                rested = false;
                answer(0);
            }
            take_request();
        }
    }

    // A sleep is over.
    void woken() {
        sleeps = false;
        go_on();
    }

    void completed(uint64_t number, uint64_t submitted_ns) {
        finished.number.push_back(number);
        finished.submitted_ns.push_back(submitted_ns);
        finished.completed_ns.push_back(now_ns());
        in_flight--;
    }

    // Called when no event is left although one is waited for.
    void stalled() { answer(1); }

  protected:
    virtual uint64_t now_ns() = 0;
    virtual void submit(Verb verb, uint64_t sector, uint32_t sectors, uint64_t number) = 0;
    // Has `woken` called then.
    virtual void wake_after(uint64_t duration_ns) = 0;
    virtual std::vector<uint64_t> counters() = 0;

  private:
    struct Batch {
        std::vector<uint8_t> verb, issue;
        std::vector<uint64_t> sector, pause_ns;
        std::vector<uint32_t> sectors;
        size_t next = 0;
        uint32_t depth = 1;
        uint64_t until_ns = 0;
    };
    struct Finished {
        std::vector<uint64_t> number, submitted_ns, completed_ns;
    };

    Wire wire;
    Batch batch;
    Finished finished;
    uint64_t submitted = 0, in_flight = 0;
    bool has_batch = false, drains = false, sleeps = false, rested = false, paused = false;

    void take_request() {
        switch (static_cast<Request>(wire.take<uint32_t>())) {
        case Request::COMMANDS: take_commands(); return;
        case Request::DRAIN: drains = true; return;
        case Request::REST:
            rested = true;
            sleep(wire.take<uint64_t>());
            return;
        case Request::COUNTERS: wire.column(counters()); return;
        }
        throw std::runtime_error("no such request");
    }

    void take_commands() {
        batch = Batch();
        batch.depth = wire.take<uint32_t>();
        batch.until_ns = wire.take<uint64_t>();
        const auto count = wire.take<uint64_t>();
        batch.verb = wire.column<uint8_t>(count);
        batch.issue = wire.column<uint8_t>(count);
        batch.sector = wire.column<uint64_t>(count);
        batch.sectors = wire.column<uint32_t>(count);
        batch.pause_ns = wire.column<uint64_t>(count);
        has_batch = true;
        paused = false;
    }

    // Whether all of the batch is submitted, or its time is over.
    bool submit_what_has_room() {
        while (batch.next < batch.verb.size()) {
            if (now_ns() >= batch.until_ns) {
                return true;
            }
            const size_t at = batch.next;
            const size_t room = static_cast<Issue>(batch.issue[at]) == Issue::ALONE ? 1 : batch.depth;
            if (in_flight >= room) {
                return false;
            }
            if (batch.pause_ns[at] > 0 && !paused) {
                paused = true;
                sleep(batch.pause_ns[at]);
                return false;
            }
            paused = false;
            in_flight++;
            submit(static_cast<Verb>(batch.verb[at]), batch.sector[at], batch.sectors[at], submitted++);
            batch.next++;
        }
        return true;
    }

    void sleep(uint64_t duration_ns) {
        sleeps = true;
        wake_after(duration_ns);
    }

    void answer(uint64_t state) {
        const uint64_t head[] = {state, now_ns(), submitted, finished.number.size()};
        wire.write(head, sizeof head);
        wire.column(finished.number);
        wire.column(finished.submitted_ns);
        wire.column(finished.completed_ns);
        finished = Finished();
    }
};

} // namespace led

#endif
