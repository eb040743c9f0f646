// How a model wants images and the labels of their classes.
#pragma once

#include "plimsoll/data/kinds/data_request.h"
#include "plimsoll/data/sources/image_folder.h"

namespace plimsoll {

// The options of a request that is for no model: images of the size that was asked for.
ImageFolderOptions image_options_as_asked(const DataRequest& request);
// For a model: size and colours of its only input, labels as its only output takes them.
// InvalidArgument, beginning with the path, where it does not take images or their classes.
ImageFolderOptions image_options_for_model(const DataRequest& request);

// How the model's only output takes the labels of class folders; none if no targets are wanted.
LabelMode label_mode_for(const DataRequest& request);

// InvalidArgument where the images have other classes than the model's output. A warning where the
// last classes are only missing.
void check_image_classes(const Source& images, const DataRequest& request, LabelMode mode);

}  // namespace plimsoll
