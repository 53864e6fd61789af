"""Who may sign: roots, introductions, confirmations, retiring and revoking."""

import pytest

from markdown_memory.core.entry import Entry
from markdown_memory.rules.standing import Standings, introduction, parse_head, weigh
from tests.scribe import Scribe


class Vault:
    """The keys log of a vault: ana is the root; others introduce themselves."""

    def __init__(self) -> None:
        self.ana = Scribe("ana", 1)
        self.scribes = [self.ana]
        self.entries: list[Entry] = [self.ana.introduce("root", "person")]

    def add(self, agent: str, seed: int, role: str = "agent") -> Scribe:
        scribe = Scribe(agent, seed)
        self.scribes.append(scribe)
        self.entries.append(scribe.introduce(role=role))
        return scribe

    def say(self, by: Scribe, kind: str, about: Scribe, **more: object) -> Entry:
        data = {"writer": about.id, "key": about.key, **more}
        self.entries.append(by.write(kind, "keys", kind=kind, data=data))
        return self.entries[-1]

    def confirm(self, by: Scribe, about: Scribe, role: str = "agent") -> Entry:
        return self.say(by, "confirm", about, role=role)

    def weigh(self, *pinned: str) -> Standings:
        introductions = [one for entry in self.entries if (one := introduction(entry))]
        return weigh(introductions, self.entries, pinned or (self.ana.key,))

    def state(self, scribe: Scribe) -> tuple[str, bool]:
        one = self.weigh().writers[scribe.id]
        return one.state, one.trusted


@pytest.fixture
def vault() -> Vault:
    return Vault()


def test_a_pinned_person_is_the_root_and_nobody_else_is_known(vault: Vault) -> None:
    lyra = vault.add("lyra", 2)
    assert vault.state(vault.ana) == ("root", True) and vault.state(lyra) == ("unconfirmed", False)
    assert vault.weigh().writers[lyra.id].role == "agent"
    assert vault.weigh().trusts(vault.entries[0], "person") and not vault.weigh().trusts(vault.entries[1])


def test_a_person_confirms_anybody(vault: Vault) -> None:
    lyra, ben = vault.add("lyra", 2), vault.add("ben", 3, "person")
    vault.confirm(vault.ana, lyra)
    vault.confirm(vault.ana, ben, "person")
    vault.confirm(ben, other := vault.add("ella", 4))
    assert {vault.state(one) for one in (lyra, ben, other)} == {("confirmed", True)}
    assert vault.weigh().writers[ben.id].role == "person"


def test_an_agent_confirms_its_own_next_writer_and_no_other(vault: Vault) -> None:
    lyra, next_lyra, ella = vault.add("lyra", 2), vault.add("lyra", 3), vault.add("ella", 4)
    vault.confirm(vault.ana, lyra)
    vault.confirm(lyra, next_lyra)
    vault.confirm(lyra, ella)
    assert vault.state(next_lyra) == ("confirmed", True) and vault.state(ella) == ("unconfirmed", False)


def test_an_agent_cannot_make_itself_a_person(vault: Vault) -> None:
    lyra, claims = vault.add("lyra", 2), vault.add("lyra", 3, "person")
    vault.confirm(vault.ana, lyra)
    vault.confirm(lyra, claims, "person")
    assert vault.state(claims) == ("unconfirmed", False)
    vault.confirm(vault.ana, claims, "agent")
    assert vault.weigh().writers[claims.id].role == "agent", "what is confirmed counts, not what is claimed"


def test_somebody_who_is_unconfirmed_confirms_nobody(vault: Vault) -> None:
    mallory = vault.add("mallory", 5, "person")
    vault.confirm(mallory, mallory, "person")
    vault.confirm(mallory, lyra := vault.add("lyra", 2))
    assert vault.state(lyra) == ("unconfirmed", False) == vault.state(mallory)


def test_confirming_needs_the_very_key(vault: Vault) -> None:
    lyra, other = vault.add("lyra", 2), Scribe("lyra", 3)
    vault.say(vault.ana, "confirm", lyra, role="agent", key=other.key)
    assert vault.state(lyra) == ("unconfirmed", False)


def test_the_order_of_arrival_does_not_matter(vault: Vault) -> None:
    lyra, next_lyra = vault.add("lyra", 2), vault.add("lyra", 3)
    vault.confirm(lyra, next_lyra)
    vault.confirm(vault.ana, lyra)
    vault.entries.reverse()
    assert vault.state(next_lyra) == ("confirmed", True)


def test_a_second_root_counts_only_where_it_is_pinned(vault: Vault) -> None:
    mallory = Scribe("mallory", 5)
    vault.entries.append(mallory.introduce("root", "person"))
    assert vault.state(mallory) == ("unconfirmed", False)
    assert vault.weigh(mallory.key).writers[mallory.id].state == "root"


def test_without_a_pin_a_single_root_is_taken_and_said_to_be_a_guess(vault: Vault) -> None:
    introductions = [one for entry in vault.entries if (one := introduction(entry))]
    guessed = weigh(introductions, vault.entries, ())
    assert guessed.provisional and guessed.writers[vault.ana.id].state == "root"
    second = Scribe("mallory", 5).introduce("root", "person")
    two = weigh([*introductions, one] if (one := introduction(second)) else [], [*vault.entries, second], ())
    assert not two.provisional and not two.roots and two.writers[vault.ana.id].state == "unconfirmed"


def test_a_revoked_writer_is_trusted_up_to_the_head_that_is_named(vault: Vault) -> None:
    lyra = vault.add("lyra", 2)
    vault.confirm(vault.ana, lyra)
    entries = [lyra.write() for _ in range(4)]
    vault.say(vault.ana, "revoke", lyra, heads=[str(entries[1].head)])
    standings = vault.weigh()
    assert standings.writers[lyra.id].state == "revoked"
    assert [standings.trusts(entry) for entry in entries] == [True, True, False, False]
    assert not standings.trusts(lyra.write(log="ledger")), "a log that is not named: nothing"


def test_what_a_stolen_key_confirmed_falls_with_it(vault: Vault) -> None:
    ben, mallory = vault.add("ben", 3, "person"), vault.add("mallory", 5, "person")
    vault.confirm(vault.ana, ben, "person")
    before = ben.chains["keys"][-1].head
    vault.confirm(ben, mallory, "person")
    vault.say(mallory, "revoke", vault.add("lyra", 2), heads=[])
    vault.say(vault.ana, "revoke", ben, heads=[str(before)])
    assert vault.state(mallory) == ("unconfirmed", False)
    assert vault.state(ben) == ("revoked", True)
    assert vault.weigh().writers[vault.scribes[-1].id].state == "unconfirmed", "mallory's word counts no more"


def test_only_a_root_revokes_a_root(vault: Vault) -> None:
    ben = vault.add("ben", 3, "person")
    vault.confirm(vault.ana, ben, "person")
    vault.say(ben, "revoke", vault.ana, heads=[])
    assert vault.state(vault.ana) == ("root", True)


def test_two_persons_who_revoke_each_other_come_to_an_end(vault: Vault) -> None:
    ben, cleo = vault.add("ben", 3, "person"), vault.add("cleo", 4, "person")
    for one in (ben, cleo):
        vault.confirm(vault.ana, one, "person")
    vault.say(ben, "revoke", cleo, heads=[])
    vault.say(cleo, "revoke", ben, heads=[])
    assert vault.weigh().writers


def test_a_writer_retires_itself_and_keeps_its_name(vault: Vault) -> None:
    lyra, ella = vault.add("lyra", 2), vault.add("ella", 4)
    vault.confirm(vault.ana, lyra)
    vault.confirm(vault.ana, ella)
    entry = lyra.write()
    vault.say(ella, "retire", lyra, heads=[])
    assert vault.state(lyra) == ("confirmed", True), "nobody else's agent retires it"
    vault.say(lyra, "retire", lyra, heads=[str(entry.head)])
    assert vault.state(lyra) == ("retired", True) and vault.weigh().trusts(entry)
    assert not vault.weigh().trusts(lyra.write())


def test_two_keys_under_one_name_are_reported_and_the_confirmed_one_counts(vault: Vault) -> None:
    lyra, twin = vault.add("lyra", 2), Scribe("lyra", 3)
    fake = twin.introduce()
    assert introduction(twin.sign(fake._replace(writer=lyra.id))) is None, "a name must be made of its key"
    vault.confirm(vault.ana, lyra)
    assert vault.weigh().conflicts == ()


@pytest.mark.parametrize(
    "data",
    [{}, {"key": "ssh-ed25519 AAAA", "role": "agent"}, {"key": 3, "role": "agent"}, {"key": "", "role": "god"}],
)
def test_an_improper_introduction_counts_for_nothing(data: dict[str, object]) -> None:
    assert introduction(Scribe("lyra", 2).write("hello", "keys", kind="introduce", data=data)) is None


@pytest.mark.parametrize(
    "text", ["", "a", "a/b", "a/b:x:" + "A" * 43, "a/b:1:short", "a/b:" + "9" * 5000 + ":" + "A" * 43]
)
def test_what_is_no_head_is_none(text: str) -> None:
    assert parse_head(text) is None
