#include "plimsoll/cli/check_data.h"

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/cli/row_progress.h"
#include "plimsoll/data/check/check_records.h"
#include "plimsoll/train/data/check_against_model.h"

namespace plimsoll::cli {

CheckReport check_data(const DataToCheck& data, const std::string& path, const Model* model) {
  RowProgress progress("check", data.records->size());
  CheckOptions options{.fields = data.fields, .are_images = data.are_images, .known = data.bad};
  options.progress = [&progress, last = int64_t{0}](int64_t done) mutable {
    StopSignals::check();
    progress.add(done - last);
    last = done;
  };
  CheckReport report = check_records(*data.records, options);
  report.warnings.insert(report.warnings.begin(), data.warnings.begin(), data.warnings.end());
  if (model != nullptr) check_against_model(*model, path, report);
  return report;
}

}  // namespace plimsoll::cli
