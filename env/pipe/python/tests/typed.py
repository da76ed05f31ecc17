"""What type checkers are to know: mypy and pyright read it, with the options of pyproject.toml. Nobody runs it."""

from typing_extensions import assert_type

import earthgym
from earthgym.gym import EarthEnv
from earthgym.zoo import EarthAEC, parallel_env

vec = earthgym.aec_vec("one-earth", 8, players=3, copy=True)
assert_type(vec, earthgym.AECVec)
assert_type(vec.reset(seed=1), earthgym.Turns)
game = earthgym.TextGame("one-earth", players=3)
assert_type(game, earthgym.TextGame)
assert_type(game.reset(seed=1), earthgym.TextTurn)
assert_type(vec.turns, earthgym.Turns)
with earthgym.aec_vec("one-earth", 8) as entered, earthgym.aec("one-earth") as also:
    assert_type(entered, earthgym.AECVec)
    assert_type(also, EarthAEC)
server = earthgym.Server(workers=1)
assert_type(server, earthgym.Server)
assert_type(EarthEnv("one-earth", players=3, server=server), EarthEnv)
assert_type(earthgym.make_vec("one-earth", 4, players=3, server=server), earthgym.Vec)
assert_type(earthgym.evaluate("one-earth", lambda _, mask: mask.argmax(1), players=3), earthgym.Evaluation)

assert_type(earthgym.mixed_vec({"one-earth": 4}, parts=2).recv(min=1), earthgym.Ready)
assert_type(earthgym.aec("one-earth", players=3, max_cycles=9, render_mode="ansi"), EarthAEC)

# Each of these is wrong, and both have to find it: an ignore that nothing needs is an error.
earthgym.aec_vec("one-earth", 8, plyers=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
earthgym.TextGame("one-earth", seats=0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
earthgym.mixed_vec({"one-earth": 4}, plyers=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
earthgym.evaluate("x", lambda _, m: m.argmax(1), plyers=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
parallel_env("one-earth", plyers=3)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
earthgym.make_vec("one-earth", 4, seed="1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
vec.nonsense()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
server.nonsense()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
