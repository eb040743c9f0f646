// The name that a person probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

// The number of letters that must be changed, added, left out or swapped with their neighbour to
// turn one word into the other. Letters are bytes; upper and lower case are the same.
size_t edit_distance(std::string_view a, std::string_view b);

// The known name that is nearest to what was found: at most one letter in three differs (in a name
// of three letters one), or what was found is the beginning of that name alone. Empty where there
// is none.
std::string nearest_name(std::string_view found, std::span<const std::string> known);

// " (did you mean epochs?)"; empty where no name is near.
std::string did_you_mean(std::string_view found, std::span<const std::string> known);

// "loss: 'msle_' is not known (did you mean msle?; known: mse, msle)", of the subject "loss:".
std::string not_known(std::string_view subject, std::string_view found,
                      const std::vector<std::string>& known);

}  // namespace plimsoll
