// run.json: what a run is, in its folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace plimsoll {

// In run.json while the models in the folder are those of the run that this one replaces: the files
// that belong to its own, by name.
inline constexpr const char* kBesideFirstModel = "beside_first_model";

// InvalidArgument if there is none; CorruptFile if it is damaged.
nlohmann::ordered_json read_run_json(const std::string& run);

// CorruptFile: run.json has not what it should have.
[[noreturn]] void refuse_run_json(const std::string& run);

// RUN/best.keras or RUN/model.keras; empty if there is none.
std::string model_in(const std::string& run);

// The words of the program whose fit has left the run: "python3 train.py". Empty: `plimsoll train`
// has.
std::string program_of_run(const nlohmann::ordered_json& run);

// True if signals ask the process of the run for a checkpoint or for its end, as `plimsoll train`
// and a program whose fit takes them. Another program they would end.
bool takes_signals(const nlohmann::ordered_json& run);

}  // namespace plimsoll
