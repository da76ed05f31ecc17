"""Records of games as a dataset of Minari: an episode for each seat of each game.

pip install earthgym 'minari[hdf5]' pandas pyarrow
earthgym record resilience-earth:players=2 script:strong script:greedy --games 100 --out records
earthgym export records --parquet games.parquet
python minari_dataset.py games.parquet earthgym/resilience-earth/scripts-v0
"""

import json
import sys

import gymnasium
import minari
import numpy as np
import pyarrow.parquet as parquet
from minari.data_collector import EpisodeBuffer

import earthgym

if len(sys.argv) != 3:
    sys.exit(__doc__)

table = parquet.read_table(sys.argv[1])
info = json.loads(table.schema.metadata[b"earthgym.info"])
low, high = earthgym.observation_bounds(info)
episodes = []
rows = table.to_pandas()
for _, seat in rows.groupby(["episode", "seat"], sort=True):
    last = len(seat) - 1  # the last row is what the seat saw at the end
    buffer = EpisodeBuffer(
        id=len(episodes),
        seed=int(seat["seed"].iloc[0]) % 2**32,  # which is all that Minari keeps of it
        observations=list(np.stack(seat["observation"])),
        actions=list(seat["action"].iloc[:last].to_numpy(np.int64)),
        rewards=list(seat["reward"].iloc[:last]),
        terminations=list(seat["terminated"].iloc[:last]),
        truncations=[False] * last,
        infos={"action_mask": np.stack(seat["action_mask"])},
    )
    episodes.append(buffer)
minari.create_dataset_from_buffers(
    dataset_id=sys.argv[2],
    buffer=episodes,
    observation_space=gymnasium.spaces.Box(low, high, dtype=np.float32),
    action_space=gymnasium.spaces.Discrete(len(info["actions"])),
    algorithm_name=", ".join(sorted(set(rows["agent"]))),
    description=f"{info['title']}, {rows['episode'].nunique()} games of {', '.join(sorted(set(rows['game'])))}",
)
print(f"{len(episodes)} episodes")
