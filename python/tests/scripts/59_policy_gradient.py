"""Reinforcement learning by hand: an actor and a critic, returns, and a target network."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

from _same import report, report_shape, same_weights

num_inputs, num_actions, gamma = 4, 2, 0.99
inputs = layers.Input(shape=(num_inputs,))
common = layers.Dense(16, activation="relu")(inputs)
action = layers.Dense(num_actions, activation="softmax")(common)
critic = layers.Dense(1)(common)
model = keras.Model(inputs=inputs, outputs=[action, critic])
same_weights(model)
optimizer = keras.optimizers.Adam(learning_rate=0.01)
huber_loss = keras.losses.Huber()
eps = np.finfo(np.float32).eps.item()


def environment(state, action):
    """A pole that falls by a formula."""
    state = np.tanh(state * 0.9 + np.array([0.1, -0.2, 0.05, 0.3]) * (1 if action else -1))
    return state, float(1.0 - abs(state[0]))


running_rewards = []
for episode in range(3):
    state = np.array([0.1, -0.1, 0.2, 0.0]) * (episode + 1)
    action_probs_history, critic_value_history, rewards_history = [], [], []
    with tf.GradientTape() as tape:
        for timestep in range(8):
            state_tensor = tf.convert_to_tensor(state, dtype=tf.float32)
            state_tensor = tf.expand_dims(state_tensor, 0)
            action_probs, critic_value = model(state_tensor)
            critic_value_history.append(critic_value[0, 0])
            chosen = timestep % num_actions
            action_probs_history.append(tf.math.log(action_probs[0, chosen]))
            state, reward = environment(state, chosen)
            rewards_history.append(reward)
        returns, discounted_sum = [], 0
        for r in rewards_history[::-1]:
            discounted_sum = r + gamma * discounted_sum
            returns.insert(0, discounted_sum)
        returns = np.array(returns)
        returns = ((returns - np.mean(returns)) / (np.std(returns) + eps)).tolist()
        actor_losses, critic_losses = [], []
        for log_prob, value, ret in zip(action_probs_history, critic_value_history, returns):
            actor_losses.append(-log_prob * (ret - value))
            critic_losses.append(huber_loss(tf.expand_dims(value, 0), tf.expand_dims(ret, 0)))
        loss_value = sum(actor_losses) + sum(critic_losses)
    grads = tape.gradient(loss_value, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    running_rewards.append(float(loss_value))
report("losses", running_rewards)
report("weights", model.get_weights())


def build_q_network():
    return keras.Sequential([
        layers.Dense(12, activation="relu", input_shape=(4,)), layers.Dense(2)])


q, target_q = build_q_network(), build_q_network()
same_weights(q)
target_q.set_weights(q.get_weights())
memory = np.cos(np.arange(32 * 4)).reshape(32, 4).astype("float32")
actions = np.arange(32) % 2
optimizer_q = keras.optimizers.RMSprop(0.001)
for step in range(3):
    future_rewards = target_q.predict(memory[::-1], verbose=0)
    updated_q_values = memory[:, 0] + gamma * tf.reduce_max(future_rewards, axis=1)
    masks = tf.one_hot(actions, num_actions)
    with tf.GradientTape() as tape:
        q_values = q(memory)
        q_action = tf.reduce_sum(tf.multiply(q_values, masks), axis=1)
        loss = huber_loss(updated_q_values, q_action)
    grads = tape.gradient(loss, q.trainable_variables)
    optimizer_q.apply_gradients(zip(grads, q.trainable_variables))
    for target, source in zip(target_q.variables, q.variables):
        target.assign(0.9 * target + 0.1 * source)
report("target", target_q.get_weights())
probabilities = np.squeeze(action_probs).astype("float64")
chosen = np.random.default_rng(0).choice(num_actions, p=probabilities / probabilities.sum())
report_shape("sampled", chosen)
