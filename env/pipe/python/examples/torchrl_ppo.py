"""PPO of TorchRL on many games in one batched environment, with masks.

pip install 'earthgym[torchrl]'
python torchrl_ppo.py 20
"""

import sys

import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import earthgym
from earthgym.torchrl import EarthTorchEnv

ROUNDS = int(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)

torch.manual_seed(1)
GAME, STEPS = "resilience-earth:players=2", 4096
env = EarthTorchEnv(GAME, 64, shaping=0.3, gamma=0.99)
size, actions = env.vec.observation_size, env.vec.num_actions
logits = TensorDictModule(
    MLP(size, actions, num_cells=[256], activation_class=torch.nn.ReLU), ["observation"], ["logits"]
)
keys = {"logits": "logits", "mask": "action_mask"}
actor = ProbabilisticActor(logits, in_keys=keys, distribution_class=MaskedCategorical, return_log_prob=True)
critic = ValueOperator(MLP(size, 1, num_cells=[256], activation_class=torch.nn.ReLU), in_keys=["observation"])
advantage = GAE(gamma=0.99, lmbda=0.95, value_network=critic)
loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
optimizer = torch.optim.Adam(loss.parameters(), 5e-4)


def policy(observation, mask):
    with torch.no_grad():
        legal = logits(torch.tensor(observation)).masked_fill(~torch.tensor(mask), -torch.inf)
    return torch.distributions.Categorical(logits=legal).sample()


def show(iteration):
    print(f"{iteration * STEPS:,} decisions: return {earthgym.evaluate(GAME, policy)} against random", flush=True)


for iteration, data in enumerate(Collector(env, actor, frames_per_batch=STEPS, total_frames=STEPS * ROUNDS)):
    if iteration % 2 == 0:
        show(iteration)
    for _ in range(3):
        advantage(data)
        for batch in data.reshape(-1)[torch.randperm(STEPS)].split(512):
            values = loss(batch)
            sum(values[k] for k in ("loss_objective", "loss_critic", "loss_entropy")).backward()
            optimizer.step()
            optimizer.zero_grad()
show(ROUNDS)
for bot in ("script:greedy", "script:strong"):
    print(f"return {earthgym.evaluate(GAME, policy, opponents=bot)} against {bot}")
