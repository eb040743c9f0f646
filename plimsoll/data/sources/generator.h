// Records that a function makes when they are asked for, as tf.data's from_generator has them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plimsoll/data/record_fields.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Writes every field of the record with this number. It should depend on nothing but the number, so
// that data can be shuffled and a run resumed, and may be called from several threads.
using RecordFunction = std::function<void(int64_t record, const RecordWriter& into)>;

// `size` records of these fields, one at a time in memory.
SourcePtr from_generator(const Specs& fields, int64_t size, RecordFunction make);

// Writes every field of the next record; false: there is none. It is called from one thread at a
// time.
using NextRecord = std::function<bool(const RecordWriter& into)>;

struct GeneratorOptions {
  // How many records there are. None: the function is called at once until it returns false; a
  // function that never does needs a number.
  std::optional<int64_t> records = {};
  std::string folder = {};  // where the records are kept; empty: where the program runs
};

// Records that can only be made one after the other. Each is made once, when it or a later one is
// first asked for, and kept in a file that has no name: so they can be shuffled, and memory stays
// as it is. InvalidArgument where the function ends before the number of records.
SourcePtr from_generator(const Specs& fields, NextRecord next,
                         const GeneratorOptions& options = {});

}  // namespace plimsoll
