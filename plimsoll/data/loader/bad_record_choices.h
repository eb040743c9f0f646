// What else could be done about bad records.
#pragma once

#include <cstdint>
#include <string>

namespace plimsoll {

// For the end of an error about one of them: how many there are is not known there.
inline constexpr const char* kBadRecordChoices =
    "; see all bad records with `plimsoll check`, leave them out with --on-bad-record skip (and "
    "--max-bad, if they are more than 1% of all)";

// The share of all records that --max-bad allows unless it is given.
inline constexpr double kUsualMostBad = 0.01;

// The options that leave so many records out: "--on-bad-record skip --max-bad 0.03". Empty where
// nothing would be left.
std::string skipping_options(int64_t bad, int64_t records);

}  // namespace plimsoll
