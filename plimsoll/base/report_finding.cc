#include "plimsoll/base/report_finding.h"

#include <cstdio>
#include <mutex>
#include <utility>

#include "plimsoll/base/moving_line.h"

namespace plimsoll {
namespace {

struct Handler {
  std::mutex mutex;
  FindingHandler handler;
};

Handler& shared_handler() {
  static Handler handler;
  return handler;
}

}  // namespace

FindingHandler set_finding_handler(FindingHandler handler) {
  Handler& shared = shared_handler();
  const std::lock_guard lock(shared.mutex);
  return std::exchange(shared.handler, std::move(handler));
}

void report(const Finding& finding) {
  Handler& shared = shared_handler();
  FindingHandler handler;
  {
    const std::lock_guard lock(shared.mutex);
    handler = shared.handler;  // it may set another
  }
  if (handler) return handler(finding);
  const AboveMovingLine above;
  std::fprintf(stderr, "plimsoll: %s\n", to_string(finding).c_str());
}

}  // namespace plimsoll
