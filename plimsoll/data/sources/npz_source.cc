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
  return npy_source(std::vector{path}, options);
}

SourcePtr npy_source(const std::vector<std::string>& paths, const NpzOptions& options) {
  std::vector<NpyArray> arrays;
  for (const std::string& path : paths)
    arrays.push_back(readable_by_rows(NpyArray(file_source(path)), options));
  return array_rows(paths.empty() ? "npy_source" : paths[0], std::move(arrays));
}

}  // namespace plimsoll
