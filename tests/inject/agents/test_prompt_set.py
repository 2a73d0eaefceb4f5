"""The agents' prompt files: complete, strict about variables, replaceable one by one, and hashed."""

from __future__ import annotations

from pathlib import Path

import pytest
from loop_material import item_plan

import inject.agents.prompts
from arcs.frames import load_frames
from arcs.taxonomy import Family
from inject.agents.prompt_set import VARIABLES, Agent, load_parts, load_prompts
from inject.agents.samples import SAMPLES
from twistcore.errors import FrameError, UsageError


def test_every_agent_has_a_prompt_that_uses_all_its_variables() -> None:
    prompts = load_prompts()
    assert {prompts[agent].sha256 for agent in Agent} == {prompts.hashes[agent.value] for agent in Agent}
    assert len(set(prompts.hashes.values())) == len(Agent) + 1


def test_a_prompt_of_ones_own_replaces_ours_and_changes_the_hash(tmp_path: Path) -> None:
    text = "{% block system %}Judge.{% endblock %}{% block user %}{% for line in lines %}{{ line }}{% endfor %}{% endblock %}"
    (tmp_path / "verifier.jinja").write_text(text)
    mine, ours = load_prompts(tmp_path), load_prompts()
    assert mine[Agent.VERIFIER].render(lines=["a"])[0].content == "Judge."
    assert mine.hashes["verifier"] != ours.hashes["verifier"]
    assert mine.hashes["writer"] == ours.hashes["writer"]


@pytest.mark.parametrize("agent", list(Agent))
def test_an_unknown_variable_is_refused_before_any_call(tmp_path: Path, agent: Agent) -> None:
    used = " ".join(f"{{{{ {name} }}}}" for name in sorted(VARIABLES[agent]))
    (tmp_path / f"{agent.value}.jinja").write_text(
        f"{{% block system %}}{used} {{{{ gold }}}}{{% endblock %}}{{% block user %}}{{% endblock %}}"
    )
    with pytest.raises(FrameError, match="gold"):
        load_prompts(tmp_path)


SHIPPED = Path(inject.agents.prompts.__file__).parent


@pytest.mark.parametrize(
    ("agent", "ours", "wrong", "said"),
    [
        (Agent.WRITER, "{{ holder.name }}", "{{ holder.nam }}", "nam"),
        (Agent.WRITER, "{{ turn.after.text }}", "{{ turn.after.txt }}", "txt"),
        (Agent.REVISER, "{{ finding.reason }}", "{{ finding.gold }}", "gold"),
        (Agent.AUDITOR, "{{ fact.text }}", "{{ fact.gold }}", "gold"),
        (Agent.AUDITOR, "{{ before }}", "{{ before.speaker }}", "speaker"),
        (Agent.SCOUT, "{{ topic.title }}", "{{ topic.name }}", "name"),
        (Agent.VERIFIER, "{{ line }}", "{{ line }}{{ 1 / 0 }}", "division"),
        (Agent.VERIFIER, "{{ line }}", '{{ line }}{% include "secret" %}', "cannot be filled"),
        (Agent.VERIFIER, "{{ line }}", "{{ line }}{% for n in range(9999999) %}{% endfor %}", "cannot be filled"),
        (Agent.VERIFIER, "{% block system %}", "Be kind.\n{% block system %}", "line 1: .*never sent"),
        (Agent.VERIFIER, "{% block system %}", "{% block first %}a{% endblock %}{% block system %}", "never sent"),
    ],
)
def test_a_file_that_could_not_be_filled_in_a_run_is_refused_before_any_call(
    tmp_path: Path, agent: Agent, ours: str, wrong: str, said: str
) -> None:
    name = f"{agent.value}.jinja"
    source = (SHIPPED / name).read_text()
    assert ours in source
    (tmp_path / name).write_text(source.replace(ours, wrong, 1))
    with pytest.raises(FrameError, match=said):
        load_prompts(tmp_path)


def test_a_prompt_that_says_nothing_in_a_block_is_refused(tmp_path: Path) -> None:
    text = "{% block system %}{% endblock %}{% block user %}{% for line in lines %}{{ line }}{% endfor %}{% endblock %}"
    (tmp_path / "verifier.jinja").write_text(text)
    with pytest.raises(FrameError, match="says nothing in its block system"):
        load_prompts(tmp_path)


def test_a_folder_in_the_place_of_a_prompt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "verifier.jinja").mkdir()
    with pytest.raises(UsageError, match=r"verifier\.jinja"):
        load_prompts(tmp_path)


def test_samples_have_what_the_agents_are_filled_with() -> None:
    for agent in Agent:
        assert all(sample.keys() == VARIABLES[agent] for sample in SAMPLES[agent.value])
    (topic,) = SAMPLES["scout"][0]["topics"]
    assert all(hasattr(load_frames()[0], field) for field in vars(topic))


def test_a_variable_that_is_left_out_is_named(tmp_path: Path) -> None:
    (tmp_path / "verifier.jinja").write_text("{% block system %}a{% endblock %}{% block user %}b{% endblock %}")
    with pytest.raises(FrameError, match="lines"):
        load_prompts(tmp_path)


def test_a_file_of_no_agents_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "writter.jinja").write_text("x")
    with pytest.raises(UsageError, match="no agent"):
        load_prompts(tmp_path)
    with pytest.raises(UsageError, match="no folder"):
        load_prompts(tmp_path / "absent")


@pytest.mark.parametrize("family", Family.locomo())
def test_every_turn_of_every_family_is_told_what_it_has_to_do(family: Family) -> None:
    plan = item_plan(family, drift=1)
    told = [load_parts().of(turn, plan) for turn in plan.turns]
    assert len(set(told)) == 3
    assert all("Ann" in each and plan.topic in each and "{" not in each for each in told)
