"""Vaults as a person handles them: make one, trust one, tie a code repository to one, ask where one is."""

from markdown_memory.features.vaults.joining import Joined as Joined
from markdown_memory.features.vaults.joining import join as join
from markdown_memory.features.vaults.linking import Linked as Linked
from markdown_memory.features.vaults.linking import link as link
from markdown_memory.features.vaults.linking import unlink as unlink
from markdown_memory.features.vaults.making import Made as Made
from markdown_memory.features.vaults.making import init as init
from markdown_memory.features.vaults.trusting import Trust as Trust
from markdown_memory.features.vaults.trusting import distrust as distrust
from markdown_memory.features.vaults.trusting import trust as trust
from markdown_memory.features.vaults.whereabouts import Where as Where
from markdown_memory.features.vaults.whereabouts import where as where
