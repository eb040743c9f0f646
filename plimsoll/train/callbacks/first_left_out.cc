#include "plimsoll/train/callbacks/first_left_out.h"

#include <fmt/format.h>

#include <utility>

#include "plimsoll/base/report_finding.h"

namespace plimsoll {

Finding first_left_out(const BadRecord& record, const std::string& list) {
  return {.severity = Finding::Severity::warning,
          .where = record.detail.starts_with(record.name) ? "" : record.name,
          .what = fmt::format("{}; the record is left out, as all bad ones are", record.detail),
          .remedy = list};
}

void FirstLeftOut::hear_of(const BadRecord& record) {
  if (std::exchange(is_said_, true)) return;
  report(first_left_out(record, run_.empty() ? "a callback's on_bad_record is told of each"
                                             : run_ + "/quarantine.jsonl lists them"));
}

}  // namespace plimsoll
