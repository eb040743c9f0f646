#include "plimsoll/report/run_list_json.h"

#include <nlohmann/json.hpp>

#include "plimsoll/record/run_log.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json number_or_null(int64_t number) {
  return number == 0 ? Json() : Json(number);
}

}  // namespace

Json to_json(const RunSummary& run) {
  return {{"name", run.name},
          {"status", run.status},
          {"why", text_or_null(run.why)},
          {"started", text_or_null(run.started)},
          {"seconds", run.seconds},
          {"epochs", run.epochs},
          {"planned_epochs", number_or_null(run.planned_epochs)},
          {"metric", text_or_null(run.metric)},
          {"best", run.metric.empty() ? Json() : json_number(run.best)},
          {"best_epoch", number_or_null(run.best_epoch)},
          {"planned_peak_bytes", number_or_null(run.planned_peak_bytes)},
          {"measured_peak_bytes", number_or_null(run.measured_peak_bytes)},
          {"measured", run.measured_peak_bytes == 0 ? Json()
                       : run.is_peak_of_epochs      ? Json("ends of epochs")
                                                    : Json("whole run")},
          {"restarts", run.restarts},
          {"process", run.process ? Json(*run.process) : Json()}};
}

}  // namespace plimsoll
