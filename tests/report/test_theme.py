import pytest

from tabia.report.models import FAMILIES, TELLING, most_telling
from tabia.report.theme import MUTED, colours, families


def test_the_models_of_one_figure_have_different_colours() -> None:
    names, shown = colours(most_telling(TELLING, 6))
    assert len(set(shown)) == len(names) == 6


@pytest.mark.parametrize("others", [["ridge"], ["cnn_planes", "engine_depth8"], []])
def test_a_model_has_the_same_colour_in_every_figure(others: list[str]) -> None:
    names, shown = colours(["best", *others, "rbf"])
    assert names == ["best", *others, "rbf"]
    assert (shown[0], shown[-1]) == ("#009E73", "#D55E00")
    assert len(set(shown)) == len(names)


def test_what_knows_nothing_is_grey() -> None:
    assert colours(["mean"])[1] == [MUTED]
    assert families(["baseline"])[1] == [MUTED]


def test_every_family_has_a_colour_of_its_own() -> None:
    names, shown = families([*FAMILIES, "other"])
    assert names == [*FAMILIES, "other"]
    assert len(set(shown)) == len(names)
