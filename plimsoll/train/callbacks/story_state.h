// A RunStory in a checkpoint, number for number: a run that goes on tells the same story as one
// that was never stopped.
#pragma once

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/record/run_story.h"

namespace plimsoll {

// What rules read of epochs and sampled steps; histograms are left out.
void save_story(StateWriter& to, const RunStory& story);
void load_story(const StateReader& from, RunStory& into);

}  // namespace plimsoll
