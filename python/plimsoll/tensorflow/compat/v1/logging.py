"""tf.compat.v1.logging: Python's logger under the name tensorflow."""
import logging as _logging

from plimsoll import _missing

DEBUG, INFO, WARN, ERROR, FATAL = (_logging.DEBUG, _logging.INFO, _logging.WARNING, _logging.ERROR,
                                   _logging.CRITICAL)
_logger = _logging.getLogger("tensorflow")

debug, info, warn, warning = _logger.debug, _logger.info, _logger.warning, _logger.warning
error, fatal, log = _logger.error, _logger.critical, _logger.log


def set_verbosity(v) -> None:
    """The least level that is shown."""
    levels = {"DEBUG": DEBUG, "INFO": INFO, "WARN": WARN, "ERROR": ERROR, "FATAL": FATAL}
    _logger.setLevel(levels.get(v, v))


def get_verbosity() -> int:
    return _logger.getEffectiveLevel()


_missing.told(globals())
