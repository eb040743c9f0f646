#include "plimsoll/data/sources/npz_source.h"

#include <utility>

#include "plimsoll/data/sources/array_rows.h"

namespace plimsoll {
SourcePtr npz_source(const std::string& path, const std::vector<std::string>& inputs,
                     const std::vector<std::string>& targets, const NpzOptions& options) {
  const NpzFile file(path, options);
  std::vector<NpyArray> arrays;
  for (const auto* names : {&inputs, &targets})
    for (const std::string& name : *names)
      arrays.push_back(readable_by_rows(file.array(name), options));
  return array_rows(path, std::move(arrays));
}

SourcePtr npy_source(const std::string& path, const NpzOptions& options) {
  const NpyArray array(file_source(path));
  return array_rows(path, std::vector{readable_by_rows(array, options)});
}

}  // namespace plimsoll
