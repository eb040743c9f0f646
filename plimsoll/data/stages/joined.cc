// Several sources as one.
#include <algorithm>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/data/stages/stages.h"

namespace plimsoll {
namespace {

using Sources = std::vector<SourcePtr>;

// A record of one of them.
struct Member {
  size_t source;
  int64_t record;
};

// Sources with the same fields; a derived class decides which record is read from which source.
class Joined : public Source {
 public:
  Joined(Sources sources, const char* stage) : sources_(std::move(sources)) {
    if (sources_.empty())
      throw InvalidArgument(std::string(stage) + ": expected at least one source, found none");
    for (const SourcePtr& source : sources_) {
      if (source->fields() != fields())
        throw InvalidArgument(std::string(stage) + ": the sources must have the same fields, '" +
                              sources_[0]->name(0) + "' and '" + source->name(0) + "' differ");
      size_ += source->size();
    }
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return sources_[0]->fields(); }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    const Member member = find(id.number);
    sources_[member.source]->read({member.record, id.epoch}, into);
  }
  std::string name(RecordId id) const override {
    const Member member = find(id.number);
    return sources_[member.source]->name({member.record, id.epoch});
  }
  std::string element_name(size_t field, int64_t element) const override {
    return sources_[0]->element_name(field, element);
  }
  bool is_in_memory() const override {
    return std::ranges::all_of(sources_, [](const SourcePtr& s) { return s->is_in_memory(); });
  }
  std::span<const std::string> class_names() const override { return sources_[0]->class_names(); }
  std::string files_hash() const override { return files_hash_of(sources_); }
  bool has_fixed_order() const override {
    return std::ranges::all_of(sources_, [](const SourcePtr& s) { return s->has_fixed_order(); });
  }
  bool has_same_records() const override {
    return std::ranges::all_of(sources_, [](const SourcePtr& s) { return s->has_same_records(); });
  }

 protected:
  const Sources& sources() const { return sources_; }

 private:
  virtual Member find(int64_t number) const = 0;

  Sources sources_;
  int64_t size_ = 0;
};

class Concatenated final : public Joined {
 public:
  explicit Concatenated(Sources list) : Joined(std::move(list), "concatenate") {
    int64_t end = 0;
    for (const SourcePtr& source : sources()) ends_.push_back(end += source->size());
  }

 private:
  Member find(int64_t number) const override {
    const auto at = static_cast<size_t>(std::ranges::upper_bound(ends_, number) - ends_.begin());
    return {at, number - (at == 0 ? 0 : ends_[at - 1])};
  }

  std::vector<int64_t> ends_;
};

class Interleaved final : public Joined {
 public:
  Interleaved(Sources list, const InterleaveOptions& options)
      : Joined(std::move(list), "interleave"), block_(options.block_length) {
    if (options.cycle_length < 0 || options.block_length < 1)
      throw InvalidArgument(
          "interleave: expected a cycle_length of 0 or more and a block_length "
          "of 1 or more");
    const size_t all = sources().size();
    find_phases(
        options.cycle_length == 0 ? all : std::min(all, static_cast<size_t>(options.cycle_length)));
  }

 private:
  // While the same sources take turns, the source of a record is found by arithmetic.
  struct Phase {
    int64_t begin;
    std::vector<Member> open;  // in the order of their turns, with their next records
  };

  int64_t left(const Member& member) const {
    return sources()[member.source]->size() - member.record;
  }

  void find_phases(size_t width) {
    size_t next = 0;
    Phase phase{0, {}};
    while (next < width) phase.open.push_back({next++, 0});
    while (!phase.open.empty()) {
      phases_.push_back(phase);
      run_until_one_ends(phase);
      // A source that is opened later goes to the end of the cycle.
      if (next < sources().size()) phase.open.push_back({next++, 0});
    }
  }

  // Moves to where a source has ended: in the turn in which it has no whole block left, as tf.data
  // has it.
  void run_until_one_ends(Phase& phase) const {
    const auto turns = [&](const Member& m) { return left(m) / block_; };
    const auto first = std::ranges::min_element(phase.open, {}, turns);
    const int64_t whole = turns(*first), last = left(*first) - whole * block_;
    const auto at = first - phase.open.begin();
    for (auto member = phase.open.begin(); member != phase.open.end(); ++member) {
      const int64_t records = whole * block_ + (member < first ? block_ : 0);
      if (member != first) member->record += records;
      phase.begin += member == first ? whole * block_ + last : records;
    }
    std::rotate(phase.open.begin(), phase.open.begin() + at + 1, phase.open.end());
    phase.open.pop_back();
  }

  Member find(int64_t number) const override {
    const auto next = std::ranges::upper_bound(phases_, number, {}, &Phase::begin);
    const Phase& phase = *(next - 1);
    const auto width = static_cast<int64_t>(phase.open.size());
    const int64_t offset = number - phase.begin;
    const int64_t turn = offset / block_;
    const Member& member = phase.open[static_cast<size_t>(turn % width)];
    return {member.source, member.record + turn / width * block_ + offset % block_};
  }

  int64_t block_;
  std::vector<Phase> phases_;
};

class Zipped final : public Source {
 public:
  explicit Zipped(Sources sources) : sources_(std::move(sources)) {
    if (sources_.empty()) throw InvalidArgument("zip: expected at least one source, found none");
    size_ = sources_[0]->size();
    for (const SourcePtr& source : sources_) {
      size_ = std::min(size_, source->size());
      fields_.insert(fields_.end(), source->fields().begin(), source->fields().end());
    }
  }

  int64_t size() const override { return size_; }
  const Specs& fields() const override { return fields_; }
  void read(RecordId id, std::span<std::byte* const> into) const override {
    for (const SourcePtr& source : sources_) {
      source->read(id, into.first(source->fields().size()));
      into = into.subspan(source->fields().size());
    }
  }
  std::string name(RecordId id) const override {
    std::string text;
    for (const SourcePtr& source : sources_) text += (text.empty() ? "" : " + ") + source->name(id);
    return text;
  }
  std::string element_name(size_t field, int64_t element) const override {
    size_t source = 0;
    while (field >= sources_[source]->fields().size()) field -= sources_[source++]->fields().size();
    return sources_[source]->element_name(field, element);
  }
  bool has_fixed_order() const override {
    return std::ranges::all_of(sources_, [](const SourcePtr& s) { return s->has_fixed_order(); });
  }
  bool is_in_memory() const override {
    return std::ranges::all_of(sources_, [](const SourcePtr& s) { return s->is_in_memory(); });
  }
  std::span<const std::string> class_names() const override {
    return sources_.back()->class_names();
  }
  std::string files_hash() const override { return files_hash_of(sources_); }

 private:
  Sources sources_;
  Specs fields_;
  int64_t size_;
};

}  // namespace

SourcePtr concatenate(std::vector<SourcePtr> sources) {
  return std::make_shared<Concatenated>(std::move(sources));
}

SourcePtr interleave(std::vector<SourcePtr> sources, const InterleaveOptions& options) {
  return std::make_shared<Interleaved>(std::move(sources), options);
}

SourcePtr zipped(std::vector<SourcePtr> sources) {
  return std::make_shared<Zipped>(std::move(sources));
}

}  // namespace plimsoll
