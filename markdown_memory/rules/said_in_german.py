"""How facts worth keeping are said in German; rules/said.py tells what a rule is."""

from markdown_memory.rules.said import Failure, Rule

_MAYBE = (
    r"\b(falls|wenn|vielleicht|könnten?|würden?|wäre|hätten?|angenommen|ob|je|jemals|noch nicht|irgendwann"
    r"|eventuell)\b"
)
_WHY = r"\b(weil|da|denn|damit|statt|anstatt|anstelle)\b"

RULES = (
    Rule(
        "de-entschieden",
        "decision",
        "both",
        r"\b(wir haben|haben wir)\b[^.;]{0,80}\b(entschieden|beschlossen|gewählt|festgelegt|geeinigt|vereinbart"
        r"|abgemacht)\b",
        "Wir haben uns entschieden, ohne Docker auszuliefern.",
        unless=_MAYBE,
    ),
    Rule(
        "de-ich-entscheide",
        "decision",
        "user",
        r"\b(ich habe (mich|beschlossen)|habe ich (mich|beschlossen))\b[^.;]{0,80}\b(entschieden|beschlossen)\b",
        "Ich habe mich für SQLite entschieden.",
        unless=_MAYBE,
    ),
    Rule(
        "de-wir-nehmen",
        "decision",
        "user",
        r"\bwir (nehmen|bleiben bei|setzen (\w+ )?auf|verwenden|nutzen|wechseln (zu|auf)|verzichten auf"
        r"|behalten|streichen)\b",
        "Wir nehmen Whoosh statt Tantivy.",
        unless=_MAYBE,
    ),
    Rule(
        "de-wir-nehmen-weil",
        "decision",
        "agent",
        r"\bwir (nehmen|bleiben bei|setzen (\w+ )?auf|verwenden|nutzen|wechseln (zu|auf)|verzichten auf|behalten)\b",
        "Wir nehmen Whoosh, weil es ohne Compiler läuft.",
        needs=_WHY,
        unless=_MAYBE,
    ),
    Rule(
        "de-entscheidung-doppelpunkt",
        "decision",
        "both",
        r"^(die |unsere )?(entscheidung|beschluss|beschlossen|entschieden|abgemacht|vereinbart)\s*[:,–—-]",
        "Entscheidung: Preise stehen in Cent in der Datenbank.",
    ),
    Rule(
        "de-so-machen-wir",
        "decision",
        "user",
        r"\b(so machen wir|machen wir (es |das )?so|dabei bleibt es|es bleibt bei|das ist (damit )?entschieden)\b",
        "So machen wir es: Die Kasse vergibt die Nummer.",
        unless=_MAYBE,
    ),
    Rule(
        "de-nein-sondern",
        "correction",
        "user",
        r"^(nein|nee|ne|nö|falsch|quatsch|stimmt nicht|doch nicht|eigentlich)\s*[,.:;!–—-]",
        "Nein, der Kunde heißt Brandt mit dt.",
        needs=r"\b(nicht|sondern|statt|stattdessen|keine?[nmrs]?|ist|sind|war|hat|haben|wird|werden|heißt|läuft|liegt"
        r"|gehört|muss|müssen|soll|darf|nur|erst)\b",
        unless=r"^(nein|nee|ne|nö)[,.!]? (danke|alles gut|alles klar|passt|schon gut|kein problem|mach weiter"
        r"|das reicht"
        r"|ist (gut|okay|ok))",
    ),
    Rule(
        "de-stimmt-nicht",
        "correction",
        "user",
        r"\bdas (stimmt( so)? nicht|ist (so )?(falsch|nicht richtig|verkehrt|ein irrtum))\b",
        "Das stimmt nicht: Die Kasse rundet kaufmännisch.",
    ),
    Rule(
        "de-verwechselt",
        "correction",
        "user",
        r"\bdu (hast\b[^.:;]{0,40}\b(verwechselt|missverstanden|falsch verstanden)|irrst dich|verwechselst)\b",
        "Du hast die Stände verwechselt: Nummer 17 hat den Kartenleser.",
    ),
    Rule(
        "de-nicht-sondern",
        "correction",
        "user",
        r"\b(nicht|keine?[nmr]?)\b[^.;]{2,100}, sondern\b",
        "Bitte nicht die Migration ändern, sondern eine neue anlegen.",
        unless=r"\bnicht nur\b",
    ),
    Rule(
        "de-hoer-auf",
        "correction",
        "user",
        r"^(bitte )?(hör (bitte )?auf|lass (das|die finger|es) |lass das\b)",
        "Hör auf, überall Wiederholungen einzubauen.",
    ),
    Rule(
        "de-ich-bevorzuge",
        "preference",
        "user",
        r"\b(ich (bevorzuge|ziehe\b[^.]{2,60}\bvor|(möchte|will) (immer|nie|lieber|grundsätzlich|künftig|nicht, dass)"
        r"|mag (es )?(lieber|nicht|gern)|hätte (es )?(gern|lieber|immer))|mir ist (es )?(\w+ )?(lieber|wichtig)"
        r"|ist mir (\w+ )?(lieber|wichtig)|am liebsten)\b",
        "Ich bevorzuge kurze Funktionen.",
    ),
    Rule(
        "de-ab-jetzt",
        "preference",
        "user",
        r"^((und|aber|also|bitte),? )?(ab (jetzt|sofort|heute)|künftig|zukünftig|in zukunft|von nun an"
        r"|grundsätzlich|generell)\b",
        "Ab jetzt bitte Commit-Nachrichten im Imperativ.",
        unless=r"\b(vielleicht|könnten?|eventuell)\b",
    ),
    Rule(
        "de-immer-nie",
        "preference",
        "user",
        r"^(?!(ich|wir|du|er|sie|es|das|die|der|den|dem|ein|eine|in|im|am|an|auf|bei|mit|so|wie|was|wer|wo"
        r"|warum|noch|schon"
        r"|wenn|weil|nein|ja|hier|da|aber|und|immer noch)\b)(bitte,? )?\w+[^.:;]{0,60}\b(immer|nie|niemals"
        r"|stets|grundsätzlich)\b",
        "Frag immer, bevor du etwas löschst.",
        unless=r"\b(immer (noch|wieder)|wie immer|ist|sind|war|hat|habe|schlägt|läuft)\b",
    ),
)

FAILURE = Failure(
    "de",
    trouble=r"\b(fehler\w*|fehlgeschlagen|schl(ug|ägt|agen|ugen) fehl|abgestürzt|stürzte?n? ab|stürzt|br(ach"
    r"|icht|achen) ab|"
    r"hängt|hing|problem\w*|kaputt|ging nicht|scheiter\w+|absturz|gesperrt|klemmt\w*|meldet|5\d\der)\b",
    because=r"\b(weil|da|wegen|denn)\b",
    cause=r"\b(ursache|(lag|lagen|liegt) (am|an|daran)|kam(en)? (von|vom|daher)|(problem|fehler|grund) war|schuld war"
    r"|verursacht)\b",
    cure=r"\b(behoben|gelöst|lösung|repariert|ersetzt|seitdem|seither|hilft|half|geholfen|jetzt (geht|läuft)"
    r"|läuft (er|sie|es)"
    r"|(ist|sind) (er|sie|es )?(jetzt )?weg|abhilfe)\b",
    example="Der Import brach ab, weil die Datei Windows-1252 war. Behoben: Der Leser erkennt die Kodierung.",
)
