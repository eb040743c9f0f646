#include "plimsoll/data/kinds/foreign_formats.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace plimsoll {
namespace {

using namespace std::string_view_literals;

struct ForeignFormat {
  std::string_view start;   // its first bytes
  std::string_view ending;  // of its name, if that decides as well
  std::string_view what;
  std::string_view remedy;
};

constexpr std::array kForeignFormats = {
    ForeignFormat{
        "PAR1"sv, ""sv, "a Parquet file"sv,
        "write it as CSV, in Python: pandas.read_parquet(FROM).to_csv(TO, index=False)"sv},
    ForeignFormat{
        "ARROW1"sv, ""sv, "an Arrow (Feather) file"sv,
        "write it as CSV, in Python: pandas.read_feather(FROM).to_csv(TO, index=False)"sv},
    ForeignFormat{"PK"sv, ".xlsx"sv, "an Excel workbook"sv, "save its sheet as CSV"sv},
    ForeignFormat{"\x1f\x8b"sv, ""sv, "compressed with gzip"sv, "expand it with gunzip"sv},
    ForeignFormat{"\x80"sv, ".pkl"sv, "a pickle, which can run any program when it is read"sv,
                  "save arrays with numpy.savez(TO, x=x, y=y)"sv},
    ForeignFormat{"\x80"sv, ".pickle"sv, "a pickle, which can run any program when it is read"sv,
                  "save arrays with numpy.savez(TO, x=x, y=y)"sv},
};

}  // namespace

std::string about_foreign_format(const DataFile& file) {
  const std::string start = file.start();
  for (const ForeignFormat& format : kForeignFormats)
    if (start.starts_with(format.start) && file.path.ends_with(format.ending))
      return fmt::format("is {} and not read here; {}", format.what, format.remedy);
  return "";
}

}  // namespace plimsoll
