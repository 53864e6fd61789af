"""The verbs of every turn: context, search, show, list, where, retain. The quick door knows most of them."""

from typing import Annotated

import typer

from markdown_memory.frontends.cli import verbs_keep, verbs_read
from markdown_memory.frontends.cli.completion import note_names
from markdown_memory.frontends.cli.root import NOTHING, command, run

NoteName = Annotated[str, typer.Argument(help="Name, alias or path of the note.", autocompletion=note_names)]
Types = Annotated[list[str], typer.Option("--type", help="user, feedback, project, reference, or your own word.")]
Categories = Annotated[list[str], typer.Option("--category", help="core, daily, conversation, or your own word.")]
Tags = Annotated[list[str], typer.Option("--tag", help="A tag; a parent tag finds its children.")]
Projects = Annotated[list[str], typer.Option("--in-project", help="Only notes that belong to this project.")]
Branches = Annotated[list[str], typer.Option("--in-branch", help="Only notes that belong to this branch.")]
Authors = Annotated[list[str], typer.Option("--by", help="Only notes that this agent wrote.")]
Namespace = Annotated[
    str | None, typer.Option("--namespace", help="Only notes of user, project:BRANCH or project:@PROJECT:BRANCH.")
]
Statuses = Annotated[list[str], typer.Option("--status", help="accepted, proposal, archived, page …")]


@command("context", 'mdmem context --query "mobile login"')
def context(
    ctx: typer.Context,
    query: Annotated[str, typer.Option("--query", help="What the session is about; brings relevant notes.")] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="Size of the whole block in bytes.")] = 6000,
) -> None:
    """Everything that a session should know at its start, within a limit in bytes.

    Identity, checkpoint, unread log entries, project state, relevant notes and the memory index in one block.
    The last line says what was left out and how to get it.
    """
    run(ctx, verbs_read.context)


@command("search", "mdmem search refresh token --type reference")
def search(
    ctx: typer.Context,
    words: Annotated[list[str], typer.Argument(help="What you look for; see `mdmem help query`.")],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many hits.")] = 20,
    namespace: Namespace = None,
    type: Types = NOTHING,
    category: Categories = NOTHING,
    tag: Tags = NOTHING,
    in_project: Projects = NOTHING,
    in_branch: Branches = NOTHING,
    by: Authors = NOTHING,
    status: Statuses = NOTHING,
    explain: Annotated[bool, typer.Option("--explain", help="What each rank is made of, and who signed it.")] = False,
    expand: Annotated[bool, typer.Option("--expand", help="What stands beside each hit: source and links.")] = False,
    unfold: Annotated[bool, typer.Option("--unfold", help="Also hits that say nearly the same as another.")] = False,
) -> None:
    """Find notes, best first, with the line that matched.

    Sees global notes and those of the present project and branch. Quotes find a phrase, `-word` excludes,
    `tag:`, `type:`, `after:` and the like filter inside the query; see `mdmem help query`.
    """
    run(ctx, verbs_read.search)


@command("show", "mdmem show oauth-pkce-for-mobile")
def show(
    ctx: typer.Context,
    name: NoteName,
    body: Annotated[bool, typer.Option("--body", help="Without the properties at the top.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Only where the file is.")] = False,
) -> None:
    """Print a note exactly as it is on disk."""
    run(ctx, verbs_read.show)


@command("list", "mdmem list --category core --tag auth")
def list_notes(
    ctx: typer.Context,
    namespace: Namespace = None,
    type: Types = NOTHING,
    category: Categories = NOTHING,
    tag: Tags = NOTHING,
    in_project: Projects = NOTHING,
    in_branch: Branches = NOTHING,
    by: Authors = NOTHING,
    status: Statuses = NOTHING,
    archived: Annotated[bool, typer.Option("--archived", help="Forgotten notes instead of current ones.")] = False,
    all: Annotated[bool, typer.Option("--all", help="Of every project and branch.")] = False,
) -> None:
    """List notes with type, scope and description."""
    run(ctx, verbs_read.list_notes)


@command("where", "mdmem where")
def where(ctx: typer.Context) -> None:
    """Which vault, project and branch a command here works in, and why."""
    run(ctx, verbs_read.where)


@command("retain", 'mdmem retain "Mobile clients must use PKCE" --kind decision --source "call with Ana"')
def retain(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="The fact, in words that still make sense next month; - reads it.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="decision, fact, failure-pattern or preference.")] = "fact",
    source: Annotated[str, typer.Option("--source", help="Session, file, URL or person it comes from.")] = "",
    name: Annotated[str, typer.Option("--name", help="Name of the note; made from the text otherwise.")] = "",
    description: Annotated[str, typer.Option("--description", help="One line for the memory index.")] = "",
    trust: Annotated[str, typer.Option("--trust", help="user, agent, tool or external.")] = "",
    namespace: Annotated[
        str | None, typer.Option("--namespace", help="private, user, project:BRANCH or project:@PROJECT:BRANCH.")
    ] = None,
    private: Annotated[bool, typer.Option("--private", help="For the author and the person only.")] = False,
    from_transcript: Annotated[
        str,
        typer.Option("--from-transcript", metavar="FILE", help="A session of Claude Code or Codex, as they keep it."),
    ] = "",
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many facts of one transcript.")] = 5,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what a transcript would propose.")] = False,
    from_client: Annotated[
        str, typer.Option("--from-client", help="What claude-code, codex, openclaw or hermes noted for itself.")
    ] = "",
) -> None:
    """Propose a fact for the long run. A person decides with `mdmem review`.

    Told apart: `log append` says what was just done; `store` writes a note directly.
    `--from-transcript` proposes what was decided, corrected, preferred and repaired in a session,
    each once; `mdmem help transcript-rules` lists by which rules.
    `--from-client` brings what a client keeps in its own memory files, each thing once.
    """
    run(ctx, verbs_keep.retain)
