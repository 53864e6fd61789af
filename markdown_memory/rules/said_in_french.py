"""How facts worth keeping are said in French; rules/said.py tells what a rule is."""

from markdown_memory.rules.said import Failure, Rule

_MAYBE = r"(\b(si|peut-être|imaginons|supposons|un jour|jamais|pas encore|ayons|aurions)\b|\b\w+r(ait|ions|aient)\b)"
_WHY = r"\b(parce que?|car|puisque|afin|plutôt que?|au lieu|pour que?)\b"

RULES = (
    Rule(
        "fr-decide",
        "decision",
        "both",
        r"\b(nous avons|on a|avons-nous)\b[^.;]{0,40}\b(décidé|choisi|retenu|convenu|tranché|opté|acté)\b",
        "Nous avons décidé de garder les tickets sept ans.",
        unless=_MAYBE,
    ),
    Rule(
        "fr-on-part-sur",
        "decision",
        "user",
        r"\b(on (part sur|garde|reste sur|passe (à|sur)|prend|abandonne|adopte|utilise)|(on va"
        r"|nous allons) (utiliser|garder|"
        r"prendre|passer|partir sur|adopter|abandonner))\b",
        "On part sur PostgreSQL 16.",
        unless=_MAYBE,
    ),
    Rule(
        "fr-on-garde-parce-que",
        "decision",
        "agent",
        r"\b((on|nous) (part|partons|garde|gardons|reste|restons|prend|prenons|adopte|adoptons|utilise|utilisons))\b",
        "On garde SQLite, parce que personne n'y administre de serveur.",
        needs=_WHY,
        unless=_MAYBE,
    ),
    Rule(
        "fr-decision-deux-points",
        "decision",
        "both",
        r"^(la |notre )?(décision|décidé|convenu|acté)( est| finale)?\s*[:,–—-]",
        "Décision : les prix sont stockés en centimes.",
    ),
    Rule(
        "fr-c-est-decide",
        "decision",
        "user",
        r"\b(c'est (donc )?(décidé|acté|tranché|entendu)|(faisons|on fait) comme (ça|cela))\b",
        "C'est décidé, plus d'export XML.",
        unless=_MAYBE,
    ),
    Rule(
        "fr-non-mais",
        "correction",
        "user",
        r"^(mais )?(non|faux|en fait|pas du tout|erreur)\s*[,.:;!–—-]",
        "Non, le port est 5433, pas 5432.",
        needs=r"(\b(pas|plutôt|au lieu|est|sont|était|a|ont|va|se|doit|doivent|tourne|seulement|jamais)\b|c'est\b)",
        unless=r"^non[,.!]? (merci|c'est (bon|parfait|tout)|ça (va|ira)|pas de (souci|problème)|continue|vas-y)"
        r"|^en fait, (je|on|laisse|peux)\b",
    ),
    Rule(
        "fr-c-est-faux",
        "correction",
        "user",
        r"\b(c'est (faux|inexact|une erreur|pas (vrai|ça|correct|exact))|ce n'est pas (vrai|ça|correct|exact))\b",
        "C'est faux : la TVA est de 5,5 %.",
    ),
    Rule(
        "fr-tu-te-trompes",
        "correction",
        "user",
        r"\btu (t'es tromp\w+|te trompes|confonds|as (mal compris|confondu|mal lu))\b",
        "Tu confonds les deux stands : le 17 a le lecteur.",
    ),
    Rule(
        "fr-ne-pas-plutot",
        "correction",
        "user",
        r"^(s'il te plaît,? )?(ne \w+|n'\w+|pas)\b",
        "Ne modifie pas l'ancienne migration, crées-en plutôt une nouvelle.",
        needs=r"\b(plutôt|au lieu|à la place)\b",
    ),
    Rule("fr-arrete-de", "correction", "user", r"^arrêt(e|ez) (de |d')", "Arrête de répéter la question."),
    Rule(
        "fr-je-prefere",
        "preference",
        "user",
        r"\b(je (préfère|préférerais|veux (toujours|que)|n'aime pas|tiens à)|j'(aime (mieux|bien (quand|que))"
        r"|aimerais que))\b",
        "Je préfère que tu écrives les tests avant le code.",
    ),
    Rule(
        "fr-desormais",
        "preference",
        "user",
        r"^((et|mais|donc),? )?(à partir de maintenant|désormais|dorénavant|à l'avenir|en règle générale)\b",
        "Désormais, réponds-moi en français.",
        unless=r"\b(peut-être|pourrait)\b",
    ),
    Rule(
        "fr-toujours-jamais",
        "preference",
        "user",
        r"^(?!(je|j|on|nous|il|elle|ils|elles|ça|ce|c|tu|le|la|les|un|une|des|est|a|y)\b)(s'il te plaît,? )?"
        r"((ne |n')\w+(-\w+)? jamais\b|\w+(-\w+)? (bien )?toujours\b)",
        "Demande toujours avant de supprimer.",
        unless=r"\b(pas toujours|est toujours|sont toujours)\b",
    ),
)

FAILURE = Failure(
    "fr",
    trouble=r"\b(échou\w+|échec\w*|erreurs?|plant(e|ait|ent|aient|é)|bloqu\w+|coup(e|ait|é)|problème\w*|panne"
    r"|cass\w+|"
    r"verrouillé\w*|perd\w*|5\d\d)\b",
    because=r"\b(parce qu\w*|car|à cause|puisque|en raison)\b",
    cause=r"\b(cause\b ?(:|était|est)|(venait|viennent|venaient|vient) d|(était|étaient|est) dus? (à|au)"
    r"|(problème|bug|erreur) était)",
    cure=r"\b(corrig\w+|répar\w+|résolu\w*|solution|régl(é|ée|er)|fixé|tout (passe|marche)|(ça|cela) (marche"
    r"|passe)|remplac\w+)\b",
    example="La compilation échouait parce que le cache était partagé. Corrigé en ajoutant la version à la clé.",
)
