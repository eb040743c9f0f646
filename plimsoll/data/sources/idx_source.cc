#include "plimsoll/data/sources/idx_source.h"

#include "plimsoll/data/sources/array_rows.h"

namespace plimsoll {

SourcePtr idx_source(const std::vector<std::string>& paths, const IdxOptions& options) {
  std::vector<IdxArray> arrays;
  for (const std::string& path : paths) arrays.emplace_back(path, options);
  return array_rows(paths.empty() ? "idx_source" : paths[0], std::move(arrays));
}

}  // namespace plimsoll
