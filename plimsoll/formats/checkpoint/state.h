// StateWriter and StateReader: what an object must know to go on in another process, as named
// entries of a checkpoint. An object writes its members under names of its own and reads them back
// in any order.
//
//   void save_state(StateWriter& to) const { to.number("wait", wait_); }
//   void load_state(const StateReader& from) { wait_ = from.number("wait"); }
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/formats/checkpoint/checkpoint_file.h"

namespace plimsoll {

class StateWriter {
 public:
  // `to` must outlive it. Names begin with the prefix.
  explicit StateWriter(CheckpointWriter& to, std::string prefix = "")
      : to_(to), prefix_(std::move(prefix)) {}

  // For an object inside this one: its names begin with "name/".
  StateWriter within(std::string_view name) const;

  void number(std::string_view name, int64_t value);
  void numbers(std::string_view name, std::span<const int64_t> values);
  // Bit for bit, also NaN and infinity.
  void real(std::string_view name, double value);
  void reals(std::string_view name, std::span<const double> values);
  // Nothing is written where there is none.
  void real(std::string_view name, const std::optional<double>& value);
  void text(std::string_view name, std::string_view value);
  void texts(std::string_view name, std::span<const std::string> values);
  void bytes(std::string_view name, const Spec& spec, std::span<const std::byte> bytes);
  // Of bytes that are not in memory.
  void bytes(std::string_view name, const Spec& spec, const CheckpointWriter::Read& read);
  // Of values that the checkpoint may have already: then they are not stored again. `read` is
  // called as long as anything is added.
  void bytes_once(std::string_view name, const Spec& spec, const CheckpointWriter::Read& read);

  // Nothing is written: the bytes are counted.
  bool only_counts() const { return to_.only_counts(); }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }

  CheckpointWriter& to_;
  std::string prefix_;
};

// Everything throws CorruptFile, which begins with the file's path, where an entry is missing or of
// another type.
class StateReader {
 public:
  explicit StateReader(const CheckpointFile& from, std::string prefix = "")
      : from_(from), prefix_(std::move(prefix)) {}

  StateReader within(std::string_view name) const;
  bool has(std::string_view name) const { return from_.has(full(name)); }

  int64_t number(std::string_view name) const;
  std::vector<int64_t> numbers(std::string_view name) const;
  double real(std::string_view name) const;
  std::vector<double> reals(std::string_view name) const;
  std::optional<double> real_if_any(std::string_view name) const;
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const Spec& spec(std::string_view name) const { return from_.spec(full(name)); }
  // `into` has the size of the entry.
  void bytes(std::string_view name, std::span<std::byte> into) const;
  const std::string& path() const { return from_.path(); }

 private:
  std::string full(std::string_view name) const { return prefix_ + std::string(name); }
  [[noreturn]] void fail(std::string_view name, const std::string& what) const;

  const CheckpointFile& from_;
  std::string prefix_;
};

}  // namespace plimsoll
