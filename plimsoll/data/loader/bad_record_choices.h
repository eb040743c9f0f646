// What else could be done about a bad record, for the end of an error about one.
#pragma once

namespace plimsoll {

inline constexpr const char* kBadRecordChoices =
    "; see all bad records with `plimsoll check`, leave them out with --on-bad-record skip";

}  // namespace plimsoll
