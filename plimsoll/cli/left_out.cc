#include "plimsoll/cli/left_out.h"

#include <fmt/format.h>

namespace plimsoll::cli {

void LeftOut::on_bad_record(TrainingState&, const BadRecord& record) {
  constexpr size_t kShown = 5;
  if (names_.insert(record.name).second && first_.size() < kShown)
    first_.push_back(fmt::format("{} ({})", record.name, record.reason));
}

void LeftOut::say(const std::string& path, const std::string& what, Findings& findings) const {
  if (names_.empty()) return;
  findings.add({.severity = Finding::Severity::warning,
                .where = path,
                .what = fmt::format("{} record(s) {}: {}{}", count(), what, fmt::join(first_, ", "),
                                    names_.size() > first_.size() ? ", …" : "")});
}

}  // namespace plimsoll::cli
