#include "plimsoll/engine/predict_seconds.h"

#include "plimsoll/base/threads.h"

namespace plimsoll {
namespace {

// Of one thread, as large operations reach them.
constexpr double kOperationsPerSecond = 70e9, kBytesPerSecond = 10e9;

}  // namespace

double predict_seconds(const Program& program, const Instruction& instruction) {
  if (instruction.op->is_view()) return 0;
  Specs in, out;
  double bytes = 0;
  for (const int v : instruction.inputs)
    bytes += static_cast<double>(in.emplace_back(program.spec(v)).bytes());
  for (const int v : instruction.outputs)
    bytes += static_cast<double>(out.emplace_back(program.spec(v)).bytes());
  const double seconds =
      instruction.op->operations(in, out) / kOperationsPerSecond + bytes / kBytesPerSecond;
  return seconds / thread_count();
}

}  // namespace plimsoll
