// Any bytes are either a CSV file or a CorruptFile; its columns are numbers,
// classes, or that.
#include <cstddef>
#include <cstdint>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/csv_table.h"

namespace {

void load(const plimsoll::ByteSourcePtr& file) {
  const plimsoll::CsvOptions options{.missing = 0.5, .limits = {.field_bytes = 100}};
  const plimsoll::CsvSummary summary = plimsoll::scan_csv(file, options);
  std::vector<plimsoll::CsvSelection> selections;
  for (size_t i = 0; i < summary.columns.size() && i < 4; ++i) {
    plimsoll::CsvSelection selection{.columns = {static_cast<int64_t>(i)}, .classes = {}};
    if (summary.columns[i].type == plimsoll::CsvColumn::Type::text)
      selection.classes = plimsoll::csv_classes(file, static_cast<int64_t>(i), options, 100);
    selections.push_back(selection);
  }
  plimsoll::load_csv(file, summary, selections, options);
  if (summary.records > 0 && summary.line_of(summary.records - 1) < 1) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  try {
    load(plimsoll::memory_source("fuzz", {bytes, bytes + size}));
  } catch (const plimsoll::CorruptFile&) {
  } catch (const plimsoll::InvalidArgument&) {  // too many classes
  }
  return 0;
}
