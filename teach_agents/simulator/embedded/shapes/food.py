"""Food, whole, sliced, cooked."""

from __future__ import annotations

from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.parts import Colour, Material, Parts, Pattern, ball, box, tube

_ROASTED: Colour = (96, 54, 22)
_CHAR: Colour = (62, 34, 14)


def _cooked(look: Look, material: Material) -> Material:
    """Brown, with darker patches, if cooked."""
    if not look.cooked:
        return material
    return Material(material.tinted(_ROASTED, 0.6).colour, _CHAR, Pattern.BLOTCHES, 14.0, gloss=0.15)


def apple(look: Look) -> Parts:
    """A red or green ball with a stalk."""
    skin = look.pick((Material((190, 32, 30), gloss=0.5), Material((120, 176, 56), gloss=0.5)))
    yield look.ball((0, 0.46, 0), (1, 0.92, 1), _cooked(look, skin), segments=12)
    yield look.tube((0, 0.92, 0), (0.08, 0.16, 0.08), Material((80, 52, 22)), segments=6)
    yield look.ball((0.1, 0.93, 0), (0.22, 0.04, 0.1), Material((70, 130, 50)), segments=6)


def tomato(look: Look) -> Parts:
    """A flat orange-red ball with a green star."""
    yield look.ball((0, 0.48, 0), (1, 0.96, 1), _cooked(look, Material((218, 62, 34), gloss=0.5)), segments=12)
    star = Material((54, 120, 40))
    yield look.box((0, 0.95, 0), (0.45, 0.05, 0.1), star)
    yield look.box((0, 0.95, 0), (0.1, 0.05, 0.45), star)


def potato(look: Look) -> Parts:
    """A brown speckled lump."""
    skin = Material((182, 142, 88), (150, 112, 66), Pattern.SPECKLES, 60.0)
    yield look.ball((0, 0.5, 0), (1, 1, 1), _cooked(look, skin), segments=12)


def lettuce(look: Look) -> Parts:
    """A leafy head."""
    w, h, d = look.size
    leaf = _cooked(look, Material((120, 186, 74), (74, 138, 44), Pattern.BLOTCHES, 16.0))
    yield look.ball((0, 0.5, 0), (0.86, 0.94, 0.86), leaf, segments=12)
    for x, z in ((-1, 0.3), (1, -0.3), (0.3, 1), (-0.3, -1)):
        yield ball((x * w * 0.24, h * 0.45, z * d * 0.24), (w * 0.52, h * 0.86, d * 0.52), leaf.shade(0.88), segments=8)


def egg(look: Look) -> Parts:
    """An ellipsoid."""
    yield look.ball((0, 0.5, 0), (1, 1, 1), _cooked(look, Material((242, 222, 194), gloss=0.2)), segments=12)


def egg_cracked(look: Look) -> Parts:
    """White with a yolk; cooked, the edge is brown and the white is dull."""
    w, h, d = look.size
    white = Material((252, 250, 240), gloss=0.4)
    if look.cooked:
        yield look.tube((0, 0.25, 0), (1, 0.5, 1), Material((186, 128, 66)), segments=14)
        white = Material((250, 240, 214))
    yield look.tube((0, 0.35, 0), (0.88, 0.7, 0.88), white, segments=14)
    yolk = Material((232, 150, 30) if look.cooked else (250, 190, 40), gloss=0.4)
    yield ball((w * 0.06, h * 0.62, 0), (w * 0.4, max(h * 0.75, 0.012), d * 0.4), yolk)


def bread(look: Look) -> Parts:
    """A loaf with a domed crust and cuts."""
    w, h, d = look.size
    crust = _cooked(look, Material((196, 132, 66), (172, 108, 50), Pattern.BLOTCHES, 10.0))
    yield look.box((0, 0.32, 0), (0.96, 0.64, 0.96), crust)
    along_x = w > d
    dome = (w, h * 0.8, d) if along_x else (w, h * 0.8, d)
    yield ball((0, h * 0.6, 0), dome, crust.shade(1.05), segments=12)
    for at in (-0.28, 0.0, 0.28):
        cut = (0.012, 0.012, d * 0.5) if along_x else (w * 0.5, 0.012, 0.012)
        yield box((at * w, h * 0.97, 0) if along_x else (0, h * 0.97, at * d), cut, Material((232, 200, 148)))


_FLESH = {
    "AppleSliced": (Material((246, 236, 196)), Material((190, 32, 30), gloss=0.4)),
    "TomatoSliced": (Material((232, 96, 64), (248, 170, 110), Pattern.BLOTCHES, 30.0), Material((206, 44, 30))),
    "PotatoSliced": (Material((240, 222, 150)), Material((182, 142, 88))),
    "LettuceSliced": (Material((170, 214, 110), (110, 176, 70), Pattern.BLOTCHES, 20.0), Material((84, 150, 52))),
    "BreadSliced": (Material((244, 224, 180), (232, 204, 152), Pattern.SPECKLES, 60.0), Material((180, 116, 56))),
}


def slice_of(look: Look) -> Parts:
    """One slice: flesh with a rim of skin, square for bread, round for the rest; brown when cooked."""
    w, h, d = look.size
    flesh, skin = (_cooked(look, material) for material in _FLESH[look.object_type])
    thin = min(range(3), key=look.size.__getitem__)
    sizes = [w, h, d]
    if look.object_type == "BreadSliced":
        yield look.box((0, 0.5, 0), (1, 1, 1), skin)
        inner = [size * 0.84 for size in sizes]
        inner[thin] = sizes[thin] + 0.003
        yield box((0, h / 2, 0), (inner[0], inner[1], inner[2]), flesh)
        return
    turn = ({"roll": 90.0}, {}, {"pitch": 90.0})[thin]
    disc = ((h, w, d), (w, h, d), (w, d, h))[thin]
    # The skin is narrower than the slice, so that slices that lie together are told apart.
    yield tube((0, h / 2, 0), (disc[0], disc[1] * 0.78, disc[2]), skin, segments=14).turned(**turn)
    face = (disc[0] * 0.93, disc[1], disc[2] * 0.93)
    yield tube((0, h / 2, 0), face, flesh, segments=14).turned(**turn)
