#include "plimsoll/formats/checkpoint/state.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

Spec list_of(DType dtype, size_t count) {
  return {dtype, {static_cast<int64_t>(count)}};
}

std::vector<int64_t> bits_of(std::span<const double> values) {
  std::vector<int64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<int64_t>(value));
  return bits;
}

}  // namespace

StateWriter StateWriter::within(std::string_view name) const {
  return StateWriter(to_, full(name) + "/");
}

void StateWriter::number(std::string_view name, int64_t value) {
  bytes(name, {DType::int64, {}}, std::as_bytes(std::span(&value, 1)));
}

void StateWriter::numbers(std::string_view name, std::span<const int64_t> values) {
  bytes(name, list_of(DType::int64, values.size()), std::as_bytes(values));
}

void StateWriter::real(std::string_view name, double value) {
  number(name, std::bit_cast<int64_t>(value));
}

void StateWriter::reals(std::string_view name, std::span<const double> values) {
  numbers(name, bits_of(values));
}

void StateWriter::real(std::string_view name, const std::optional<double>& value) {
  if (value) real(name, *value);
}

void StateWriter::text(std::string_view name, std::string_view value) {
  bytes(name, list_of(DType::uint8, value.size()), std::as_bytes(std::span(value)));
}

// The bytes of all, and how many each has.
void StateWriter::texts(std::string_view name, std::span<const std::string> values) {
  std::string all;
  std::vector<int64_t> sizes;
  for (const std::string& value : values) {
    all += value;
    sizes.push_back(static_cast<int64_t>(value.size()));
  }
  StateWriter inside = within(name);
  inside.text("bytes", all);
  inside.numbers("sizes", sizes);
}

void StateWriter::bytes(std::string_view name, const Spec& spec, std::span<const std::byte> bytes) {
  to_.add(full(name), spec, bytes);
}

void StateWriter::bytes(std::string_view name, const Spec& spec,
                        const CheckpointWriter::Read& read) {
  to_.add(full(name), spec, read);
}

void StateWriter::bytes_once(std::string_view name, const Spec& spec,
                             const CheckpointWriter::Read& read) {
  to_.add_once(full(name), spec, read);
}

StateReader StateReader::within(std::string_view name) const {
  return StateReader(from_, full(name) + "/");
}

void StateReader::fail(std::string_view name, const std::string& what) const {
  throw CorruptFile(fmt::format("{}: the entry '{}' {}", path(), full(name), what));
}

int64_t StateReader::number(std::string_view name) const {
  const Spec expected{DType::int64, {}};
  if (spec(name) != expected) fail(name, "is not a number: " + spec(name).to_string());
  int64_t value = 0;
  bytes(name, std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

std::vector<int64_t> StateReader::numbers(std::string_view name) const {
  if (spec(name).dtype != DType::int64) fail(name, "has no numbers: " + spec(name).to_string());
  std::vector<int64_t> values(static_cast<size_t>(spec(name).shape.elements()));
  bytes(name, std::as_writable_bytes(std::span(values)));
  return values;
}

double StateReader::real(std::string_view name) const {
  return std::bit_cast<double>(number(name));
}

std::vector<double> StateReader::reals(std::string_view name) const {
  std::vector<double> values;
  for (const int64_t bits : numbers(name)) values.push_back(std::bit_cast<double>(bits));
  return values;
}

std::optional<double> StateReader::real_if_any(std::string_view name) const {
  return has(name) ? std::optional(real(name)) : std::nullopt;
}

std::string StateReader::text(std::string_view name) const {
  if (spec(name).dtype != DType::uint8) fail(name, "is not a text: " + spec(name).to_string());
  std::string value(static_cast<size_t>(spec(name).bytes()), '\0');
  bytes(name, std::as_writable_bytes(std::span(value)));
  return value;
}

std::vector<std::string> StateReader::texts(std::string_view name) const {
  const StateReader inside = within(name);
  const std::string all = inside.text("bytes");
  std::vector<std::string> values;
  size_t begin = 0;
  for (const int64_t size : inside.numbers("sizes")) {
    if (size < 0 || static_cast<size_t>(size) > all.size() - begin)
      fail(name, "has texts that are longer than their bytes");
    values.push_back(all.substr(begin, static_cast<size_t>(size)));
    begin += static_cast<size_t>(size);
  }
  return values;
}

void StateReader::bytes(std::string_view name, std::span<std::byte> into) const {
  if (spec(name).bytes() != static_cast<int64_t>(into.size()))
    fail(name, fmt::format("has {} bytes, expected {}", spec(name).bytes(), into.size()));
  from_.read(full(name), into);
}

}  // namespace plimsoll
