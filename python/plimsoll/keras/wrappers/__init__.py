"""keras.wrappers: models as estimators of scikit-learn, as Keras 2 had them."""
from plimsoll import _missing

_missing.lazy(globals(), {"scikit_learn": ["KerasClassifier", "KerasRegressor"]}, modules=("scikit_learn",))
