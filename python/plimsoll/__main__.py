"""python -m plimsoll SCRIPT: runs a TensorFlow or Keras script on Plimsoll, unchanged."""

import sys

from plimsoll._run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
