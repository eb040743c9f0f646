// The text file in which Keras keeps a vocabulary: one word per line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// Without the empty lines at the end. A line ends wherever Python's splitlines() ends one.
std::vector<std::string_view> vocabulary_lines(std::string_view text);

// The word that a line holds. InvalidArgument, beginning with `owner`, where it is no number.
template <class Word>
Word word_of_line(std::string_view line, const std::string& owner);

std::string vocabulary_file(const std::vector<std::string>& words);
std::string vocabulary_file(const std::vector<int64_t>& words);

// False where the words would not come back: one has the end of a line in it, or the last is empty.
bool fits_vocabulary_file(const std::vector<std::string>& words);
bool fits_vocabulary_file(const std::vector<int64_t>& words);

}  // namespace plimsoll
