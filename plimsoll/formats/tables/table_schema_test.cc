#include "plimsoll/formats/tables/table_schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::message_of;

TableSchema houses() {
  return {
      .inputs = {{.name = "features", .columns = {"rooms", "area, in m²"}, .repair = {3, 70.5f}}},
      .targets = {{.name = "price", .columns = {"price"}}},
      .ignored = {"id"},
      .has_header = false,
      .missing = -1,
      .window = 24,
      .horizon = 2,
      .encode = R"({"kind": "auto"})"};
}

TEST(TableSchema, IsReadAsItWasWritten) {
  const TableSchema read = table_schema(to_json(houses()), "data.json");
  EXPECT_EQ(read.inputs, houses().inputs);
  EXPECT_EQ(read.targets, houses().targets);
  EXPECT_EQ(read.ignored, houses().ignored);
  EXPECT_EQ(read.missing, houses().missing);
  EXPECT_FALSE(read.has_header);
  EXPECT_EQ(read.window, 24);
  EXPECT_EQ(read.horizon, 2);
  EXPECT_EQ(read.stride, std::nullopt);
  EXPECT_EQ(table_schema(to_json(read), "data.json"), read);
}

TEST(TableSchema, RefusesWhatItDoesNotKnow) {
  const auto complaint = [](const std::string& members) {
    return message_of(
        [&] { table_schema("{\"format\": \"plimsoll-table\", " + members + "}", "data.json"); });
  };
  EXPECT_THAT(complaint(R"("version": 2)"), HasSubstr("is of version 2, this program reads 1"));
  EXPECT_THAT(complaint(R"("version": "1")"), HasSubstr("'version' must be a number"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [])"), HasSubstr("'inputs' has no input"));
  EXPECT_THAT(complaint(R"("version": 1, "extra": 1)"), HasSubstr("the key 'extra' is not known"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [{"name": "x", "columns": [1]}])"),
              HasSubstr("data.json: inputs: 'columns' must be a list of texts"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [{"name": "x", "columns": ["a", "a"]}])"),
              HasSubstr("the column 'a' is there twice"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [{"name": "x", "repair": [1e99]}])"),
              HasSubstr("'repair' must be a list of numbers"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [{"name": "x"}], "missing": "0")"),
              HasSubstr("'missing' must be a number"));
  EXPECT_THAT(complaint(R"("version": 1, "inputs": [{"name": "x"}], "window": 0)"),
              HasSubstr("'window' must be a whole number from 1 to"));
}

TEST(TableSchema, IsFoundBesideTheModel) {
  const TemporaryFolder folder;
  const std::string model = folder.path("model.keras");
  EXPECT_EQ(schema_beside(model), std::nullopt);
  std::ofstream(folder.path("data.json")) << R"({"cities": ["Rome"]})";
  EXPECT_EQ(schema_beside(model), std::nullopt);
  std::ofstream(folder.path("data.json")) << to_json(houses());
  EXPECT_EQ(schema_beside(model)->inputs, houses().inputs);
  std::ofstream(folder.path("data.json")) << to_json(houses()).substr(0, 60);
  EXPECT_THAT(message_of([&] { schema_beside(model); }), HasSubstr("data.json"));
}

TEST(TableSchema, SurvivesDamage) {
  expect_harmless_damage(to_json(houses()),
                         [](const std::string& bytes) { table_schema(bytes, "data.json"); });
}

}  // namespace
}  // namespace plimsoll
