#include "plimsoll/nn/preprocessing/index_lookup_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_set>
#include <utility>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/preprocessing/encode_indices.h"
#include "plimsoll/nn/preprocessing/vocabulary_file.h"
#include "plimsoll/nn/shapes_only.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

constexpr const char* kVocabularyFile = "vocabulary.txt";
constexpr const char* kIdfWeights = "idf_weights";

HashRule hash_rule(const std::vector<int64_t>& salt, bool is_modulo) {
  HashRule rule{.is_modulo = is_modulo};
  if (!salt.empty()) rule.salt = {{static_cast<uint64_t>(salt[0]), static_cast<uint64_t>(salt[1])}};
  return rule;
}

}  // namespace

template <class Word>
std::string_view IndexLookupBody<Word>::class_name() const {
  return std::is_same_v<Word, std::string> ? "StringLookup" : "IntegerLookup";
}

template <class Word>
bool IndexLookupBody<Word>::takes_text() const {
  return std::is_same_v<Word, std::string> && !this->options_.invert;
}

template <class Word>
void IndexLookupBody<Word>::validate() {
  static const std::set<std::string> kModes = {"int", "one_hot", "multi_hot", "count", "tf_idf"};
  Options& options = this->options_;
  if (options.output_mode == "binary") options.output_mode = "multi_hot";
  if (options.output_mode == "tf-idf") options.output_mode = "tf_idf";
  if (!kModes.contains(options.output_mode))
    this->refuse(fmt::format("output_mode must be one of {}, found '{}'", fmt::join(kModes, ", "),
                             options.output_mode));
  if (options.max_tokens && *options.max_tokens <= 1)
    this->refuse(fmt::format("max_tokens must be over 1, found {}", *options.max_tokens));
  if (options.pad_to_max_tokens && !options.max_tokens)
    this->refuse("pad_to_max_tokens needs max_tokens");
  if (options.num_oov_indices < 0)
    this->refuse(
        fmt::format("num_oov_indices must be at least 0, found {}", options.num_oov_indices));
  if (options.invert && is_counted()) this->refuse("invert needs the output_mode 'int'");
  if (options.salt.size() == 1) options.salt.push_back(options.salt[0]);
  if (options.salt.size() > 2) this->refuse("salt must be one number or two");
  if (!options.idf_weights.empty() && options.output_mode != "tf_idf")
    this->refuse("idf_weights need the output_mode 'tf_idf'");
  if (options.vocabulary.empty()) return;
  set_vocabulary(options.vocabulary, {options.idf_weights.begin(), options.idf_weights.end()});
}

template <class Word>
int64_t IndexLookupBody<Word>::first_unknown() const {
  return this->options_.mask_token && !is_counted() ? 1 : 0;
}

template <class Word>
int64_t IndexLookupBody<Word>::first_word() const {
  return first_unknown() + this->options_.num_oov_indices;
}

template <class Word>
std::vector<Word> IndexLookupBody<Word>::special_words() const {
  std::vector<Word> special;
  if (first_unknown() > 0) special.push_back(*this->options_.mask_token);
  special.resize(static_cast<size_t>(first_word()), this->options_.oov_token);
  return special;
}

template <class Word>
std::vector<Word> IndexLookupBody<Word>::vocabulary() const {
  std::vector<Word> all = special_words();
  all.insert(all.end(), words_.begin(), words_.end());
  return all;
}

template <class Word>
void IndexLookupBody<Word>::set_vocabulary(std::vector<Word> words, std::vector<float> idf) {
  const Options& options = this->options_;
  if (words.empty()) this->refuse("the vocabulary is empty");
  const size_t given = words.size();
  const std::vector<Word> special = special_words();
  const bool begins_special =
      given >= special.size() && std::equal(special.begin(), special.end(), words.begin());
  if (begins_special) words.erase(words.begin(), words.begin() + std::ssize(special));
  std::unordered_set<Word> seen;
  for (const Word& word : words)
    if (!seen.insert(word).second) this->refuse(fmt::format("the vocabulary has '{}' twice", word));
  if (options.mask_token && seen.contains(*options.mask_token))
    this->refuse(
        fmt::format("the vocabulary has the mask '{}' among its words", *options.mask_token));
  if (options.invert && seen.contains(options.oov_token))
    this->refuse(
        fmt::format("the vocabulary has '{}', which stands for unknown words", options.oov_token));
  const int64_t size = first_word() + std::ssize(words);
  if (options.max_tokens && size > *options.max_tokens)
    this->refuse(
        fmt::format("the vocabulary has {} indices, max_tokens is {}", size, *options.max_tokens));
  make_table(std::move(words));
  if (options.output_mode != "tf_idf") return;
  // Numbers that a file has are those of all indices already.
  if (idf.size() != given && std::ssize(idf) != depth())
    this->refuse(
        fmt::format("expected an idf weight for each of {} words, found {}", given, idf.size()));
  if (!begins_special) {
    const double mean = std::accumulate(idf.begin(), idf.end(), 0.0) /
                        static_cast<double>(std::max<size_t>(idf.size(), 1));
    idf.insert(idf.begin(), special.size(), static_cast<float>(mean));
  }
  idf.resize(static_cast<size_t>(depth()), 0);
  idf_ = std::move(idf);
}

template <class Word>
void IndexLookupBody<Word>::make_table(std::vector<Word> words) {
  Options& options = this->options_;
  words_ = std::move(words);
  options.vocabulary_size = first_word() + std::ssize(words_);
  table_ = std::make_shared<IndexTable<Word>>(typename IndexTable<Word>::Options{
      .words = words_,
      .mask = options.mask_token,
      .mask_index = is_counted() ? kDroppedIndex : 0,
      .first_unknown = first_unknown(),
      .unknown = options.num_oov_indices,
      .unknown_word = options.oov_token,
      .hash = hash_rule(options.salt, options.oov_method != "farmhash")});
}

template <class Word>
TablePtr<Word> IndexLookupBody<Word>::table() const {
  if (table_ != nullptr) return table_;
  if (!ShapesOnly::is_open())
    this->refuse(
        "has no vocabulary; call adapt(), give it one, or load it from a .keras file, which holds "
        "it");
  return std::make_shared<IndexTable<Word>>(typename IndexTable<Word>::Options{});
}

template <class Word>
int64_t IndexLookupBody<Word>::depth() const {
  const Options& options = this->options_;
  if (options.pad_to_max_tokens) return *options.max_tokens;
  if (!options.vocabulary_size)
    this->refuse(
        "has no vocabulary yet, so the size of its output is unknown; call adapt(), or give "
        "it one");
  return *options.vocabulary_size;
}

template <class Word>
Tensor IndexLookupBody<Word>::encoded(const Tensor& indices) const {
  const std::string& mode = this->options_.output_mode;
  if (mode != "tf_idf") return encode_indices(indices, mode, is_counted() ? depth() : 0);
  const Tensor counts = encode_indices(indices, "count", depth());
  return idf_.empty() ? counts : counts * constant(idf_, {std::ssize(idf_)});
}

template <class Word>
Tensors IndexLookupBody<Word>::call(const Tensors& inputs, const CallContext&) {
  Tensor x = inputs[0];
  const bool is_text = x.dtype() == DType::string;
  if (takes_text() && !is_text)
    this->refuse(fmt::format("takes text, found {}", name_of(x.dtype())));
  if (!is_text && x.dtype() != DType::int32 && x.dtype() != DType::int64) x = cast(x, DType::int64);
  if (this->options_.invert) return {lookup_words(x, table())};
  return {encoded(lookup_indices(x, table()))};
}

template <class Word>
bool IndexLookupBody<Word>::is_written_to_config() const {
  return !this->options_.vocabulary.empty() || !fits_vocabulary_file(words_);
}

template <class Word>
void IndexLookupBody<Word>::config_fields(Fields& fields) const {
  Options options = this->options_;
  if (options.vocabulary.empty() && is_written_to_config()) {
    options.vocabulary = vocabulary();
    options.idf_weights.assign(idf_.begin(), idf_.end());
  }
  describe(fields, options);
}

template <class Word>
KeepsState::State IndexLookupBody<Word>::state() const {
  KeepsState::State state;
  if (table_ != nullptr && !is_written_to_config())
    state.files[kVocabularyFile] = vocabulary_file(vocabulary());
  if (!idf_.empty()) state.numbers[kIdfWeights] = idf_;
  return state;
}

template <class Word>
KeepsState::State IndexLookupBody<Word>::wanted_state() const {
  KeepsState::State wanted;
  if (!is_written_to_config()) wanted.files[kVocabularyFile];
  if (this->options_.output_mode == "tf_idf") wanted.numbers[kIdfWeights];
  return wanted;
}

template <class Word>
void IndexLookupBody<Word>::set_state(const KeepsState::State& state) {
  const auto numbers = state.numbers.find(kIdfWeights);
  const auto file = state.files.find(kVocabularyFile);
  const std::vector<float> idf = numbers == state.numbers.end() ? idf_ : numbers->second;
  if (file != state.files.end()) {
    std::vector<Word> words;
    for (const std::string_view line : vocabulary_lines(file->second))
      words.push_back(word_of_line<Word>(line, this->name()));
    const std::optional<int64_t> size = this->options_.vocabulary_size;
    // An empty word at the end is a line that seems to be none; Keras cannot load such a file.
    if constexpr (std::is_same_v<Word, std::string>)
      if (size == std::ssize(words) + 1 && file->second.ends_with('\n')) words.emplace_back();
    if (size && is_counted() && *size != std::ssize(words))
      this->refuse(
          fmt::format("the vocabulary has {} indices, the config says {}", words.size(), *size));
    set_vocabulary(std::move(words), idf);
  } else if (table_ != nullptr && std::ssize(idf) != depth()) {
    this->refuse(fmt::format("expected {} idf_weights, found {}", depth(), idf.size()));
  } else {
    idf_ = idf;
  }
}

template <class Word>
void IndexLookupBody<Word>::adapt(const std::vector<std::vector<Word>>& documents) {
  const Options& options = this->options_;
  if (!options.vocabulary.empty()) this->refuse("has a vocabulary already; it cannot be adapted");
  std::map<Word, std::pair<int64_t, int64_t>> counts;  // of occurrences, of documents
  for (const std::vector<Word>& document : documents) {
    std::set<Word> here;
    for (const Word& word : document) {
      if (word == options.oov_token || (options.mask_token && word == *options.mask_token))
        continue;
      ++counts[word].first;
      if (here.insert(word).second) ++counts[word].second;
    }
  }
  std::vector<const std::pair<const Word, std::pair<int64_t, int64_t>>*> order;
  for (const auto& entry : counts) order.push_back(&entry);
  std::ranges::sort(order, [](const auto* a, const auto* b) {
    return a->second.first != b->second.first ? a->second.first > b->second.first
                                              : a->first > b->first;
  });
  if (options.max_tokens)
    order.resize(std::min(order.size(), static_cast<size_t>(std::max<int64_t>(
                                            *options.max_tokens - first_word(), 0))));
  std::vector<Word> words = special_words();
  std::vector<float> idf;
  for (const auto* entry : order) {
    words.push_back(entry->first);
    idf.push_back(
        static_cast<float>(std::log(1 + static_cast<double>(documents.size()) /
                                            (1.0 + static_cast<double>(entry->second.second)))));
  }
  if (options.output_mode == "tf_idf") {
    const double mean = std::accumulate(idf.begin(), idf.end(), 0.0) /
                        static_cast<double>(std::max<size_t>(idf.size(), 1));
    idf.insert(idf.begin(), static_cast<size_t>(first_word()), static_cast<float>(mean));
  } else {
    idf.clear();
  }
  set_vocabulary(std::move(words), std::move(idf));
}

template class IndexLookupBody<std::string>;
template class IndexLookupBody<int64_t>;

}  // namespace plimsoll
