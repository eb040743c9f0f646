#include "plimsoll/data/loader/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

int64_t batch_size_of(const Source& source, int64_t asked) {
  if (asked < 1)
    throw InvalidArgument(fmt::format("batch_size: expected 1 or more, found {}", asked));
  if (source.size() < 1) throw InvalidArgument("data: there is no record");
  return std::min(asked, source.size());
}

namespace {

// A smaller batch may have larger parts.
int64_t window_rows(int64_t batch_size, const LoaderOptions& options) {
  return std::min(batch_size, PartSizes(batch_size, options.part_size).most);
}

}  // namespace

int64_t loader_bytes(const Specs& fields, int64_t batch_size, const LoaderOptions& options) {
  const int64_t rows = std::max(1, options.windows) * window_rows(batch_size, options) +
                       (options.bad.then == OnBadRecord::skip ? 1 : 0);
  int64_t bytes = 0;
  for (const Spec& field : fields) bytes += field.bytes() * rows;
  return bytes;
}

Loader::Loader(SourcePtr source, int64_t batch_size, const LoaderOptions& options)
    : source_(std::move(source)),
      batch_size_(batch_size_of(*source_, batch_size)),
      options_(options),
      bad_(source_->size(), options.bad),
      ahead_(*source_, options.workers) {
  const int64_t rows = window_rows(batch_size_, options);
  for (int i = 0; i < std::max(1, options.windows); ++i) {
    windows_.push_back(std::make_unique<LoadWindow>(source_->fields(), rows));
    free_.push_back(windows_.back().get());
  }
  planned_.reserve(windows_.size());
  if (bad_.may_skip()) probe_ = std::make_unique<LoadWindow>(source_->fields(), 1);
}

Loader::~Loader() = default;

void Loader::start(const DataPosition& position) {
  position_ = position;
  parts_ = PartSizes(0, 0);
  places_.clear();
  is_whole_epoch_ = position.place == 0;
  current_ = nullptr;
  restart_at({.place = position.place, .batch_place = position.place});
}

DataPosition Loader::next_position() const {
  const bool is_loaded = !places_.empty() && std::ssize(places_) == parts_.batch;
  return {position_.epoch, position_.row + parts_.batch,
          is_loaded ? places_.back() + 1 : position_.place + parts_.batch};
}

int64_t Loader::begin_batch() {
  position_ = next_position();
  parts_ = PartSizes(0, 0);
  places_.clear();
  const int64_t rows = count_rows();
  if (rows == 0 && is_whole_epoch_) is_all_known_ = source_->has_same_records();
  parts_ = PartSizes(rows, rows == 0 ? 0 : options_.part_size);
  return rows;
}

// The first parts of a batch are trained on before the last is read, so the size of the batch must
// be known before. Near the end of the data, bad records could make it smaller: there the records
// are looked at first.
int64_t Loader::count_rows() {
  const int64_t left = std::max<int64_t>(0, source_->size() - position_.place);
  if (!bad_.may_skip() && bad_.count() == 0) return std::min(batch_size_, left);
  const int64_t others = bad_.may_skip() ? bad_.room() : 0;  // that may turn out to be bad
  if (left - bad_.count() - others >= batch_size_) return batch_size_;
  int64_t rows = 0;
  for (int64_t i = position_.place; rows < batch_size_ && i < source_->size(); ++i)
    rows += is_good(i);
  return rows;
}

bool Loader::is_good(int64_t place) {
  if (is_known_bad(place)) return false;
  if (is_all_known_ || probe_ == nullptr) return true;
  probe_->begin(position_.epoch);
  probe_->add_row(place);
  probe_->read(*source_, 0, 1);
  note_bad(*probe_);
  return !probe_->has_error();
}

bool Loader::is_known_bad(int64_t place) const {
  return bad_.count() > 0 && bad_.is_known(source_->name({place, position_.epoch}));
}

int64_t Loader::good_place(int64_t place) const {
  while (place < source_->size() && is_known_bad(place)) ++place;
  return place;
}

int64_t Loader::plan(LoadWindow& window, int64_t place, int64_t count) const {
  window.begin(position_.epoch);
  for (place = good_place(place); place < source_->size() && window.rows() < count;
       place = good_place(place + 1))
    window.add_row(place);
  return window.rows() == 0 ? place : window.places().back() + 1;
}

void Loader::restart_at(const Cursor& cursor) {
  ahead_.drop_all();
  planned_.clear();
  free_.clear();
  for (const auto& window : windows_) free_.push_back(window.get());
  cursor_ = cursor;
  plan_ahead();
}

void Loader::plan_ahead() {
  while (!free_.empty()) {
    const bool has_begun = parts_.batch > 0 && cursor_.batch_place == position_.place;
    const int64_t left = source_->size() - cursor_.batch_place;
    const PartSizes parts(has_begun ? parts_.batch : std::min(batch_size_, left),
                          options_.part_size);
    const int64_t rows = left > 0 ? parts.size(cursor_.part) : 0;
    cursor_.place = plan(*free_.back(), cursor_.place, rows);
    if (free_.back()->rows() == 0) return;
    ahead_.add(*free_.back());
    planned_.push_back({free_.back(), rows});
    free_.pop_back();
    if (++cursor_.part < parts.count) continue;
    const bool is_last_pass = cursor_.pass + 1 == options_.passes;
    cursor_.pass = is_last_pass ? 0 : cursor_.pass + 1;
    cursor_.part = 0;
    (is_last_pass ? cursor_.batch_place : cursor_.place) =
        is_last_pass ? cursor_.place : cursor_.batch_place;
  }
}

bool Loader::is_next(int64_t place, int64_t rows) const {
  if (planned_.empty() || planned_.front().rows != rows) return false;
  const auto& places = planned_.front().window->places();
  return !places.empty() && good_place(places.front()) == place;
}

void Loader::load(int64_t part) {
  const int64_t rows = parts_.size(part);
  const auto first = static_cast<size_t>(parts_.first(part));
  const bool is_again = first < places_.size();
  const int64_t next = places_.empty() ? position_.place : places_.back() + 1;
  const int64_t place = is_again ? places_[first] : good_place(next);
  if (current_ != nullptr) free_.push_back(std::exchange(current_, nullptr));
  if (is_next(place, rows))
    plan_ahead();
  else
    restart_at({place, position_.place, part, is_again ? 1 : 0});
  Ahead ahead = planned_.front();
  planned_.erase(planned_.begin());
  current_ = ahead.window;
  const int64_t next_place = current_->places().back() + 1;
  make_ready(ahead);
  fill_up(*current_, rows, next_place);
  if (!is_again)
    places_.insert(places_.end(), current_->places().begin(), current_->places().end());
}

void Loader::make_ready(Ahead& ahead) {
  if (std::exchange(ahead.is_read, true)) return;
  ahead_.wait(*ahead.window);
  if (!ahead.window->has_error()) return;
  note_bad(*ahead.window);
  ahead.window->drop_bad_rows();
}

void Loader::note_bad(const LoadWindow& window) {
  for (int64_t row = 0; row < window.rows(); ++row)
    if (window.error(row) != nullptr)
      bad_.add(source_->name({window.places()[static_cast<size_t>(row)], position_.epoch}),
               position_.epoch, window.error(row));
}

void Loader::fill_up(LoadWindow& window, int64_t rows, int64_t next_place) {
  while (window.rows() < rows) {
    next_place = good_place(next_place);
    const bool follows = !planned_.empty() && !planned_.front().window->places().empty() &&
                         good_place(planned_.front().window->places().front()) == next_place;
    if (follows) {
      next_place = take_from_next(window, rows);
      continue;
    }
    window.add_row(next_place++);
    window.read(*source_, window.rows() - 1, window.rows());
    note_bad(window);
    window.drop_bad_rows();
  }
}

// Returns the place after the rows that were looked at.
int64_t Loader::take_from_next(LoadWindow& window, int64_t rows) {
  Ahead& next = planned_.front();
  int64_t after = next.window->places().back() + 1;
  make_ready(next);
  const int64_t taken = std::min(rows - window.rows(), next.window->rows());
  if (taken < next.window->rows()) after = next.window->places()[static_cast<size_t>(taken)];
  window.take_rows(*next.window, taken);
  if (next.window->rows() > 0) return after;
  free_.push_back(next.window);
  planned_.erase(planned_.begin());
  return after;
}

RecordId Loader::record_at(int64_t row) const {
  return {places_[static_cast<size_t>(row)], position_.epoch};
}

int64_t Loader::records_of(int64_t index) const {
  return std::min(batch_size_, record_count() - index * batch_size_);
}

void Loader::save_state(StateWriter& to) const {
  const DataPosition next = next_position();
  to.numbers("position", std::array{next.epoch, next.row, next.place});
  to.number("is_whole_epoch", is_whole_epoch_);
  to.number("is_all_known", is_all_known_);
  StateWriter bad = to.within("bad");
  bad_.save_state(bad);
}

void Loader::load_state(const StateReader& from) {
  const std::vector<int64_t> position = from.numbers("position");
  if (position.size() != 3 || position[2] < 0 || position[2] > source_->size())
    throw CorruptFile(from.path() + ": its position is not one of this data");
  bad_.load_state(from.within("bad"));
  start({position[0], position[1], position[2]});
  is_whole_epoch_ = from.number("is_whole_epoch") != 0;
  is_all_known_ = from.number("is_all_known") != 0;
}

void Loader::touch() {
  for (const auto& window : windows_) window->touch();
}

int64_t Loader::buffer_bytes() const {
  int64_t bytes = probe_ ? probe_->bytes() : 0;
  for (const auto& window : windows_) bytes += window->bytes();
  return bytes;
}

}  // namespace plimsoll
