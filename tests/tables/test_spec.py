import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabia.tables.spec import Spec, SpecError

WORDS = st.text(max_size=8)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


@given(WORDS, WORDS, st.dictionaries(WORDS, WORDS), st.dictionaries(WORDS, PLAIN, max_size=4))
def test_a_spec_survives_the_command_line(
    stage: str, mark: str, wildcards: dict[str, str], config: dict[str, object]
) -> None:
    spec = Spec(stage, mark, wildcards, config)
    again = Spec.parse(spec.text)
    assert again == spec
    assert (again.text, again.hash) == (spec.text, spec.hash)


def test_equal_specs_have_equal_text_whatever_the_order_of_their_keys() -> None:
    one = Spec("s", "m", {"a": "1", "b": "2"}, {"x": 1, "y": 2})
    two = Spec("s", "m", {"b": "2", "a": "1"}, {"y": 2, "x": 1})
    assert one.text == two.text


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"stage": "s"}', "not json", "null"])
def test_what_no_rule_wrote_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        Spec.parse(text)


def test_random_numbers_depend_on_seed_stage_and_salt_only() -> None:
    def draw(spec: Spec, *salt: str | int) -> int:
        return int(np.asarray(spec.rng(*salt).integers(2**62)))

    base = draw(Spec("s", "m", {}, {"seed": 1}), "x")
    assert base == draw(Spec("s", "other mark", {"w": "1"}, {"seed": 1, "more": 2}), "x")
    others = {
        draw(Spec("s", "m", {}, {"seed": 2}), "x"),
        draw(Spec("t", "m", {}, {"seed": 1}), "x"),
        draw(Spec("s", "m", {}, {"seed": 1}), "y"),
        draw(Spec("s", "m", {}, {"seed": 1}), "x", 0),
    }
    assert len(others | {base}) == 5
