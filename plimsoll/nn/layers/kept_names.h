// KeptNames: layers that are made while one is open leave no trace in the automatic names of later
// ones.
#pragma once

#include <map>
#include <string>

namespace plimsoll {

class KeptNames {
 public:
  KeptNames();
  ~KeptNames();
  KeptNames(const KeptNames&) = delete;
  KeptNames& operator=(const KeptNames&) = delete;

 private:
  std::map<std::string, int> counts_;
};

}  // namespace plimsoll
