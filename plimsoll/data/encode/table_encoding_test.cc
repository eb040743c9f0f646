#include "plimsoll/data/encode/learn_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "plimsoll/data/encode/column_encoding.h"
#include "tests/support/damage.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::message_of;
using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

// The columns of a table, by name.
using Table = std::vector<std::pair<std::string, Cells>>;

struct Learnt {
  TableEncoding encoding;
  std::vector<std::string> said = {};
};

Learnt learn(const Table& table, const Json& choices = Json(), const Cells& targets = {}) {
  Learnt learnt;
  LearnTable request{.path = "t.csv", .inputs = {}, .targets = targets};
  for (const auto& [name, cells] : table)
    if (std::ranges::find(targets, name) == targets.end()) request.inputs.push_back(name);
  if (!choices.is_null()) request.choices = choices.dump();
  request.choices_path = "encode.json";
  request.announce = [&](const Finding& finding) { learnt.said.push_back(to_string(finding)); };
  learnt.encoding = learn_encoding(request, [&](const VisitCells& visit) {
    for (size_t row = 0; row < table[0].second.size(); ++row) {
      std::vector<std::string_view> cells;
      for (const auto& [name, column] : table) cells.emplace_back(column[row]);
      visit(cells);
    }
  });
  return learnt;
}

struct Encoded {
  CellState state;
  std::vector<float> numbers;
};

Encoded encode(const TableEncoding& table, const std::string& column, std::string_view cell) {
  const ColumnEncodingPtr encoding = table.find(column);
  if (encoding == nullptr) return {CellState::bad, {}};
  Encoded encoded{CellState::bad, std::vector<float>(static_cast<size_t>(encoding->width()))};
  encoded.state = encoding->encode(cell, encoded.numbers);
  return encoded;
}

Cells names_of(const TableEncoding& table, const std::string& column) {
  Cells names;
  const ColumnEncodingPtr encoding = table.find(column);
  for (int64_t i = 0; i < encoding->width(); ++i)
    names.push_back(column + encoding->number_name(i));
  return names;
}

TEST(TableEncoding, StandardisesNumbersAndShowsGaps) {
  const auto [table, said] = learn({{"age", {"1", "3", "", "5", "7"}}});
  EXPECT_THAT(said, IsEmpty());
  const float deviation = std::sqrt(5.0f);
  EXPECT_THAT(encode(table, "age", "4").numbers, ElementsAre(0, 0));
  EXPECT_THAT(encode(table, "age", "7").numbers, ElementsAre(FloatNear(3 / deviation, 1e-6f), 0));
  EXPECT_THAT(encode(table, "age", "N/A").numbers, ElementsAre(0, 1)) << "the median is 4";
  EXPECT_THAT(names_of(table, "age"), ElementsAre("age", "age missing"));
  EXPECT_EQ(encode(table, "age", "12x").state, CellState::bad);
  EXPECT_EQ(table.find("age")->expected(), "a number such as 1234.5");
}

TEST(TableEncoding, GapsThatTrainingDidNotHaveTakeTheMedian) {
  const TableEncoding table = learn({{"a", {"0", "0", "8", "8", "9"}}}).encoding;
  const Encoded gap = encode(table, "a", "");
  EXPECT_EQ(gap.state, CellState::gap);
  EXPECT_EQ(gap.numbers, encode(table, "a", "8").numbers);
}

TEST(TableEncoding, MakesOneNumberPerCategory) {
  const auto [table, said] = learn({{"port", {"S", "C", " S ", "", "Q"}}});
  EXPECT_THAT(names_of(table, "port"), ElementsAre("port=C", "port=Q", "port=S", "port missing"));
  EXPECT_THAT(encode(table, "port", "S").numbers, ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(encode(table, "port", "").numbers, ElementsAre(0, 0, 0, 1));
  const Encoded unseen = encode(table, "port", "X");
  EXPECT_EQ(unseen.state, CellState::unseen);
  EXPECT_THAT(unseen.numbers, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(table.find("port")->decode(unseen.numbers), std::nullopt);
}

TEST(TableEncoding, KeepsTheMostFrequentOfManyCategories) {
  Cells cells;
  for (int i = 0; i < 300; ++i)
    cells.insert(cells.end(), 2 + (i == 250 ? 5 : 0), fmt::format("c{:03}", i));
  const auto [table, said] = learn({{"city", cells}});
  EXPECT_EQ(table.find("city")->width(), 101);
  EXPECT_EQ(encode(table, "city", "c250").state, CellState::known);
  EXPECT_EQ(encode(table, "city", "c299").numbers.back(), 1);
  EXPECT_EQ(encode(table, "city", "new").numbers.back(), 1);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("column 'city' has 300 different texts; the 100 most frequent"));
}

TEST(TableEncoding, LeavesOutNamesWithAWord) {
  Cells names, numbers;
  for (int i = 0; i < 40; ++i) names.push_back(fmt::format("Mr. {}", i)), numbers.push_back("1");
  const auto [table, said] = learn({{"name", names}, {"x", numbers}, {"void", Cells(40)}});
  EXPECT_TRUE(table.leaves_out("name"));
  EXPECT_EQ(table.find("name"), nullptr);
  EXPECT_TRUE(table.leaves_out("void"));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_THAT(said[0], HasSubstr("warning: t.csv: column 'name' has 40 different texts in 40 "
                                 "records, as names have; it is left out"));
  EXPECT_THAT(said[1], HasSubstr("column 'void' has no value; it is left out"));
}

TEST(TableEncoding, TurnsDatesIntoDaysAndCircles) {
  const TableEncoding table = learn({{"when", {"2024-01-01", "2024-07-03"}}}).encoding;
  EXPECT_THAT(names_of(table, "when"), ElementsAre("when days", "when month sin", "when month cos",
                                                   "when weekday sin", "when weekday cos"));
  EXPECT_THAT(encode(table, "when", "2024-01-01").numbers, ElementsAre(-1, 0, 1, 0, 1));
  const Encoded july = encode(table, "when", "2024-07-03");
  EXPECT_NEAR(july.numbers[0], 1, 1e-6);
  EXPECT_NEAR(july.numbers[2], -1, 1e-6);
  EXPECT_EQ(encode(table, "when", "2024-07-03 12:00").state, CellState::bad)
      << "a time where training had none";
  EXPECT_EQ(encode(table, "when", "03.07.2024").state, CellState::bad);
}

TEST(TableEncoding, TargetsAreNeverScaled) {
  const Table prices = {{"x", {"1", "2"}}, {"price", {"1.100,5", "12,25"}}};
  const TableEncoding table = learn(prices, Json(), {"price"}).encoding;
  EXPECT_THAT(encode(table, "price", "1.100,5").numbers, ElementsAre(1100.5f));
  EXPECT_EQ(encode(table, "price", "").state, CellState::bad);
  const Table plain = {{"x", {"1", "2"}}, {"y", {"1.5", "2"}}, {"z", {"a", "b"}}};
  EXPECT_EQ(learn(plain, Json(), {"y", "z"}).encoding.columns.size(), 1u);
}

TEST(TableEncoding, AFileDecidesAndTheRestIsLearnt) {
  const Table table = {{"when", {"03/04/2024", "05/06/2024"}},
                       {"class", {"1", "3"}},
                       {"fare", {"1", "3"}},
                       {"name", {"a", "b"}}};
  const Json choices = {{"when", {{"kind", "date"}, {"order", "dmy"}, {"parts", {"days"}}}},
                        {"class", "category"},
                        {"fare", {{"kind", "number"}, {"scale", "none"}}},
                        {"name", "left_out"}};
  const auto [encoding, said] = learn(table, choices);
  EXPECT_THAT(said, IsEmpty());
  EXPECT_EQ(encoding.find("when")->width(), 1);
  EXPECT_THAT(names_of(encoding, "class"), ElementsAre("class=1", "class=3"));
  EXPECT_THAT(encode(encoding, "fare", "3").numbers, ElementsAre(3));
  EXPECT_TRUE(encoding.leaves_out("name"));
  EXPECT_EQ(encoding.widths_text(std::array<std::string, 3>{"when", "class", "fare"}),
            "when 1, class 2, fare 1");
}

TEST(TableEncoding, RefusesAFileThatIsWrong) {
  const Table table = {{"a", {"1", "2"}}, {"t", {"x", "y"}}};
  const auto complaint = [&](const Json& choices) {
    return message_of([&] { learn(table, choices); });
  };
  EXPECT_THAT(complaint({{"b", "number"}}),
              HasSubstr("encode.json: column 'b' is not one that t.csv is learnt from"));
  EXPECT_THAT(complaint({{"a", "numbr"}}),
              HasSubstr("encode.json: column 'a': expected a kind among number, category, date, "
                        "boolean, left_out, found 'numbr'"));
  EXPECT_THAT(complaint({{"a", {{"kind", "number"}, {"sacle", "none"}}}}),
              HasSubstr("has the unknown key 'sacle'"));
  EXPECT_THAT(complaint({{"a", {{"kind", "number"}, {"decimal", ";"}}}}),
              HasSubstr("decimal expected one of"));
  EXPECT_THAT(complaint({{"a", 3}}), HasSubstr("expected the name of a kind, or an object"));
  EXPECT_THAT(complaint({{"t", "number"}}),
              HasSubstr("t.csv: column 't' has no number in the training records"));
}

TEST(TableEncoding, TextThatIsNotUtf8IsLeftOut) {
  const auto [table, said] = learn({{"t", {"caf\xe9", "the"}}});
  EXPECT_TRUE(table.leaves_out("t"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("has text that is not UTF-8"));
}

TEST(TableEncoding, CanBeSavedWhateverTheCellsAre) {
  Cells cells;
  for (int i = 0; i < 40; ++i)
    cells.push_back(i % 3 == 0 ? std::string("\xe9 ") + std::to_string(i) : "7");
  const auto [table, said] = learn({{"t", cells}});
  EXPECT_TRUE(table.leaves_out("t"));
  EXPECT_THAT(table.to_json(), HasSubstr("'? 0'"));
}

// --- random tables

std::string random_cell(int kind, std::mt19937& random) {
  const auto number = static_cast<int>(random() % 2000000);
  switch (kind) {
    case 0:
      return fmt::format("{}", number - 1000000);
    case 1:
      return fmt::format("{}.{:03},{}", 1 + number / 1000 % 999, number % 1000, 5);
    case 2:
      return fmt::format("{}%", number % 100);
    case 3:
      return fmt::format("{:04}-{:02}-{:02}", 1900 + number % 200, 1 + number / 200 % 12,
                         1 + number / 2400 % 28);
    case 4:
      return fmt::format("{:02}.{:02}.{:04} {:02}:{:02}:{:02}", 1 + number % 28,
                         1 + number / 28 % 12, 2000 + number / 336 % 20, number % 24, number % 60,
                         number % 59);
    case 5:
      return number % 2 == 0 ? "Yes" : "No";
    case 6:
      return fmt::format("text \"{}\", é", number % 7);
    default:
      return fmt::format("{:02}:{:02}:{:02}", number % 24, number % 60, number / 60 % 60);
  }
}

Table random_table(unsigned seed) {
  std::mt19937 random(seed);
  Table table;
  for (int column = 0; column < 6; ++column) {
    const auto kind = static_cast<int>(random() % 8);
    const bool has_gaps = random() % 2 == 0;
    Cells cells;
    for (int row = 0; row < 60; ++row)
      cells.push_back(has_gaps && random() % 5 == 0 ? "" : random_cell(kind, random));
    table.emplace_back(fmt::format("c{}", column), cells);
  }
  return table;
}

// The value of a number is the same to the digits that float32 has; other cells are the same.
void expect_same_cell(const ColumnEncoding& encoding, const std::string& cell,
                      const std::string& back) {
  if (encoding.kind() != "number" || cell.empty()) {
    EXPECT_EQ(cell, back);
    return;
  }
  std::vector<float> expected(static_cast<size_t>(encoding.width())), found = expected;
  EXPECT_EQ(encoding.encode(cell, expected), CellState::known);
  EXPECT_EQ(encoding.encode(back, found), CellState::known) << back;
  EXPECT_NEAR(expected[0], found[0], 2e-6) << cell << " became " << back;
}

TEST(TableEncoding, DecodingGivesBackTheCell) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Table table = random_table(seed);
    const std::string json = learn(table).encoding.to_json();
    // What is saved and read again is used.
    const TableEncoding encoding = TableEncoding::from_json(json, "data.json");
    EXPECT_EQ(encoding.to_json(), json);
    for (const auto& [name, cells] : table)
      for (const std::string& cell : cells) {
        const auto [state, numbers] = encode(encoding, name, cell);
        ASSERT_EQ(state, cell.empty() ? CellState::gap : CellState::known) << name << ": " << cell;
        const auto back = encoding.decode(name, numbers);
        ASSERT_TRUE(back) << cell;
        expect_same_cell(*encoding.find(name), cell, *back);
      }
  }
}

TEST(TableEncoding, SurvivesDamageOfItsJson) {
  const std::string json = learn(random_table(3)).encoding.to_json();
  expect_harmless_damage(json, [](const std::string& bytes) {
    const TableEncoding encoding = TableEncoding::from_json(bytes, "data.json");
    for (const EncodedColumn& column : encoding.columns) {
      if (column.encoding == nullptr) continue;
      std::vector<float> numbers(static_cast<size_t>(column.encoding->width()));
      for (const char* cell : {"1", "2024-01-01", "yes", ""}) {
        column.encoding->encode(cell, numbers);
        column.encoding->decode(numbers);
      }
    }
  });
}

}  // namespace
}  // namespace plimsoll
