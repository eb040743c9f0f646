#include "plimsoll/data/loader/load_window.h"

#include <algorithm>
#include <cstring>

namespace plimsoll {

LoadWindow::LoadWindow(const Specs& fields, int64_t capacity) {
  for (const Spec& field : fields)
    fields_.push_back({field.bytes(), std::make_shared<Storage>(field.bytes() * capacity)});
  places_.reserve(static_cast<size_t>(capacity));
  errors_.reserve(static_cast<size_t>(capacity));
}

void LoadWindow::begin(int64_t epoch) {
  places_.clear();
  errors_.clear();
  epoch_ = epoch;
}

int64_t LoadWindow::bytes() const {
  int64_t bytes = 0;
  for (const Field& field : fields_) bytes += field.storage->bytes();
  return bytes;
}

void LoadWindow::touch() {
  for (const Field& field : fields_) field.storage->touch();
}

bool LoadWindow::has_error() const {
  return std::ranges::any_of(errors_, [](const auto& error) { return error != nullptr; });
}

void LoadWindow::read(const Source& source, int64_t begin, int64_t end) {
  const auto place = [&](int64_t row) { return places_[static_cast<size_t>(row)]; };
  while (begin < end) {
    int64_t run = begin + 1;
    while (run < end && place(run) == place(run - 1) + 1) ++run;
    read_run(source, begin, run);
    begin = run;
  }
}

void LoadWindow::read_run(const Source& source, int64_t begin, int64_t end) {
  thread_local std::vector<std::byte*> into;
  into.clear();
  for (const Field& field : fields_)
    into.push_back(field.storage->data() + begin * field.row_bytes);
  try {
    source.read_run({places_[static_cast<size_t>(begin)], epoch_}, end - begin, into);
  } catch (...) {
    if (end - begin == 1) {
      errors_[static_cast<size_t>(begin)] = std::current_exception();
      return;
    }
    for (int64_t row = begin; row < end; ++row) read_run(source, row, row + 1);
  }
}

void LoadWindow::copy_row(const LoadWindow& from, int64_t from_row, int64_t to_row) {
  for (size_t i = 0; i < fields_.size(); ++i) {
    const int64_t bytes = fields_[i].row_bytes;
    std::memcpy(fields_[i].storage->data() + to_row * bytes,
                from.fields_[i].storage->data() + from_row * bytes, static_cast<size_t>(bytes));
  }
}

void LoadWindow::drop_bad_rows() {
  int64_t kept = 0;
  for (int64_t row = 0; row < rows(); ++row) {
    if (error(row) != nullptr) continue;
    if (kept != row) copy_row(*this, row, kept);
    places_[static_cast<size_t>(kept++)] = places_[static_cast<size_t>(row)];
  }
  places_.resize(static_cast<size_t>(kept));
  errors_.assign(places_.size(), nullptr);
}

void LoadWindow::take_rows(LoadWindow& from, int64_t count) {
  for (int64_t row = 0; row < count; ++row) {
    copy_row(from, row, rows());
    add_row(from.places_[static_cast<size_t>(row)]);
  }
  from.drop_first(count);
}

void LoadWindow::add_row(int64_t place) {
  places_.push_back(place);
  errors_.emplace_back();
}

void LoadWindow::drop_first(int64_t count) {
  for (const Field& field : fields_)
    std::memmove(field.storage->data(), field.storage->data() + count * field.row_bytes,
                 static_cast<size_t>((rows() - count) * field.row_bytes));
  places_.erase(places_.begin(), places_.begin() + count);
  errors_.erase(errors_.begin(), errors_.begin() + count);
}

}  // namespace plimsoll
