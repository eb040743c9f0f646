"""All cases: importing the modules registers their models."""

import dense_models  # noqa: F401
import graph_models  # noqa: F401
import image_models  # noqa: F401
import sequence_models  # noqa: F401
import text_models  # noqa: F401
import volume_models  # noqa: F401
from case import CASES  # noqa: F401
