// Tables for a model: columns by name, text as classes, bad records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "plimsoll/nn/nn.h"
#include "plimsoll/train/data/open_data.h"
#include "tests/support/messages.h"
#include "tests/support/png_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

Sequential model_for(const char* loss, int64_t units, const char* activation = "softmax") {
  Sequential model({InputLayer({.shape = {2}, .name = "features"}),
                    Dense({.units = units, .activation = activation, .name = "kind"})});
  model.compile({.loss = loss});
  return model;
}

Sequential regression() {
  return model_for("mse", 1, "linear");
}
Sequential three_classes() {
  return model_for("sparse_categorical_crossentropy", 3);
}

class OpenTables : public ::testing::Test {
 protected:
  std::string write(const std::string& text, const std::string& name = "data.csv") const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }

  // The inputs of a record.
  static std::vector<float> inputs_of(const Dataset& data, int64_t record) {
    std::vector<std::vector<std::byte>> fields;
    std::vector<std::byte*> into;
    for (const Spec& spec : data.source->fields())
      into.push_back(fields.emplace_back(static_cast<size_t>(spec.bytes())).data());
    data.source->read(record, into);
    const auto* numbers = reinterpret_cast<const float*>(into[0]);
    return {numbers, numbers + data.source->fields()[0].shape.elements()};
  }

  TemporaryFolder folder_;
};

TEST_F(OpenTables, TakesTheColumnsOfTheSchemaInItsOrder) {
  const auto first =
      open_data(write("p,q,y,id\n1,2,3.5,7\n"), regression(), {.target = {"y"}, .ignored = {"id"}});
  EXPECT_EQ(first.data.schema.inputs,
            (std::vector<TableSchema::Field>{{.name = "features", .columns = {"p", "q"}}}));
  EXPECT_EQ(first.data.schema.targets,
            (std::vector<TableSchema::Field>{{.name = "kind", .columns = {"y"}}}));
  EXPECT_THAT(first.data.schema.ignored, ElementsAre("id"));
  const DataOptions known{.schema = first.data.schema};
  const std::string turned = write("id,y,q,p\n7,3.5,2,1\n", "turned.csv");
  EXPECT_THAT(inputs_of(open_data(turned, regression(), known).data, 0), ElementsAre(1, 2));
  const std::string lines = write("{\"q\": 2, \"p\": 1}\n", "turned.jsonl");
  DataOptions inputs = known;
  inputs.targets = false;
  EXPECT_THAT(inputs_of(open_data(lines, regression(), inputs).data, 0), ElementsAre(1, 2));
}

TEST_F(OpenTables, NamesMissingAndForeignColumns) {
  DataOptions options{
      .schema = TableSchema{.inputs = {{"features", {"p", "q"}}}, .targets = {{"kind", {"y"}}}}};
  std::vector<std::string> said;
  options.announce = [&](const Finding& finding) { said.push_back(finding.what); };
  EXPECT_THAT(message_of([&] { open_data(write("p,r,y\n1,2,3\n"), regression(), options); }),
              HasSubstr("data.csv: has no column 'q', which the model was trained on; it has 'r', "
                        "which the model does not know"));
  open_data(write("p,q,r,y\n1,2,3,4\n"), regression(), options);
  EXPECT_THAT(said[0], HasSubstr("not trained on column 'r', which is left out"));
  options.schema->inputs[0].name = "other";
  EXPECT_THAT(message_of([&] { open_data(write("p,q,y\n1,2,3\n"), regression(), options); }),
              HasSubstr("is of a model with the inputs other, this one has features"));
}

TEST_F(OpenTables, TextIsClassesOnlyWhereTheModelTakesThem) {
  const DataOptions options{.target = {"y"}};
  const std::string cell = write("p,q,y\n1,2,3.5\n1,2,12x\n1,2,4\n");
  for (const Model& model : {Model(regression()), Model(three_classes()),
                             Model(model_for("categorical_crossentropy", 3)),
                             Model(model_for("binary_crossentropy", 1, "sigmoid"))})
    EXPECT_THAT(message_of([&] { open_data(cell, model, options); }),
                HasSubstr("data.csv:3:3: column 'y' expected a number, found '12x'"));
  const std::string names = write("p,q,y\n1,2,a\n1,2,b\n1,2,c\n");
  EXPECT_THAT(message_of([&] { open_data(names, regression(), options); }),
              HasSubstr("column 'y' holds text, expected numbers"));
  EXPECT_EQ(message_of([&] { open_data(names, three_classes(), options); }), "no error");
  EXPECT_EQ(message_of([&] { open_data(names, model_for("crossentropy", 3), options); }),
            "no error");
  for (const char* loss : {"binary_crossentropy", "hinge"})
    EXPECT_THAT(message_of([&] { open_data(names, model_for(loss, 1, "sigmoid"), options); }),
                HasSubstr("column 'y' has 3 classes, the model's output 'kind' has one number, "
                          "which separates 2; 'c' occurs once (line 4)"));
}

TEST_F(OpenTables, NamesTheRarestClasses) {
  const std::string text = write("p,q,y\n1,2,a\n1,2,b\n1,2,ab\n1,2,a\n1,2,b\n1,2,c\n1,2,c\n");
  EXPECT_THAT(message_of([&] { open_data(text, three_classes(), {.target = {"y"}}); }),
              HasSubstr("column 'y' has 4 classes, the model's output 'kind' has 3; 'ab' occurs "
                        "once (line 4)"));
  const auto model = three_classes();
  const DataToCheck data = open_to_check(text, &model, {.target = {"y"}});
  EXPECT_THAT(data.records->class_names(), ElementsAre("a", "b", "c"));
  ASSERT_EQ(data.bad.size(), 1u);
  EXPECT_THAT(data.bad[0].detail, HasSubstr("has 4 classes"));
}

TEST_F(OpenTables, ComparesTheClassesOfJsonLinesToo) {
  std::string lines;
  for (const char* kind : {"a", "b", "ab", "a", "b", "c", "c"})
    lines += fmt::format("{{\"p\": 1, \"q\": 2, \"y\": \"{}\"}}\n", kind);
  const std::string text = write(lines, "data.jsonl");
  EXPECT_THAT(message_of([&] { open_data(text, three_classes(), {.target = {"y"}}); }),
              HasSubstr("column 'y' has 4 classes, the model's output 'kind' has 3; 'ab' occurs "
                        "once ("));
  EXPECT_THAT(message_of([&] {
                open_data(text, model_for("binary_crossentropy", 1, "sigmoid"), {.target = {"y"}});
              }),
              HasSubstr("has one number, which separates 2"));
  EXPECT_THAT(message_of([&] { open_data(text, regression(), {.target = {"y"}}); }),
              HasSubstr("data.jsonl: 'y' holds text, expected numbers"));
  const auto model = three_classes();
  const DataToCheck data = open_to_check(text, &model, {.target = {"y"}});
  EXPECT_THAT(data.records->class_names(), ElementsAre("a", "b", "c"));
  ASSERT_EQ(data.bad.size(), 1u);
  EXPECT_THAT(data.bad[0].detail, HasSubstr("data.jsonl:3)"));
}

TEST_F(OpenTables, SeveralTargetsOfTextMustHaveTheSameClasses) {
  const Tensor in = Input({.shape = {2}, .name = "features"});
  Model model({in}, {Dense({.units = 2, .activation = "softmax", .name = "left"})(in),
                     Dense({.units = 2, .activation = "softmax", .name = "right"})(in)});
  model.compile({.loss = "sparse_categorical_crossentropy"});
  const DataOptions options{.target = {"l", "r"}};
  EXPECT_EQ(message_of([&] { open_data(write("p,q,l,r\n1,2,a,b\n1,2,b,a\n"), model, options); }),
            "no error");
  EXPECT_THAT(
      message_of([&] { open_data(write("p,q,l,r\n1,2,a,x\n1,2,b,y\n"), model, options); }),
      HasSubstr("data.csv: the classes of the target 'r' are x, y, those of another target are a, "
                "b; targets of text must have the same classes"));
}

TEST_F(OpenTables, ClassesOfTheModelKeepTheirNumbersInOtherData) {
  write(R"(["a", "b", "c"])", "classes.json");
  const std::string text = write("p,q,y\n1,2,c\n1,2,b\n");
  DataOptions options{.target = {"y"}, .class_names = classes_beside(folder_.path("model.keras"))};
  const Dataset data = open_data(text, three_classes(), options).data;
  EXPECT_THAT(data.source->class_names(), ElementsAre("a", "b", "c"));
  write(R"({"a": 1})", "classes.json");
  EXPECT_THAT(message_of([&] { classes_beside(folder_.path("model.keras")); }),
              HasSubstr("classes.json: expected a list of class names"));
  EXPECT_THAT(classes_beside(folder_.path("none/model.keras")), ElementsAre());
}

TEST_F(OpenTables, SavesColumnsAndClassesBesideAModel) {
  const OpenedData first = open_data(write("p,q,y\n1,2,b\n1,2,a\n3,2,c\n"), three_classes(),
                                     {.target = {"y"}, .encode = "auto"});
  const std::string path = folder_.path("model.keras");
  save_schema(first, path);
  EXPECT_EQ(to_json(*schema_beside(path)), to_json(first.data.schema));
  EXPECT_THAT(classes_beside(path), ElementsAre("a", "b", "c"));
  const std::string more = write("y,q,p\na,2,1\nc,2,3\n", "more.csv");
  const DataOptions known{.schema = schema_beside(path), .class_names = classes_beside(path)};
  const Dataset second = open_data(more, three_classes(), known).data;
  EXPECT_EQ(inputs_of(second, 0), inputs_of(first.data, 1));
}

// What fit has repaired with is known to evaluate.
TEST_F(OpenTables, SavesWhatTheRepairHasLearnt) {
  Sequential model = regression();
  const OpenedData opened = open_data(write("p,q,y\n1,2,1\n3,,2\n2,6,3\n"), model,
                                      {.target = {"y"}, .missing = std::nan("")});
  FitOptions options{.verbose = 0};
  options.reading.repair = RepairWith::mean;
  const History history = model.fit(opened.data, options);
  const std::string path = folder_.path("model.keras");
  save_schema(opened, path, history.repair_values);
  EXPECT_THAT(schema_beside(path)->inputs[0].repair, ElementsAre(2, 4));
  save_schema(opened, path);
  EXPECT_THAT(schema_beside(path)->inputs[0].repair, ElementsAre());
}

// The same files as beside a model that `plimsoll train` has trained.
TEST_F(OpenTables, ARunOfFitKeepsColumnsClassesAndRepairBesideItsModel) {
  Sequential model = three_classes();
  const OpenedData opened = open_data(write("p,q,y\n1,2,b\n3,,a\n2,6,c\n"), model,
                                      {.target = {"y"}, .missing = std::nan("")});
  FitOptions options{.run = folder_.path("run"), .verbose = 0};
  options.reading.repair = RepairWith::mean;
  model.fit(opened.data, options);
  const std::string path = folder_.path("run/model.keras");
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_THAT(classes_beside(path), ElementsAre("a", "b", "c"));
  ASSERT_TRUE(schema_beside(path));
  EXPECT_THAT(schema_beside(path)->inputs[0].columns, ElementsAre("p", "q"));
  EXPECT_THAT(schema_beside(path)->inputs[0].repair, ElementsAre(2, 4));
  // A part of the data is read as the whole is.
  FitOptions split{.validation_split = 0.4, .run = folder_.path("split"), .verbose = 0};
  split.reading.repair = RepairWith::mean;
  three_classes().fit(opened.data, split);
  EXPECT_THAT(schema_beside(folder_.path("split/model.keras"))->inputs[0].columns,
              ElementsAre("p", "q"));
}

TEST_F(OpenTables, SaysWhereColumnsAreTakenByTheirPlaces) {
  const Sequential model = three_classes();
  const std::string table = write("p,q,y\n1,2,b\n3,4,a\n2,6,c\n");
  const auto note = [&](const DataOptions& options) {
    const auto found = about_places(open_data(table, model, options), table, options);
    return found ? to_string(*found) : "";
  };
  EXPECT_THAT(note({.target = {"y"}}),
              HasSubstr("there is no data.json beside the model that says which columns it was "
                        "trained on, so they are its numbers in the order of the table: p, q"));
  const OpenedData first = open_data(table, model, {.target = {"y"}});
  EXPECT_EQ(note({.schema = first.data.schema}), "");
}

// A .npy file of this header.
std::string npy(std::string header, const std::string& bytes) {
  constexpr size_t kHeaderBytes = 70;
  header.resize(kHeaderBytes - 1, ' ');
  return std::string("\x93NUMPY\x01\x00\x46\x00", 10) + header + "\n" + bytes;
}

TEST_F(OpenTables, RefusesTextInTargetsOfArrays) {
  const std::string x = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }", "1234");
  const std::string y = npy("{'descr': '|S1', 'fortran_order': False, 'shape': (2,), }", "ab");
  const std::string both = write(x, "x.npy") + "," + write(y, "y.npy");
  const auto model = three_classes();
  EXPECT_THAT(message_of([&] { open_data(both, model); }),
              HasSubstr("the targets are text, expected numbers"));
  EXPECT_THAT(message_of([&] { open_to_check(both, &model, {}); }),
              HasSubstr("the targets are text, expected numbers"));
}

TEST_F(OpenTables, KeepsBadRecordsUntilTheyAreRead) {
  const std::string text = write("p,q,y\n1,2,3.5\nx,2,4\n3,,5\n4,5,N/A\n6,7\n8,9,1\n");
  EXPECT_THAT(message_of([&] { open_data(text, regression(), {.target = {"y"}}); }),
              HasSubstr("--on-bad-record skip"));
  const Dataset data =
      open_data(text, regression(), {.target = {"y"}, .keeps_bad_records = true}).data;
  EXPECT_EQ(data.source->size(), 6);
  EXPECT_THAT(inputs_of(data, 5), ElementsAre(8, 9));
  const auto complaint = [&](int64_t record) {
    return message_of([&] { inputs_of(data, record); });
  };
  EXPECT_THAT(complaint(1), HasSubstr("data.csv:3:1: column 'p' expected a number, found 'x'"));
  EXPECT_THAT(complaint(2), HasSubstr("data.csv:4:2: column 'q' has no value"));
  EXPECT_THAT(complaint(3), HasSubstr("data.csv:5:3: column 'y' has no value"));
  EXPECT_THAT(complaint(4), HasSubstr("data.csv:6:3: expected 3 fields as in the header, found 2"));
}

TEST_F(OpenTables, NeverMakesUpATarget) {
  const DataOptions options{.target = {"y"}, .missing = 0};
  EXPECT_THAT(message_of([&] { open_data(write("p,q,y\n1,,1\n1,2,\n"), regression(), options); }),
              HasSubstr("data.csv:3:3: column 'y' has no value"));
}

// A table of images is a table without --no-header and --encode, which belong to numbers; its
// target and its classes are treated as those of other tables are.
TEST_F(OpenTables, ImagesOfATableHaveTargetsThatAreRememberedAndCompared) {
  for (const char* name : {"1.png", "2.png", "3.png"})
    write(testing::png_file(2, 2, std::vector<uint8_t>(4, 9)), name);
  Sequential model({InputLayer({.shape = {2, 2, 1}, .name = "photo"}), Flatten(),
                    Dense({.units = 1, .activation = "sigmoid", .name = "kind"})});
  model.compile({.loss = "binary_crossentropy"});
  const std::string two = write("file,y\n1.png,a\n2.png,b\n3.png,a\n");
  const OpenedData first = open_data(two, model, {.target = {"y"}});
  EXPECT_TRUE(first.are_images);
  EXPECT_EQ(first.data.schema.targets,
            (std::vector<TableSchema::Field>{{.name = "kind", .columns = {"y"}}}));
  EXPECT_EQ(open_data(two, model, {.schema = first.data.schema}).data.targets, 1);
  EXPECT_THAT(message_of([&] { open_data(two, model, {.target = {"y"}, .has_header = false}); }),
              HasSubstr("--no-header is for tables of numbers and texts, but column 'file' names "
                        "images"));
  EXPECT_EQ(message_of([&] { open_data(two, model, {.target = {"y"}, .has_header = true}); }),
            "no error");
  const std::string three = write("file,y\n1.png,a\n2.png,b\n3.png,c\n");
  EXPECT_THAT(message_of([&] { open_data(three, model, {.target = {"y"}}); }),
              HasSubstr("column 'y' has 3 classes, the model's output 'kind' has one number, which "
                        "separates 2; 'c' occurs once (line 4)"));
  // For a model of numbers it is a table like any other.
  const std::string numbers = write("file,p,q,y\n1.png,1,2,3\n2.png,2,3,4\n");
  const DataOptions plain{.target = {"y"}, .ignored = {"file"}, .has_header = true};
  EXPECT_EQ(message_of([&] { open_data(numbers, regression(), plain); }), "no error");
}

TEST_F(OpenTables, WarnsIfTheFirstLineOfTextsComesAgain) {
  Sequential model({InputLayer({.shape = {2}, .dtype = DType::string, .name = "words"}),
                    Hashing({.num_bins = 4}), Dense({.units = 1})});
  std::vector<std::string> said;
  DataOptions options{.targets = false};
  options.announce = [&](const Finding& finding) { said.push_back(finding.what); };
  open_data(write("red,oak\nblue,elm\nred,ash\n"), model, options);
  EXPECT_THAT(said, Contains(HasSubstr("a text that comes again below it")));
  options.has_header = false;
  EXPECT_EQ(open_data(write("red,oak\nblue,elm\nred,ash\n"), model, options).data.source->size(),
            3);
}

TEST_F(OpenTables, KnowsATableWithoutAHeader) {
  const std::string bare = write("1.5,2,3.5\n2.5,3,4.5\n");
  EXPECT_THAT(message_of([&] { open_data(bare, regression(), {.target = {"c2"}}); }),
              HasSubstr("the first line is like a record"));
  const auto opened = open_data(bare, regression(), {.target = {"c2"}, .has_header = false});
  EXPECT_EQ(opened.data.source->size(), 2);
  EXPECT_FALSE(opened.data.schema.has_header);
  EXPECT_EQ(open_data(bare, regression(), {.schema = opened.data.schema}).data.source->size(), 2);
}

// The same people in both forms: what is text, number, gap, yes or no in the one is so in the
// other.
TEST_F(OpenTables, JsonLinesAreEncodedAsCsvIs) {
  std::string csv = "sex,age,paid,y\n", lines;
  for (int i = 0; i < 40; ++i) {
    const std::string age = i % 5 == 0 ? "" : std::to_string(20 + i) + ".5";
    const bool is_paid = i % 3 == 0;
    csv += fmt::format("{},{},{},{}\n", i % 2 == 0 ? "f" : "m", age, is_paid ? "true" : "false", i);
    lines += fmt::format("{{\"y\": {}, \"paid\": {}, \"sex\": \"{}\", \"age\": {}}}\n", i, is_paid,
                         i % 2 == 0 ? "f" : "m", age.empty() ? "null" : age);
  }
  Sequential model({InputLayer({.shape = {5}, .name = "features"}), Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const OpenedData table = open_data(write(csv), model, {.target = {"y"}, .encode = "auto"});
  const OpenedData json =
      open_data(write(lines, "data.jsonl"), model, {.target = {"y"}, .encode = "auto"});
  EXPECT_THAT(json.data.schema.encode, HasSubstr("\"boolean\""));
  const OpenedData by_schema =
      open_data(write(lines, "data.jsonl"), model, {.schema = table.data.schema});
  for (int64_t i = 0; i < 40; ++i)
    EXPECT_EQ(inputs_of(by_schema.data, i), inputs_of(table.data, i)) << i;
  EXPECT_EQ(inputs_of(json.data, 7).size(), 5u);
  EXPECT_EQ(json.data.source->element_name(0, 0), "'paid'");
}

// A number of JSON is a number, however the table of training wrote its numbers.
TEST_F(OpenTables, NumbersOfJsonAreReadWhateverTheTableWrote) {
  std::string csv = "price;y\n";
  for (int i = 1; i < 30; ++i) csv += fmt::format("{}.{:03},5 €;1\n", i, 100 + i);
  Sequential model({InputLayer({.shape = {1}, .name = "price"}), Dense({.units = 1})});
  model.compile({.loss = "mse"});
  const OpenedData table = open_data(write(csv), model, {.target = {"y"}, .encode = "auto"});
  const OpenedData lines =
      open_data(write("{\"price\": 2102.5, \"y\": 1}\n{\"price\": [1, 2], \"y\": 1}\n"
                      "{\"price\": \"2 €\", \"y\": 1}\n{\"price\": \"two\", \"y\": 1}\n",
                      "data.jsonl"),
                model, {.schema = table.data.schema});
  EXPECT_EQ(inputs_of(lines.data, 0), inputs_of(table.data, 1));
  inputs_of(lines.data, 2);
  EXPECT_THAT(message_of([&] { inputs_of(lines.data, 1); }),
              HasSubstr("data.jsonl:2: 'price' is a list, expected a single value"));
  EXPECT_THAT(message_of([&] { inputs_of(lines.data, 3); }),
              HasSubstr("data.jsonl:4: 'price' expected a number such as"));
}

}  // namespace
}  // namespace plimsoll
