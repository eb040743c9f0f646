#include "plimsoll/train/runs/program_words.h"

#include <fstream>

namespace plimsoll {

std::vector<std::string> program_words() {
  constexpr size_t kMostWords = 64, kMostBytes = 400;
  std::vector<std::string> words;
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  for (std::string word; words.size() < kMostWords && std::getline(file, word, '\0');)
    words.push_back(word.substr(0, kMostBytes));
  return words;
}

}  // namespace plimsoll
