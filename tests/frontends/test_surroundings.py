"""Who is at the keyboard, and what a terminal may be sent."""

from pathlib import Path

import pytest

from markdown_memory.frontends.cli.call import Call
from markdown_memory.frontends.cli.surroundings import AGENT_MARKS, Surroundings, client_of
from tests.frontends.conftest import Shell, plain


@pytest.mark.parametrize(("mark", "slug"), AGENT_MARKS)
def test_a_mark_of_an_agents_shell_names_the_agent(mark: str, slug: str) -> None:
    assert client_of({mark: "1"}) == slug


@pytest.mark.parametrize("env", [{}, {"CLAUDECODE": ""}, {"CLAUDECODE": "0"}, {"CODEX_HOME": "/home/ana/.codex"}])
def test_a_persons_own_shell_carries_no_mark(env: dict[str, str]) -> None:
    assert client_of(env) == ""


def here(
    client: str = "", agent: str = "", input_is_terminal: bool = True, output_is_terminal: bool = True
) -> Surroundings:
    return Surroundings(
        client=client, agent=agent, input_is_terminal=input_is_terminal, output_is_terminal=output_is_terminal
    )


def test_a_person_is_present_at_a_terminal_and_nowhere_else() -> None:
    assert Call(here()).person_present
    assert not Call(here(input_is_terminal=False)).person_present
    assert not Call(here(output_is_terminal=False)).person_present
    assert not Call(here(client="codex")).person_present
    assert not Call(here(), agent="lyra").person_present
    assert not Call(here(agent="lyra")).person_present


def test_an_option_wins_over_the_variable_and_the_variable_over_the_mark() -> None:
    assert Call(here(agent="ella", client="codex"), agent="lyra").agent == "lyra"
    assert Call(here(agent="ella", client="codex")).agent == "ella"
    assert Call(here(client="codex")).agent == "codex"
    assert Call(here()).agent == ""


def test_a_command_typed_by_an_unnamed_agent_is_that_agents(shell: Shell, vault: Path) -> None:
    done = shell("store", "a", "text", CLAUDECODE="1")
    assert done.out == "waiting inbox/claude-code/a.md\n"


def test_variables_name_vault_agent_and_session(shell: Shell, vault: Path) -> None:
    shell.fine("log", "append", "hello", MDMEM_AGENT="lyra")
    assert "hello" in shell.fine("log", "read", "--unread", MDMEM_AGENT="ella", MDMEM_SESSION="one")
    assert "hello" in shell.fine("log", "read", "--unread", MDMEM_AGENT="ella", MDMEM_SESSION="two")
    assert shell.fine("log", "read", "--unread", MDMEM_AGENT="ella", MDMEM_SESSION="one") == ""


def test_colour_is_for_terminals_that_want_it(shell: Shell, vault: Path) -> None:
    shell.fine("store", "a", "a zebra")
    assert "   a \x1b[1mzebra\x1b[0m\n" in shell.terminal("search", "zebra").out
    for words, env in (((), {"NO_COLOR": "1"}), (("--plain",), {}), (("--no-color",), {}), ((), {"TERM": "dumb"})):
        assert "\x1b[" not in shell.terminal("search", "zebra", *words, env=env).out
    assert "\x1b[" not in shell.fine("search", "zebra")


def test_tables_are_drawn_in_a_terminal_and_aligned_in_a_pipe(shell: Shell, vault: Path) -> None:
    assert "─" in shell.terminal("keys", "list").out
    assert "─" not in shell.terminal("keys", "list", "--plain").out
    assert shell.fine("keys", "list").splitlines()[0].split() == ["WRITER", "ROLE", "STANDING", "KEY"]


@pytest.mark.parametrize("columns", [30, 50, 200])
def test_lists_and_text_fit_the_width_of_the_terminal(shell: Shell, vault: Path, columns: int) -> None:
    shell.fine("store", "a-rather-long-name-for-a-note", "A description that goes on and on. " * 4)
    shell.fine("log", "append", "An entry that goes on and on. " * 4)
    listed = plain(shell.terminal("list", columns=columns).out).splitlines()
    found = plain(shell.terminal("search", "description", columns=columns).out).splitlines()
    read = plain(shell.terminal("log", "read", columns=columns).out).splitlines()
    text = [line for line in (*found, *read) if line.startswith("  ") and "/" not in line]
    assert max(map(len, (*listed, *text))) <= columns


def test_an_output_that_speaks_no_unicode_gets_escapes(shell: Shell, vault: Path) -> None:
    shell.fine("store", "umlaut", "Grüße 🎉")
    latin = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert "Gr\\xfc\\xdfe" in shell.fine("list", **latin)
    assert '"Gr\\u00fc\\u00dfe \\ud83c\\udf89"' in shell.fine("list", "--json", **latin)
