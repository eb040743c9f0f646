// --augment: the random changes of images, as one word of options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plimsoll/data/images/image_augmentation.h"

namespace plimsoll::cli {

void add_augmentation(CLI::App& app, std::string& text);

// "flip,rotation=20,zoom=0.2". WrongUsage if it is not understood.
ImageAugmentation parse_augmentation(const std::string& text);

}  // namespace plimsoll::cli
