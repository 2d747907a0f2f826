// A host for SimpleSSD that is led from outside (led.hpp): it stands where the drive's interface would, at SimpleSSD's own host layer
// (HIL), so that no link limits it. Links against SimpleSSD's sources, which are not part of this repository.
//
// simplessd_adapter CONFIG: SimpleSSD's own file of settings.

#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "hil/hil.hh"
#include "led.hpp"
#include "util/simplessd.hh"

namespace {

const uint64_t PS_PER_NS = 1000;
const uint64_t SECTOR_BYTES = 512;

// Events in order of their time, and of those of one time in the order in which they were asked for.
class Events : public SimpleSSD::Simulator {
  public:
    uint64_t getCurrentTick() override { return now; }

    SimpleSSD::Event allocateEvent(SimpleSSD::EventFunction function) override {
        functions[++last] = std::move(function);
        return last;
    }

    // An event happens once: who asks for it again moves it.
    void scheduleEvent(SimpleSSD::Event event, uint64_t at) override {
        descheduleEvent(event);
        const Place place(at < now ? now : at, asked++);
        queue[place] = event;
        places[event] = place;
    }

    void descheduleEvent(SimpleSSD::Event event) override {
        const auto found = places.find(event);
        if (found != places.end()) {
            queue.erase(found->second);
            places.erase(found);
        }
    }

    bool isScheduled(SimpleSSD::Event event, uint64_t *at) override {
        const auto found = places.find(event);
        if (found == places.end()) {
            return false;
        }
        if (at != nullptr) {
            *at = found->second.first;
        }
        return true;
    }

    void deallocateEvent(SimpleSSD::Event event) override {
        descheduleEvent(event);
        functions.erase(event);
    }

    void step() {
        const auto first = queue.begin();
        now = first->first.first;
        const SimpleSSD::Event event = first->second;
        queue.erase(first);
        places.erase(event);
        functions.at(event)(now);
    }

    bool empty() const { return queue.empty(); }

  private:
    typedef std::pair<uint64_t, uint64_t> Place;

    uint64_t now = 0, asked = 0;
    SimpleSSD::Event last = 0;
    std::map<SimpleSSD::Event, SimpleSSD::EventFunction> functions;
    std::map<SimpleSSD::Event, Place> places;
    std::map<Place, SimpleSSD::Event> queue;
};

struct Submitted {
    uint64_t number, at_ns;
};

class Host : public led::Host {
  public:
    Host(led::Wire wire, Events &events, SimpleSSD::HIL::HIL &drive) : led::Host(wire), events(events), drive(drive) {
        uint64_t pages;
        drive.getLPNInfo(pages, page_bytes);
        capacity_sectors = pages * page_bytes / SECTOR_BYTES;
        alarm = SimpleSSD::allocate([this](uint64_t) { awake = true; });
        std::vector<SimpleSSD::Stats> list;
        drive.getStatList(list, "");
        for (size_t at = 0; at < list.size(); at++) {
            places[list[at].name] = at;
        }
    }

    // Commands are taken between two events, when SimpleSSD is done with the first one.
    void run() {
        go_on();
        while (!events.empty()) {
            events.step();
            if (awake) {
                awake = false;
                woken();
            } else if (has_completed) {
                has_completed = false;
                go_on();
            }
        }
    }

    uint64_t capacity_sectors;

  protected:
    uint64_t now_ns() override { return events.getCurrentTick() / PS_PER_NS; }

    void submit(led::Verb verb, uint64_t sector, uint32_t sectors, uint64_t number) override {
        SimpleSSD::DMAFunction done = [this](uint64_t, void *context) {
            auto *one = static_cast<Submitted *>(context);
            completed(one->number, one->at_ns);
            has_completed = true;
            delete one;
        };
        SimpleSSD::HIL::Request request(done, new Submitted{number, now_ns()});
        const uint64_t first_byte = sector * SECTOR_BYTES;
        request.length = sectors * SECTOR_BYTES;
        request.offset = first_byte % page_bytes;
        request.range.slpn = first_byte / page_bytes;
        request.range.nlp = (request.offset + request.length + page_bytes - 1) / page_bytes;
        if (verb == led::Verb::READ) {
            drive.read(request);
        } else {
            drive.write(request);
        }
    }

    void wake_after(uint64_t duration_ns) override {
        SimpleSSD::schedule(alarm, events.getCurrentTick() + duration_ns * PS_PER_NS);
    }

    std::vector<uint64_t> counters() override {
        std::vector<double> values;
        drive.getStatValues(values);
        std::vector<uint64_t> told = {now_ns()};
        for (const char *name : {"read.bytes", "write.bytes", "pal.program.bytes", "pal.program.count", "pal.read.count", "pal.erase.count",
                                 "ftl.page_mapping.gc.count", "ftl.page_mapping.gc.page_copies", "icl.generic_cache.read.request_count",
                                 "icl.generic_cache.read.from_cache", "icl.generic_cache.write.request_count",
                                 "icl.generic_cache.write.to_cache"}) {
            told.push_back(static_cast<uint64_t>(values.at(places.at(name))));
        }
        return told;
    }

  private:
    Events &events;
    SimpleSSD::HIL::HIL &drive;
    uint32_t page_bytes;
    SimpleSSD::Event alarm;
    std::map<std::string, size_t> places;
    bool awake = false, has_completed = false;
};

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "simplessd_adapter CONFIG" << std::endl;
        return 2;
    }
    led::Wire wire = led::wire_of_its_own();
    Events events;
    auto config = initSimpleSSDEngine(&events, nullptr, &std::cerr, arguments[1]);
    SimpleSSD::HIL::HIL drive(config);
    Host host(wire, events, drive);
    wire.write(&host.capacity_sectors, sizeof host.capacity_sectors);
    host.run();
    host.stalled();
    _exit(1);
}
