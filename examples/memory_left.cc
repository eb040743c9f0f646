// Prints how much memory this process holds and how much more it may take.
#include <plimsoll/base/bytes.h>
#include <plimsoll/base/process_memory.h>

#include <iostream>

int main() {
  std::cout << plimsoll::format_bytes(plimsoll::process_memory().resident_bytes) << " held, "
            << plimsoll::format_bytes(plimsoll::memory_available()) << " left\n";
}
