// What layers with a vocabulary read: the words of data, and lists of their configs.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

class Fields;

// The rows of the last axis; of a single axis each element is a row of its own.
std::vector<std::vector<std::string>> text_documents(const Tensor& data);
std::vector<std::vector<int64_t>> number_documents(const Tensor& data);

// A list that is null in a config where it is empty.
void list_or_null(Fields& fields, const char* key, std::vector<std::string>& value);
void list_or_null(Fields& fields, const char* key, std::vector<int64_t>& value);
void list_or_null(Fields& fields, const char* key, std::vector<double>& value);

}  // namespace plimsoll
