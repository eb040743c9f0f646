#include "python/bindings/python_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace plimsoll::python {
namespace {

constexpr std::string_view kHole = "{}";

struct Word {
  std::string_view command;  // {} is one value: a number or a name
  std::string_view python;
};

// The first that fits is taken, so that longer ones come before what they begin with.
constexpr Word kWords[] = {
    {"see all bad records with `plimsoll check`, leave them out with --on-bad-record skip",
     "leave such records out with fit(…, on_bad_record=\"skip\")"},
    {"(and --max-bad, if", "(and max_bad=, if"},
    {" (`plimsoll check` lists them)", ""},
    {"read them with plimsoll convert and --model", "read them with load_weights() of a model"},
    {"; name another folder, or pass --overwrite", "; name another folder"},
    {"--allow-changed", "allow_changed=True"},
    {"(--max-bad)", "(max_bad=)"},
    {"choose to roll back", "choose on_bad_step=\"rollback\""},
    {"pass --threads {}", "call tf.config.threading.set_intra_op_parallelism_threads({})"},
    // Of the doctor.
    {"--batch-size {}", "batch_size={}"},
    {"--class-weight balanced", "class_weight=\"balanced\""},
    {"--early-stopping",
     "callbacks=[keras.callbacks.EarlyStopping(patience=5, restore_best_weights=True)]"},
    {"--epochs {}", "epochs={}"},
    {"--from-logits", "from_logits=True"},
    {"--global-clipnorm {}", "global_clipnorm={}"},
    {"--learning-rate {}", "learning_rate={}"},
    {"--loss {}", "loss=\"{}\""},
    {"--memory {}%", "memory=\"{}%\""},
    {"--no-from-logits", "from_logits=False"},
    {"--normalise", "normalization = keras.layers.Normalization(); normalization.adapt(x)"},
    {"--on-bad-record skip --max-bad {}", "on_bad_record=\"skip\", max_bad={}"},
    {"--on-bad-record skip", "on_bad_record=\"skip\""},
    {"--on-bad-step skip", "on_bad_step=\"skip\""},
    {"--optimizer {}", "optimizer=\"{}\""},
    {"--split-by hash", "order = np.random.permutation(len(x)); x, y = x[order], y[order]"},
    {"--threads {}", "tf.config.threading.set_intra_op_parallelism_threads({})"},
    {"train without --no-shuffle", "fit(…, shuffle=True)"},
    {"plimsoll bench-data DATA", "model.profile(x, y)"},
    {"plimsoll check DATA --model MODEL", "np.unique(y, return_counts=True)"},
    {"plimsoll check DATA", "print(x[:5], y[:5])"},
    {"plimsoll replay RUN", "model.replay(run)"},
    {"plimsoll summary MODEL", "model.summary()"},
    // Who has given a budget.
    {"--memory", "memory="}};

size_t end_of_value(std::string_view text, size_t begin) {
  constexpr std::string_view kOfValues =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
  return std::min(text.find_first_not_of(kOfValues, begin), text.size());
}

std::string with_value(std::string text, std::string_view value) {
  const size_t hole = text.find(kHole);
  return hole == text.npos ? text : text.replace(hole, kHole.size(), value);
}

// "--memory" in "runs/cnn--memory-2g" is no option.
bool is_inside_a_name(std::string_view text, size_t begin, size_t end, bool has_value) {
  constexpr std::string_view kOfNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/";
  if (!text.substr(begin).starts_with("--")) return false;
  const auto is_of_names = [&](size_t at) { return kOfNames.find(text[at]) != kOfNames.npos; };
  return (begin > 0 && is_of_names(begin - 1)) ||
         (!has_value && end < text.size() && is_of_names(end));
}

std::string with_word(std::string text, const Word& word) {
  const size_t hole = word.command.find(kHole);
  const bool has_value = hole != word.command.npos;
  const std::string_view before = word.command.substr(0, hole);
  const std::string_view after = has_value ? word.command.substr(hole + kHole.size()) : "";
  for (size_t at = text.find(before); at != text.npos; at = text.find(before, at)) {
    const size_t begin = at + before.size();
    const size_t end = has_value ? end_of_value(text, begin) : begin;
    const bool is_it = (!has_value || end > begin) &&
                       std::string_view(text).substr(end).starts_with(after) &&
                       !is_inside_a_name(text, at, end, has_value);
    const std::string said =
        is_it ? with_value(std::string(word.python), text.substr(begin, end - begin))
              : std::string(before);
    text.replace(at, is_it ? end + after.size() - at : before.size(), said);
    at += said.size();
  }
  return text;
}

}  // namespace

std::string in_python_words(std::string text) {
  for (const Word& word : kWords) text = with_word(std::move(text), word);
  return text;
}

Finding in_python_words(Finding finding) {
  for (std::string* text : {&finding.where, &finding.what, &finding.remedy})
    *text = in_python_words(std::move(*text));
  return finding;
}

}  // namespace plimsoll::python
