#include "plimsoll/data/loader/bad_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "plimsoll/base/flaw.h"
#include "plimsoll/data/loader/bad_record_choices.h"

namespace plimsoll {
namespace {

static_assert(BadRecordOptions{}.most == kUsualMostBad);

// For errors about a file; other errors are the program's own.
template <class Kind>
[[noreturn]] void fail(const Kind& error) {
  throw Kind(error.what() + std::string(kBadRecordChoices));
}

struct Reason {
  Flaw flaw;
  std::string text;
};

// An exception that is not about a record is thrown on.
Reason reason_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& found) {
    return {flaw_of(found), found.what()};
  }
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g%%", share * 100);
  return text;
}

}  // namespace

BadRecords::BadRecords(int64_t records, const BadRecordOptions& options)
    : options_(options),
      records_(records),
      most_(static_cast<int64_t>(std::floor(options.most * static_cast<double>(records)))) {
  if (!(options.most >= 0 && options.most <= 1))
    throw InvalidArgument(
        fmt::format("max_bad: expected a share of 0 to 1, found {}", options.most));
}

void BadRecords::has_seen(int64_t records) {
  if (records <= records_) return;
  records_ = records;
  most_ = static_cast<int64_t>(std::floor(options_.most * static_cast<double>(records)));
}

void BadRecords::add(const std::string& name, int64_t epoch, const std::exception_ptr& error) {
  const auto [flaw, text] = reason_of(error);
  if (!may_skip()) try {
      std::rethrow_exception(error);
    } catch (const CorruptFile& found) {
      fail(found);
    } catch (const IoError& found) {
      fail(found);
    }
  if (!names_.insert(name).second) return;
  const bool says_name = text.starts_with(name + ": ");
  if (report_)
    report_({name, std::string(to_string(flaw)), says_name ? text.substr(name.size() + 2) : text,
             epoch});
  if (count() > most_)
    throw CorruptFile(fmt::format(
        "{}; this is bad record {} of {}, more than the {} that may be left out (--max-bad)", text,
        count(), records_, percent(options_.most)));
}

void BadRecords::save_state(StateWriter& to) const {
  std::vector<std::string> names(names_.begin(), names_.end());
  std::ranges::sort(names);
  to.texts("names", names);
}

void BadRecords::load_state(const StateReader& from) {
  names_.clear();
  for (std::string& name : from.texts("names")) names_.insert(std::move(name));
}

}  // namespace plimsoll
