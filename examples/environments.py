"""TEACh for learners: TATC as a PettingZoo environment and, over recorded sessions, TfD as a Gymnasium one.

python examples/environments.py [GAMES]

GAMES is a folder of TEACh game files. Needs: pip install 'teach-agents[gym]'
"""

import sys

import gymnasium

import teach_agents.conventions.gymnasium_env  # noqa: F401  # registers TEACh/EDH-v0 and TEACh/TfD-v0
from teach_agents import Role
from teach_agents.conventions.pettingzoo_env import parallel_env
from teach_agents.session.spaces import index_of, wait

pair = parallel_env(tasks=["Coffee"], rooms=["FloorPlan7"], view_size=100, reward="goal_conditions")
seen, infos = pair.reset(seed=0)
for said in ("hello", "please make some coffee"):
    talks = {**wait(Role.COMMANDER), "action": index_of(Role.COMMANDER, "Text"), "utterance": said}
    seen, rewards, terminated, truncated, infos = pair.step({"commander": talks, "follower": wait(Role.FOLLOWER)})
print(seen["follower"]["dialogue"])

if len(sys.argv) > 1:
    alone = gymnasium.make("TEACh/TfD-v0", games=sys.argv[1], view_size=100, max_steps=50)
    alone.action_space.seed(0)
    seen, info = alone.reset(seed=0)
    print(f"{info['instance_id']}: {len(seen['dialogue'].splitlines())} utterances")
    over, gained = False, 0.0
    while not over:
        seen, reward, terminated, truncated, info = alone.step(alone.action_space.sample())
        over, gained = terminated or truncated, gained + float(reward)
    print(f"random actions: success {info['judgement']['success']}, reward {gained}")
