"""The inbox: agents propose, a person decides."""

from markdown_memory.features.inbox.desk import Inbox as Inbox
from markdown_memory.features.inbox.values import Carried as Carried
from markdown_memory.features.inbox.values import Decision as Decision
from markdown_memory.features.inbox.values import Proposal as Proposal
