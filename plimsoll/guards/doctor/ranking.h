// Which of several suspicions is likely to be the first cause (diagnosis.h has the rules).
#pragma once

#include <vector>

#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll {

// Several suspicions of one cause are one, with the words of the strongest; the strongest first.
Suspicions joined(Suspicions all);

// Of each of the joined suspicions: its strength, less what others explain. Where causes explain
// each other, directly or through others, only the stronger one explains the weaker, so that they
// cannot cancel:
//   vanishing_gradients 0.9 <-> learning_rate_low 0.75   ->   0.9 and 0.75 (1 - 0.8 * 0.9) = 0.21
std::vector<double> confidences(const Suspicions& all);

}  // namespace plimsoll
