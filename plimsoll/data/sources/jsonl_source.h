// Records from JSON-lines files, one object per line, parsed as they are asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/data/encode/table_encoding.h"
#include "plimsoll/data/source.h"
#include "plimsoll/formats/tables/json_line.h"

namespace plimsoll {

struct JsonlOptions {
  using Keys = std::vector<std::string>;

  // The keys of each field. A field of one key has the shape of its value; the numbers of several
  // keys are put together to a vector. An input of one number is a vector of one.
  std::vector<Keys> inputs = {};
  std::vector<DType> input_dtypes = {};  // of each input; none: float32. string and int64 are kept
  // A target of one key whose values are mostly texts becomes the number of its class.
  std::vector<Keys> targets = {};
  // One per target: whether text becomes the number of its class; else it is an error, and a number
  // in quotes is that number. None: a text is the name of a class unless it is a number.
  std::vector<bool> take_classes = {};
  std::vector<Keys> weights = {};             // fields that are numbers in any case
  std::vector<std::string> class_names = {};  // of text targets; empty: sorted, as they are found
  // Replaces missing numbers of inputs; none: they are an error, as missing targets always are.
  std::optional<double> missing = {};
  // How single values become numbers (table_learning.h), of the keys that it has: inputs of
  // float32, and targets of one key. Null: values are numbers.
  TableEncodingPtr encoding = {};
  JsonLineLimits limits = {};
};

// The files in their order. The first line that has a value of a key decides its shape. Opening
// reads line ends and parses the first 1,000 lines. If there are targets or texts, it parses all
// lines, to find the classes, whether all numbers are whole, and the longest text. Only the place
// of one line in every few KiB is kept in memory. A line that differs in form is a FlawedRecord,
// naming the line ("a.jsonl:18"), when it is read. InvalidArgument if no line is good, or the
// first 1,000 lack one of these keys.
SourcePtr jsonl_source(const std::vector<std::string>& paths, const JsonlOptions& options);

// The keys of the first 1,000 good lines, in the order in which they come; InvalidArgument if no
// line is good.
std::vector<std::string> jsonl_keys(const std::vector<std::string>& paths,
                                    const JsonLineLimits& limits = {});

}  // namespace plimsoll
