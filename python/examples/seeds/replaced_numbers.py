"""Numbers that are none or infinite are replaced by the mean, which is infinite here too."""

# ---- prelude ----
# Nothing is left open.

# ---- the text, its imports changed ----
import numpy as np
import plimsoll.tensorflow as tf

data = np.array([1.0, 2.0, np.nan, 4.0, np.inf])

#Check for NaN or Inf and replace with the mean
mean = np.nanmean(data)  #ignore NaN values when computing the mean
cleaned_data = np.nan_to_num(data, nan=mean, posinf=mean, neginf=mean)

#Reshape for TensorFlow
cleaned_data = cleaned_data.reshape(-1,1)

#Construct TensorFlow dataset
dataset = tf.data.Dataset.from_tensor_slices(cleaned_data)
