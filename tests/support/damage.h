// Damages the bytes of a file in every way that is small: cut short at each byte, and each bit
// flipped. What reads them must give a value or say in one sentence, with the name of the file,
// what is wrong.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll {

std::vector<std::byte> to_bytes(std::string_view text);

// `read` is given the bytes, and reads all there is. A file of more than `most` bytes is damaged at
// places that are spread over it evenly.
void expect_harmless_damage(const std::string& bytes,
                            const std::function<void(const std::string&)>& read,
                            size_t most = 2000);

}  // namespace plimsoll
