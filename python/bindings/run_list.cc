// The runs in a folder.
#include "plimsoll/report/run_list.h"

#include <nlohmann/json.hpp>

#include "plimsoll/report/run_list_json.h"
#include "python/bindings/event_files.h"

namespace plimsoll::python {

void bind_run_list(nb::module_& module) {
  module.def("list_runs", [](const std::string& folder) {
    nb::list found;
    for (const RunSummary& run : list_runs(folder)) found.append(from_json(to_json(run)));
    return found;
  });
}

}  // namespace plimsoll::python
