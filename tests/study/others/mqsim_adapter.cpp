// A host for MQSim that is led from outside (led.hpp), all in the time of the simulator. Links against MQSim's sources, which are not
// part of this repository.
//
// mqsim_adapter CONFIG CACHING: MQSim's own file of settings, and what its data cache does for the host (TURNED_OFF, WRITE_CACHE,
// READ_CACHE or WRITE_READ_CACHE).

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "exec/Execution_Parameter_Set.h"
#include "exec/SSD_Device.h"
#include "host/IO_Flow_Base.h"
#include "host/PCIe_Link.h"
#include "host/PCIe_Root_Complex.h"
#include "host/PCIe_Switch.h"
#include "led.hpp"
#include "sim/Engine.h"
#include "nvm_chip/flash_memory/Physical_Page_Address.h"
#include "ssd/FTL.h"
#include "ssd/Flash_Block_Manager_Base.h"
#include "ssd/Host_Interface_NVMe.h"
#include "ssd/NVM_PHY_ONFI.h"
#include "ssd/NVM_Transaction_Flash.h"
#include "ssd/Stats.h"
#include "utils/Logical_Address_Partitioning_Unit.h"
#include "utils/rapidxml/rapidxml.hpp"

namespace {

// Times at which MQSim's own flows would end or write to a log.
const sim_time_type NEVER = 1ULL << 60;

// What flash has been programmed with, by who asked for it; counted as MQSim's controller announces it.
struct Programmed {
    uint64_t user = 0, cache = 0, collection = 0, mapping = 0;
} programmed;

uint64_t sensed_pages = 0;

// Erased and not yet programmed, those of blocks that are open included.
uint64_t free_pages(SSD_Components::Flash_Block_Manager_Base *blocks) {
    uint64_t pages = 0;
    for (unsigned channel = 0; channel < Device_Parameter_Set::Flash_Channel_Count; channel++) {
        for (unsigned chip = 0; chip < Device_Parameter_Set::Chip_No_Per_Channel; chip++) {
            for (unsigned die = 0; die < Flash_Parameter_Set::Die_No_Per_Chip; die++) {
                for (unsigned plane = 0; plane < Flash_Parameter_Set::Plane_No_Per_Die; plane++) {
                    const NVM::FlashMemory::Physical_Page_Address address(channel, chip, die, plane, 0, 0);
                    pages += blocks->Get_plane_bookkeeping_entry(address)->Free_pages_count;
                }
            }
        }
    }
    return pages;
}

void count_transaction(SSD_Components::NVM_Transaction_Flash *transaction) {
    using SSD_Components::Transaction_Source_Type;
    if (transaction->Type == SSD_Components::Transaction_Type::READ) {
        sensed_pages++;
    }
    if (transaction->Type != SSD_Components::Transaction_Type::WRITE) {
        return;
    }
    switch (transaction->Source) {
    case Transaction_Source_Type::USERIO: programmed.user++; break;
    case Transaction_Source_Type::CACHE: programmed.cache++; break;
    case Transaction_Source_Type::GC_WL: programmed.collection++; break;
    case Transaction_Source_Type::MAPPING: programmed.mapping++; break;
    }
}

class LedFlow : public Host_Components::IO_Flow_Base, private led::Host {
  public:
    LedFlow(led::Wire wire, LHA_type last_sector, Host_Components::PCIe_Root_Complex *root, SSD_Components::Host_Interface_NVMe *device,
            SSD_Components::Flash_Block_Manager_Base *blocks)
        : IO_Flow_Base("Led", 0, 0, last_sector, FLOW_ID_TO_Q_ID(0), device->Get_submission_queue_depth(),
                       device->Get_completion_queue_depth(), IO_Flow_Priority_Class::HIGH, NEVER, 0, 0, HostInterface_Types::NVME, root,
                       NULL, false, NEVER, ""),
          led::Host(wire), blocks(blocks) {}

    void Start_simulation() override {
        IO_Flow_Base::Start_simulation();
        Simulator->Register_sim_event(1, this, 0, 0);
    }
    void Validate_simulation_config() override {}
    Host_Components::Host_IO_Request *Generate_next_request() override { return NULL; }
    void Get_statistics(Utils::Workload_Statistics &, LPA_type (*)(LHA_type), page_status_type (*)(LHA_type)) override {}

    void Execute_simulator_event(MQSimEngine::Sim_Event *) override { woken(); }

    void NVMe_consume_io_request(Completion_Queue_Entry *entry) override {
        const auto *request = nvme_software_request_queue[entry->Command_Identifier];
        const auto found = numbers.find(request);
        completed(found->second, request->Arrival_time);
        numbers.erase(found);
        IO_Flow_Base::NVMe_consume_io_request(entry);
        NVMe_update_and_submit_completion_queue_tail();
        go_on();
    }

    using led::Host::stalled;

  protected:
    uint64_t now_ns() override { return Simulator->Time(); }

    void submit(led::Verb verb, uint64_t sector, uint32_t sectors, uint64_t number) override {
        auto *request = new Host_Components::Host_IO_Request;
        request->Type = verb == led::Verb::READ ? Host_Components::Host_IO_Request_Type::READ
                                                : Host_Components::Host_IO_Request_Type::WRITE;
        request->Start_LBA = sector;
        request->LBA_count = sectors;
        request->Arrival_time = Simulator->Time();
        numbers[request] = number;
        Submit_io_request(request);
    }

    void wake_after(uint64_t duration_ns) override { Simulator->Register_sim_event(Simulator->Time() + duration_ns, this, 0, 0); }

    std::vector<uint64_t> counters() override {
        using SSD_Components::Stats;
        return {
            Simulator->Time(),
            STAT_transferred_bytes_read,
            STAT_transferred_bytes_write,
            programmed.user,
            programmed.cache,
            programmed.collection,
            programmed.mapping,
            sensed_pages,
            free_pages(blocks),
            Stats::IssuedProgramCMD,
            Stats::IssuedMultiplaneProgramCMD,
            Stats::IssuedEraseCMD + Stats::IssuedMultiplaneEraseCMD,
            Stats::Total_gc_executions,
            Stats::Total_page_movements_for_gc,
            Stats::Total_page_movements_for_wl,
            Stats::Total_flash_writes_for_mapping,
            Stats::Total_flash_reads_for_mapping,
            Stats::CMT_hits,
            Stats::CMT_miss,
        };
    }

  private:
    SSD_Components::Flash_Block_Manager_Base *blocks;
    std::unordered_map<const Host_Components::Host_IO_Request *, uint64_t> numbers;
};

// What MQSim's Host_System is, with one flow that is led from outside.
class LedHost : public MQSimEngine::Sim_Object {
  public:
    LedHost(led::Wire wire, const Host_Parameter_Set &settings, SSD_Device *ssd) : Sim_Object("Host"), ssd(ssd) {
        Simulator->AddObject(this);
        link = new Host_Components::PCIe_Link("Host.PCIeLink", NULL, NULL, settings.PCIe_Lane_Bandwidth, settings.PCIe_Lane_Count);
        root = new Host_Components::PCIe_Root_Complex(link, HostInterface_Types::NVME, NULL, NULL);
        link->Set_root_complex(root);
        pcie_switch = new Host_Components::PCIe_Switch(link, ssd->Host_interface);
        link->Set_pcie_switch(pcie_switch);
        Simulator->AddObject(link);
        const auto last_sector = Utils::Logical_Address_Partitioning_Unit::End_lha_available_to_flow(0);
        flow = new LedFlow(wire, last_sector, root, device(), static_cast<SSD_Components::FTL *>(ssd->Firmware)->BlockManager);
        flows.push_back(flow);
        Simulator->AddObject(flow);
        root->Set_io_flows(&flows);
        ssd->Attach_to_host(pcie_switch);
        pcie_switch->Attach_ssd_device(ssd->Host_interface);
    }

    void Start_simulation() override {
        const auto *queue = flow->Get_nvme_queue_pair_info();
        device()->Create_new_stream(flow->Priority_class(), flow->Get_start_lsa_on_device(), flow->Get_end_lsa_address_on_device(),
                                    queue->Submission_queue_memory_base_address, queue->Completion_queue_memory_base_address);
    }
    void Setup_triggers() override {
        Sim_Object::Setup_triggers();
        static_cast<SSD_Components::NVM_PHY_ONFI *>(ssd->PHY)->ConnectToTransactionServicedSignal(count_transaction);
    }
    void Validate_simulation_config() override {}
    void Execute_simulator_event(MQSimEngine::Sim_Event *) override {}

    LedFlow *flow;

  private:
    SSD_Device *ssd;
    Host_Components::PCIe_Link *link;
    Host_Components::PCIe_Root_Complex *root;
    Host_Components::PCIe_Switch *pcie_switch;
    std::vector<Host_Components::IO_Flow_Base *> flows;

    SSD_Components::Host_Interface_NVMe *device() { return static_cast<SSD_Components::Host_Interface_NVMe *>(ssd->Host_interface); }
};

SSD_Components::Caching_Mode caching_of(const std::string &name) {
    using SSD_Components::Caching_Mode;
    const std::unordered_map<std::string, Caching_Mode> modes = {
        {"TURNED_OFF", Caching_Mode::TURNED_OFF},
        {"WRITE_CACHE", Caching_Mode::WRITE_CACHE},
        {"READ_CACHE", Caching_Mode::READ_CACHE},
        {"WRITE_READ_CACHE", Caching_Mode::WRITE_READ_CACHE},
    };
    return modes.at(name);
}

template <typename Id> Id *all_of(int count) {
    auto *ids = new Id[count];
    for (int id = 0; id < count; id++) {
        ids[id] = static_cast<Id>(id);
    }
    return ids;
}

// One stream that has all of the flash.
IO_Flow_Parameter_Set *whole_device(SSD_Components::Caching_Mode caching) {
    auto *flow = new IO_Flow_Parameter_Set_Synthetic;
    flow->Device_Level_Data_Caching_Mode = caching;
    flow->Priority_Class = IO_Flow_Priority_Class::HIGH;
    flow->Channel_No = Device_Parameter_Set::Flash_Channel_Count;
    flow->Chip_No = Device_Parameter_Set::Chip_No_Per_Channel;
    flow->Die_No = Flash_Parameter_Set::Die_No_Per_Chip;
    flow->Plane_No = Flash_Parameter_Set::Plane_No_Per_Die;
    flow->Channel_IDs = all_of<flash_channel_ID_type>(flow->Channel_No);
    flow->Chip_IDs = all_of<flash_chip_ID_type>(flow->Chip_No);
    flow->Die_IDs = all_of<flash_die_ID_type>(flow->Die_No);
    flow->Plane_IDs = all_of<flash_plane_ID_type>(flow->Plane_No);
    flow->Initial_Occupancy_Percentage = 0;
    return flow;
}

void read_settings(const char *path, Execution_Parameter_Set *settings) {
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<char> parsed(text.begin(), text.end());
    parsed.push_back('\0');
    rapidxml::xml_document<> document;
    document.parse<0>(parsed.data());
    settings->XML_deserialize(document.first_node("Execution_Parameter_Set"));
}

} // namespace

int main(int count, char **arguments) {
    if (count != 3) {
        std::cerr << "mqsim_adapter CONFIG CACHING" << std::endl;
        return 2;
    }
    led::Wire wire = led::wire_of_its_own();
    auto *settings = new Execution_Parameter_Set;
    read_settings(arguments[1], settings);
    // Its constructor leaves the clock as memory happens to be.
    Simulator->Reset();
    auto &flows = settings->Host_Configuration.IO_Flow_Definitions;
    flows.push_back(whole_device(caching_of(arguments[2])));
    auto *ssd = new SSD_Device(&settings->SSD_Device_Configuration, &flows);
    auto *host = new LedHost(wire, settings->Host_Configuration, ssd);
    const uint64_t sectors = Utils::Logical_Address_Partitioning_Unit::End_lha_available_to_flow(0) + 1;
    wire.write(&sectors, sizeof sectors);
    Simulator->Start_simulation();
    host->flow->stalled();
    // Destructors of MQSim free some things twice.
    _exit(1);
}
