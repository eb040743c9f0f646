// What a command noticed while it ran. Each finding is printed on standard error and kept for the
// log.
#pragma once

#include <utility>
#include <vector>

#include "plimsoll/base/report_finding.h"

namespace plimsoll::cli {

class Findings {
 public:
  void add(const Finding& finding);
  const std::vector<Finding>& all() const { return all_; }

 private:
  std::vector<Finding> all_;
};

// While one exists, what the engine reports is among the findings. They must outlive it.
class ReportedFindings {
 public:
  explicit ReportedFindings(Findings& into)
      : before_(set_finding_handler([&into](const Finding& finding) { into.add(finding); })) {}
  ~ReportedFindings() { set_finding_handler(std::move(before_)); }
  ReportedFindings(const ReportedFindings&) = delete;
  ReportedFindings& operator=(const ReportedFindings&) = delete;

 private:
  FindingHandler before_;
};

}  // namespace plimsoll::cli
