#include "plimsoll/train/files/legacy_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

TEST(LegacyWeights, SplitsAListThatIsTooLongForAnAttribute) {
  const TemporaryFolder folder;
  for (const size_t count : {0u, 1u, 4000u, 4001u, 9000u}) {
    std::vector<std::string> names;
    for (size_t i = 0; i < count; ++i) names.push_back("layer_" + std::to_string(i));
    Hdf5Writer writer(folder.path("a.h5"));
    write_list(writer, "group", "layer_names", names);
    writer.finish();
    const Hdf5File file = read_hdf5(file_source(folder.path("a.h5")));
    const Hdf5Attributes& attributes = file.root.find_group("group")->attributes;
    EXPECT_EQ(read_list(attributes, "layer_names"), names);
    EXPECT_EQ(attributes.contains("layer_names0"), count > 4000);
  }
}

}  // namespace
}  // namespace plimsoll
