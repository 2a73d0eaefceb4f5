"""The agents' prompt files: complete, strict about variables, replaceable one by one, and hashed."""

from __future__ import annotations

from pathlib import Path

import pytest
from loop_material import item_plan

from arcs.taxonomy import Family
from inject.agents.prompt_set import VARIABLES, Agent, load_parts, load_prompts
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
