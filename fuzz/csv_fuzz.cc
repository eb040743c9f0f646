// Any bytes are either a CSV file or a CorruptFile; its columns are numbers,
// classes, or that.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/csv_selection.h"
#include "plimsoll/tensor/text.h"

namespace {

// A record that is found by the index is the one that was loaded.
void compare(const plimsoll::ByteSourcePtr& file, const plimsoll::CsvSummary& summary,
             const plimsoll::CsvSelection& selection, const plimsoll::CsvOptions& options,
             const plimsoll::HostTensor& loaded) {
  const plimsoll::CsvSelectionReader selected(summary, selection);
  const auto bytes = static_cast<size_t>(selection.spec().bytes());
  std::vector<std::byte> record(bytes);
  for (int64_t number : {int64_t{0}, summary.records / 2, summary.records - 1}) {
    if (number < 0 || number >= summary.records) continue;
    const auto [part, first] = summary.part_with(number, file->size());
    plimsoll::CsvReader reader(file, summary.delimiter, options.limits, part);
    for (int64_t i = first; i <= number; ++i)
      if (!reader.next()) __builtin_trap();
    if (reader.line() != summary.line_of(number)) __builtin_trap();
    selected.read(reader, record.data());
    if (std::memcmp(record.data(), loaded.storage->data() + number * selection.spec().bytes(),
                    bytes) != 0)
      __builtin_trap();
  }
}

void load(const plimsoll::ByteSourcePtr& file) {
  const plimsoll::CsvOptions options{.limits = {.field_bytes = 100}};
  const plimsoll::CsvSummary summary = plimsoll::scan_csv(file, options);
  std::vector<plimsoll::CsvSelection> selections;
  for (size_t i = 0; i < summary.columns.size() && i < 4; ++i) {
    plimsoll::CsvSelection selection{
        .columns = {static_cast<int64_t>(i)}, .classes = {}, .missing = 0.5};
    if (i == 3) {
      selection.dtype = plimsoll::DType::string;
      selection.text_bytes = summary.columns[i].longest;
    } else if (summary.columns[i].type() == plimsoll::CsvColumn::Type::text) {
      for (auto& one : plimsoll::csv_classes(file, static_cast<int64_t>(i), options, 100))
        selection.classes.push_back(one.name);
    }
    selections.push_back(selection);
  }
  const auto tensors = plimsoll::load_csv(file, summary, selections, options);
  for (size_t i = 0; i < selections.size(); ++i)
    compare(file, summary, selections[i], options, tensors[i]);
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
