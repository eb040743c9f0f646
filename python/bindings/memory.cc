// Memory: limits, what the process holds, and which lines hold it.
#include "plimsoll/base/memory_budget.h"

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/moving_line.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/graph/pending.h"
#include "python/bindings/bind.h"
#include "python/bindings/python_words.h"

namespace plimsoll::python {
namespace {

nb::list live() {
  nb::list lines;
  for (const LiveTensors& line : live_tensors()) {
    nb::dict row;
    row["file"] = line.file;
    row["line"] = line.line;
    row["count"] = line.count;
    row["bytes"] = line.bytes;
    lines.append(row);
  }
  return lines;
}

void set_handler(nb::handle function) {
  if (function.is_none()) {
    set_finding_handler({});
    return;
  }
  const auto kept = std::make_shared<const Reference>(function);
  set_finding_handler([kept](const Finding& found) {
    const Finding finding = in_python_words(found);
    // The thread that draws the line may wait for the GIL.
    const nb::gil_scoped_acquire held;
    const nb::gil_scoped_release released;
    const AboveMovingLine above;
    const nb::gil_scoped_acquire gil;
    kept->get()(std::string(to_string(finding.severity)), finding.where, finding.what,
                finding.remedy, to_string(finding));
  });
}

}  // namespace

void bind_memory(nb::module_& module) {
  module.def("set_memory_limit", set_memory_limit);
  module.def("memory_limit", memory_limit);
  module.def(
      "memory_budget", [](const std::string& text) { return memory_budget(text).bytes; },
      nb::arg("text") = "");
  module.def("parse_bytes", parse_bytes);
  module.def("format_bytes", format_bytes);
  module.def("process_memory", [] {
    const auto memory = process_memory();
    return std::make_pair(memory.resident_bytes, memory.peak_resident_bytes);
  });
  module.def("live_tensors", live);
  module.def("compiled_steps", [] { return step_cache_counts().compiled; });
  module.def("set_finding_handler", set_handler, nb::arg("handler").none());
  module.def("report_finding",
             [](const std::string& where, const std::string& what, const std::string& remedy) {
               report({Finding::Severity::warning, where, what, remedy});
             });
  module.def("thread_count", thread_count);
  module.def("set_thread_count", set_thread_count);
}

}  // namespace plimsoll::python
