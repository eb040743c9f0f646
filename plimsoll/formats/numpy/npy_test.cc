#include "plimsoll/formats/numpy/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/numpy/npy_writer.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;
using ::testing::HasSubstr;
using testing::message_of;

NpyArray parse(const std::string& bytes) {
  return NpyArray(memory_source("t.npy", to_bytes(bytes)));
}

std::vector<double> values_of(const HostTensor& tensor) {
  std::vector<double> values;
  visit_dtype(tensor.spec.dtype, [&]<class T>(T) {
    for (int64_t i = 0; i < tensor.spec.shape.elements(); ++i) {
      T element;
      std::memcpy(&element, tensor.storage->data() + i * size_of(tensor.spec.dtype), sizeof(T));
      values.push_back(static_cast<double>(element));
    }
  });
  return values;
}

std::string with_header(const std::string& dictionary, const std::string& elements) {
  std::string bytes = "\x93NUMPY";
  bytes += {1, 0, static_cast<char>(dictionary.size()), 0};
  return bytes + dictionary + elements;
}

TEST(Npy, ReadsWhatNumpyWrote) {
  int count = 0;
  for (const GoldenCase& golden : testing::read_goldens("numpy_files")) {
    if (!golden.name().starts_with("npy")) continue;
    SCOPED_TRACE(golden.name());
    const HostTensor tensor = parse(golden.bytes("file")).read();
    EXPECT_EQ(tensor.spec.shape, golden.tensor("array").shape());
    const auto& expected = golden.values("array");
    const auto found = values_of(tensor);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_EQ(static_cast<float>(found[i]), static_cast<float>(expected[i])) << i;
    ++count;
  }
  EXPECT_GT(count, 20);
}

TEST(Npy, BringsEveryTypeToOneOfOurs) {
  const std::string file = "t.npy";
  EXPECT_EQ(parse_npy_type("<f2", file).dtype(), DType::float32);
  EXPECT_EQ(parse_npy_type("<f8", file).dtype(), DType::float32);
  EXPECT_EQ(parse_npy_type("|i1", file).dtype(), DType::int32);
  EXPECT_EQ(parse_npy_type("<u2", file).dtype(), DType::int32);
  EXPECT_EQ(parse_npy_type(">u4", file).dtype(), DType::int64);
  EXPECT_EQ(parse_npy_type("|b1", file).dtype(), DType::boolean);
  EXPECT_TRUE(parse_npy_type("<i8", file).is_plain());
  EXPECT_FALSE(parse_npy_type(">i8", file).is_plain());
  EXPECT_FALSE(parse_npy_type("|b1", file).is_plain());
}

TEST(Npy, ReadsHalvesOfEveryKind) {
  const uint16_t halves[] = {0x0000, 0x3c00, 0xc000, 0x0001, 0x83ff, 0x7bff, 0x7c00, 0xfc00};
  std::vector<float> floats(8);
  const NpyType type{'f', 2, false};
  ASSERT_TRUE(type.convert(reinterpret_cast<const std::byte*>(halves), 8,
                           reinterpret_cast<std::byte*>(floats.data())));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(floats, ::testing::ElementsAre(0.0f, 1.0f, -2.0f, 0x1p-24f, -0x1.ff8p-15f, 65504.0f,
                                             infinity, -infinity));
}

TEST(Npy, ReadsARangeOfRowsInEveryOrder) {
  for (const char* name : {"npy_f8", "npy_fortran", "npy_big_i4"}) {
    SCOPED_TRACE(name);
    const NpyArray array = parse(testing::read_golden("numpy_files", name).bytes("file"));
    const HostTensor whole = array.read();
    std::vector<std::byte> rows(static_cast<size_t>(2 * array.row_bytes()));
    array.read_rows(1, 2, rows.data());
    EXPECT_EQ(std::memcmp(rows.data(), whole.storage->data() + array.row_bytes(), rows.size()), 0);
    EXPECT_THAT(message_of([&] { array.read_rows(3, 2, rows.data()); }),
                HasSubstr("t.npy: rows 3 to 5 do not all exist; it has 4"));
  }
}

TEST(Npy, WritesOutFortranOrderByRows) {
  const TemporaryFolder folder;
  const NpyArray columns =
      parse(testing::read_golden("numpy_files", "npy_fortran_3d").bytes("file"));
  ASSERT_FALSE(columns.is_row_order());
  const NpyArray rows = in_row_order(columns, folder.path().string());
  EXPECT_TRUE(rows.is_row_order());
  EXPECT_EQ(values_of(rows.read()), values_of(columns.read()));
  EXPECT_EQ(folder.count(), 0u);  // the file has no name
}

std::vector<std::string> texts_in(const HostTensor& tensor) {
  std::vector<std::string> found;
  const int64_t slot = slot_bytes(tensor.spec);
  for (int64_t at = 0; at < tensor.spec.bytes(); at += slot)
    found.emplace_back(text_in(tensor.storage->data() + at, slot));
  return found;
}

TEST(Npy, ReadsTextAndWritesItAsBytes) {
  const TemporaryFolder folder;
  const std::string bytes("ab\0\0\0abcde", 10), wide("\0\0\0A\0\0\0\xc4\0\1\xf6\0\0\0\0\0", 16);
  const HostTensor narrow =
      parse(with_header("{'descr': '|S5', 'fortran_order': False, 'shape': (2,), }", bytes)).read();
  EXPECT_EQ(narrow.spec, (Spec{DType::string, {2, 2}}));
  EXPECT_THAT(texts_in(narrow), ::testing::ElementsAre("ab", "abcde"));
  const HostTensor big_endian =
      parse(with_header("{'descr': '>U2', 'fortran_order': False, 'shape': (2, 1), }", wide))
          .read();
  EXPECT_EQ(big_endian.spec, (Spec{DType::string, {2, 1, 2}}));
  EXPECT_THAT(texts_in(big_endian), ::testing::ElementsAre("AÄ", "😀"));
  write_npy(folder.path("t.npy"), big_endian);
  const HostTensor again = NpyArray(file_source(folder.path("t.npy"))).read();
  EXPECT_EQ(again.spec, big_endian.spec);
  EXPECT_EQ(texts_in(again), texts_in(big_endian));
  const std::string bad("\0\x11\0\0", 4);
  EXPECT_THAT(
      message_of([&] {
        parse(with_header("{'descr': '>U1', 'fortran_order': False, 'shape': (1,), }", bad)).read();
      }),
      HasSubstr("a character that is not valid Unicode"));
}

TEST(Npy, RefusesWhatIsNoArrayOfNumbers) {
  const auto complaint = [](const std::string& dictionary, const std::string& elements = "") {
    return message_of([&] { parse(with_header(dictionary, elements)); });
  };
  EXPECT_THAT(message_of([] { parse("PK\3\4 and so on"); }), HasSubstr("t.npy: is not a .npy"));
  EXPECT_THAT(complaint("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"),
              HasSubstr("Python objects, which are never loaded"));
  EXPECT_THAT(complaint("{'descr': '<U5', 'fortran_order': False, 'shape': (1,), }"),
              HasSubstr("takes 20 bytes, found 0"));
  EXPECT_THAT(complaint("{'descr': '|S0', 'fortran_order': False, 'shape': (1,), }"),
              HasSubstr("type '|S0'"));
  EXPECT_THAT(complaint("{'descr': '|S999999999', 'fortran_order': False, 'shape': (1,), }"),
              HasSubstr("type '|S999999999'"));
  EXPECT_THAT(complaint("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }"),
              HasSubstr("structured array"));
  EXPECT_THAT(complaint("{'descr': '<f4', 'fortran_order': False, }"), HasSubstr("or 'shape'"));
  EXPECT_THAT(complaint("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "1234"),
              HasSubstr("shape (2,), which takes 8 bytes, found 4"));
  EXPECT_THAT(complaint("{'descr': '<f4', 'fortran_order': False, 'shape': "
                        "(4294967296, 4294967296), }"),
              HasSubstr("too many bytes"));
  EXPECT_THAT(complaint("{'descr': '<f4', 'fortran_order': False, 'shape': (__import__('os'),), }"),
              HasSubstr("no number where a dimension is expected"));
}

TEST(Npy, RefusesUnsignedNumbersThatHaveNoPlace) {
  const std::string huge(8, '\xff');
  const NpyArray array =
      parse(with_header("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", huge));
  EXPECT_THAT(message_of([&] { array.read(); }), HasSubstr("that an int64 cannot hold"));
}

TEST(Npy, SurvivesDamage) {
  const auto read = [](const std::string& bytes) { parse(bytes).read(1 << 20); };
  expect_harmless_damage(testing::read_golden("numpy_files", "npy_f4").bytes("file"), read);
  expect_harmless_damage(testing::read_golden("numpy_files", "npy_fortran").bytes("file"), read);
}

TEST(NpyWriter, WritesWhatNumpyWouldWrite) {
  const TemporaryFolder folder;
  for (const char* name : {"npy_f4", "npy_i8", "npy_u1", "npy_b1", "npy_scalar", "npy_vector"}) {
    SCOPED_TRACE(name);
    const std::string bytes = testing::read_golden("numpy_files", name).bytes("file");
    write_npy(folder.path("a.npy"), parse(bytes).read());
    EXPECT_EQ(bytes_of(folder.path("a.npy")), bytes);
  }
}

TEST(NpyWriter, AppearsWholeOrNotAtAll) {
  const TemporaryFolder folder;
  {
    NpyWriter writer(folder.path("a.npy"), {DType::float32, {2, 2}});
    writer.append(to_bytes("12345678"));
    EXPECT_THAT(message_of([&] { writer.finish(); }), HasSubstr("expected the 16 bytes"));
  }
  EXPECT_EQ(folder.count(), 0u);
}

}  // namespace
}  // namespace plimsoll
