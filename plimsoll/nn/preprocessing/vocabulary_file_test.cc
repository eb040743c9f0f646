#include "plimsoll/nn/preprocessing/vocabulary_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

TEST(VocabularyFile, HasALineForEachWord) {
  const std::vector<std::string> words = {"", "[UNK]", "the cat", "Äpfel"};
  EXPECT_THAT(vocabulary_lines(vocabulary_file(words)),
              ElementsAre("", "[UNK]", "the cat", "Äpfel"));
  EXPECT_TRUE(fits_vocabulary_file(words));
  EXPECT_EQ(vocabulary_file(std::vector<int64_t>{-1, 7}), "-1\n7");
}

TEST(VocabularyFile, EndsLinesWherePythonDoes) {
  EXPECT_THAT(vocabulary_lines("a\r\nb\rc\vd\xe2\x80\xa8"
                               "e\xc2\x85"
                               "f\n\n\n"),
              ElementsAre("a", "b", "c", "d", "e", "f"));
  EXPECT_THAT(vocabulary_lines(""), ElementsAre());
  for (const char* word : {"a\nb", "\r", "x\x1c", "a\xe2\x80\xa9", ""})
    EXPECT_FALSE(fits_vocabulary_file(std::vector<std::string>{"good", word})) << word;
}

TEST(VocabularyFile, RefusesAWordThatIsNoNumber) {
  EXPECT_EQ(word_of_line<int64_t>("-12", "ids"), -12);
  for (const char* line : {"1.5", "", "99999999999999999999", "3 "})
    EXPECT_THROW(word_of_line<int64_t>(line, "ids"), InvalidArgument) << line;
}

}  // namespace
}  // namespace plimsoll
