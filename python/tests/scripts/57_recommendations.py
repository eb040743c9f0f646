"""Films for users: two embeddings, their dot product and biases, and a deep variant."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers
from keras import ops
from tensorflow.keras.layers import Dense, Dot, Embedding, Flatten, Input, Multiply
from tensorflow.keras.models import Model

from _same import report, same_weights

random = np.random.default_rng(0)
num_users, num_movies = 20, 30
user = random.integers(0, num_users, 200)
movie = random.integers(0, num_movies, 200)
rating = ((user * 7 + movie * 3) % 5 + 1).astype("float32")
scaled = (rating - rating.min()) / (rating.max() - rating.min())


class RecommenderNet(keras.Model):
    def __init__(self, num_users, num_movies, embedding_size, **kwargs):
        super().__init__(**kwargs)
        self.user_embedding = layers.Embedding(
            num_users, embedding_size, embeddings_initializer="he_normal",
            embeddings_regularizer=keras.regularizers.l2(1e-6))
        self.user_bias = layers.Embedding(num_users, 1)
        self.movie_embedding = layers.Embedding(
            num_movies, embedding_size, embeddings_initializer="he_normal",
            embeddings_regularizer=keras.regularizers.l2(1e-6))
        self.movie_bias = layers.Embedding(num_movies, 1)

    def call(self, inputs):
        user_vector = self.user_embedding(inputs[:, 0])
        user_bias = self.user_bias(inputs[:, 0])
        movie_vector = self.movie_embedding(inputs[:, 1])
        movie_bias = self.movie_bias(inputs[:, 1])
        dot_user_movie = ops.sum(user_vector * movie_vector, axis=1, keepdims=True)
        return ops.nn.sigmoid(dot_user_movie + user_bias + movie_bias)


pairs = np.stack([user, movie], axis=1)
model = RecommenderNet(num_users, num_movies, 6)
model(pairs[:2])
same_weights(model)
# SGD, for TensorFlow's other optimizers take the occurrences of a word in a batch one by one.
model.compile(loss=keras.losses.BinaryCrossentropy(), optimizer=keras.optimizers.SGD(0.1))
history = model.fit(x=pairs, y=scaled, batch_size=40, epochs=3, shuffle=False, verbose=0,
                    validation_data=(pairs[:40], scaled[:40]))
report("history", history.history)
top = model.predict(np.stack([np.full(num_movies, 3), np.arange(num_movies)], axis=1), verbose=0)
report("top", top.flatten())
report("weights", model.get_weights())

user_input, movie_input = Input(shape=(1,)), Input(shape=(1,))
u = Flatten()(Embedding(num_users, 5, name="user")(user_input))
m = Flatten()(Embedding(num_movies, 5, name="movie")(movie_input))
merged = tf.keras.layers.concatenate([Dot(axes=1)([u, m]), Multiply()([u, m])])
deep = Model([user_input, movie_input], Dense(1)(Dense(8, activation="relu")(merged)))
same_weights(deep)
deep.compile("sgd", "mean_squared_error")
history = deep.fit([user, movie], rating, batch_size=50, epochs=2, shuffle=False, verbose=0)
report("deep", history.history["loss"])
report("embedding", deep.get_layer("movie").get_weights()[0])
