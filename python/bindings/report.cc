// Pages about runs.
#include "plimsoll/train/report/write_report.h"

#include "python/bindings/bind.h"
#include "python/bindings/python_words.h"

namespace plimsoll::python {

void bind_reports(nb::module_& module) {
  module.def(
      "write_report",
      [](const std::string& run, const std::string& path, const Dataset* training,
         const Dataset* validation, std::vector<std::string> class_names, const Model* model) {
        ReportOptions options{.class_names = std::move(class_names)};
        options.words = [](std::string text) { return in_python_words(std::move(text)); };
        if (model != nullptr) options.model = *model;
        if (training != nullptr) options.training = *training;
        if (validation != nullptr) options.validation = *validation;
        const nb::gil_scoped_release no_gil;
        write_report(run, path, options);
      },
      nb::arg("run"), nb::arg("path"), nb::arg("training").none(), nb::arg("validation").none(),
      nb::arg("class_names"), nb::arg("model").none(), NeedsThreads());
  module.def(
      "write_comparison",
      [](const std::vector<std::string>& runs, const std::string& path) {
        const nb::gil_scoped_release no_gil;
        write_comparison(runs, path);
      },
      nb::arg("runs"), nb::arg("path"), NeedsThreads());
}

}  // namespace plimsoll::python
