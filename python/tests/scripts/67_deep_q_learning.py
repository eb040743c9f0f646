"""Q-learning with a replay memory and a target network: train_on_batch and a tape, side by side."""

from collections import deque

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

from _same import report, same_weights


class Corridor:
    """Six places in a row; the reward is at the right end."""

    def reset(self):
        self.place = 2
        return self.state()

    def state(self):
        state = np.zeros((1, 6), dtype="float32")
        state[0, self.place] = 1.0
        return state

    def step(self, action):
        self.place = min(5, max(0, self.place + (1 if action == 1 else -1)))
        return self.state(), 1.0 if self.place == 5 else -0.1, self.place == 5


class DQNAgent:
    def __init__(self, state_size, action_size):
        self.action_size = action_size
        self.memory = deque(maxlen=64)
        self.gamma, self.epsilon = 0.9, 1.0
        self.model, self.target = self._build(state_size), self._build(state_size)
        same_weights(self.model)
        self.update_target_model()
        self.random = np.random.default_rng(3)

    def _build(self, state_size):
        model = Sequential([Input((state_size,)), Dense(12, activation="relu"),
                            Dense(12, activation="relu"), Dense(self.action_size)])
        model.compile(loss="huber", optimizer=Adam(learning_rate=0.01))
        return model

    def update_target_model(self):
        self.target.set_weights(self.model.get_weights())

    def soft_update(self, tau):
        weights = [tau * w + (1 - tau) * t
                   for w, t in zip(self.model.get_weights(), self.target.get_weights())]
        self.target.set_weights(weights)

    def act(self, state):
        if self.random.random() <= self.epsilon:
            return int(self.random.integers(self.action_size))
        return int(np.argmax(self.model.predict(state, verbose=0)[0]))

    def replay(self, batch_size):
        chosen = self.random.choice(len(self.memory), batch_size, replace=False)
        batch = [self.memory[i] for i in chosen]
        states = np.concatenate([each[0] for each in batch])
        following = np.concatenate([each[3] for each in batch])
        targets = self.model.predict_on_batch(states)
        best = np.amax(self.target.predict_on_batch(following), axis=1)
        for row, (_, action, reward, _, done) in enumerate(batch):
            targets[row, action] = reward if done else reward + self.gamma * best[row]
        return self.model.train_on_batch(states, targets)


environment, agent = Corridor(), DQNAgent(6, 2)
losses, lengths = [], []
for episode in range(6):
    state = environment.reset()
    for time in range(20):
        action = agent.act(state)
        next_state, reward, done = environment.step(action)
        agent.memory.append((state, action, reward, next_state, done))
        state = next_state
        if len(agent.memory) >= 16:
            losses.append(float(np.mean(agent.replay(8))))
        if done:
            break
    lengths.append(time + 1)
    agent.epsilon *= 0.6
    agent.soft_update(0.5)
report("lengths", lengths)
report("losses", losses[:20])
report("q", agent.model.predict(np.eye(6), verbose=0), atol=1e-4)

optimizer = Adam(0.005)
loss_function = tf.keras.losses.Huber()
batch = list(agent.memory)[-16:]
states = np.concatenate([each[0] for each in batch])
actions = np.array([each[1] for each in batch])
updated_q = np.linspace(-1, 1, 16).astype("float32")
steps = []
for _ in range(5):
    masks = tf.one_hot(actions, 2)
    with tf.GradientTape() as tape:
        q_values = agent.model(states)
        q_action = tf.reduce_sum(tf.multiply(q_values, masks), axis=1)
        loss = loss_function(updated_q, q_action)
    grads = tape.gradient(loss, agent.model.trainable_variables)
    optimizer.apply_gradients(zip(grads, agent.model.trainable_variables))
    steps.append(loss.numpy())
report("steps", np.array(steps), atol=1e-4)
report("tested", agent.model.test_on_batch(states, np.zeros((16, 2))), atol=1e-4)
