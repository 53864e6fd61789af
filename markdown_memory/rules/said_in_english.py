"""How facts worth keeping are said in English; rules/said.py tells what a rule is."""

from markdown_memory.rules.said import Failure, Rule

_MAYBE = r"\b(if|unless|maybe|perhaps|could|would|might|imagine|suppose|assuming|whether|ever|haven't|not yet)\b"
_WHY = r"\b(because|since|so that|instead of|rather than|over|as)\b"

RULES = (
    Rule(
        "en-decided",
        "decision",
        "user",
        r"\b(we|i)('ve| have)? (\w+ly |just |now |all )?(decided|agreed|settled|chose|chosen|opted)\b",
        "We decided to keep sessions in Redis.",
        unless=_MAYBE,
    ),
    Rule(
        "en-we-decided",
        "decision",
        "agent",
        r"\bwe('ve| have)? (\w+ly |just |now |all )?(decided|agreed|settled on|chose|chosen|opted)\b",
        "We chose Ed25519 over RSA, since its signatures are short.",
        unless=_MAYBE,
    ),
    Rule(
        "en-we-will",
        "decision",
        "user",
        r"\bwe('ll| will|'re going to| are going to|'re| are) (now |always )?"
        r"(use|using|go with|going with|stick(ing)? (with|to)|stay(ing)? (with|on)|keep(ing)?|drop(ping)?"
        r"|switch(ing)? to|mov(e|ing) to|adopt(ing)?|support(ing)?)\b",
        "We'll use UUIDv7 as primary keys.",
        unless=_MAYBE,
    ),
    Rule(
        "en-we-will-because",
        "decision",
        "agent",
        r"\bwe('ll| will|'re going to| are going to|'re| are) (use|using|go(ing)? with|stick(ing)? with"
        r"|keep(ing)?)\b",
        "We'll use UUIDv7 because rows are made on several devices.",
        needs=_WHY,
        unless=_MAYBE,
    ),
    Rule(
        "en-lets-go-with",
        "decision",
        "user",
        r"\blet('s| us) (just )?(go with|stick (with|to)|stay with|settle on|standardi[sz]e on|switch to|drop)\b",
        "Let's go with SQLite for the till.",
        unless=_MAYBE,
    ),
    Rule(
        "en-decision-colon",
        "decision",
        "both",
        r"^(the |final |our )*(decision|decided|agreed|settled)( is| was)?\s*[:–—-]",
        "Decision: receipts are numbered per till.",
    ),
    Rule(
        "en-it-is-settled",
        "decision",
        "user",
        r"\b(it's|it is|that's|that is) (settled|decided|agreed)\b",
        "It's decided: exports stay CSV.",
        unless=_MAYBE,
    ),
    Rule(
        "en-no-but",
        "correction",
        "user",
        r"^(no|nope|nah|wrong|incorrect|actually|not quite|sorry, no|well, no)\s*[,.:;!–—-]",
        "No, the staging database is on port 5433, not 5432.",
        needs=r"(\b(not|instead|rather|but|never|is|are|was|were|has|have|runs?|means|should|must|only"
        r"|needs?)\b|'s\b|n't\b)",
        unless=r"^(no|nope|nah)[,.!]? (problem|worries|thanks|thank you|need|that's (fine|ok|okay|all|great)"
        r"|go ahead|"
        r"it's (fine|ok|okay|all right)|all good)|^actually, (let|can|could|never mind|i|we)\b",
    ),
    Rule(
        "en-that-is-wrong",
        "correction",
        "user",
        r"\b(that's|that is|this is|that was|you're|you are|you were) (just |simply )?"
        r"(wrong|incorrect|mistaken|not (right|true|correct|how|what))\b",
        "That's wrong: VAT on oysters is 5.5 %.",
    ),
    Rule(
        "en-you-misunderstood",
        "correction",
        "user",
        r"\byou('ve| have)? (misunderstood|misread|mixed up|confused|got (it|that|this) wrong|mistook)\b",
        "You mixed up the two stalls: 17 has the card reader.",
    ),
    Rule(
        "en-x-not-y",
        "correction",
        "user",
        r"\b(i (meant|said)|it's|it is|that's|should be|must be|is called|means)\b[^,;]{2,80}, not\b",
        "It should be the orders table, not receipts.",
    ),
    Rule(
        "en-dont-instead",
        "correction",
        "user",
        r"^(please )?(don't|do not)\b",
        "Don't mock the clock. Use the fixture instead.",
        needs=r"\b(instead|rather|but use)\b",
    ),
    Rule("en-stop-doing", "correction", "user", r"^(please )?stop \w+ing\b", "Stop adding retries everywhere."),
    Rule(
        "en-i-prefer",
        "preference",
        "user",
        r"\b(i('d| would)? (\w+ly |much |always )?(prefer|rather|favou?r)|i (\w+ly )?(like|love|hate|dislike"
        r"|don't like)"
        r" (it )?(when|if|that)|my preference|i (always|never) want|i want you to)\b",
        "I prefer small pull requests.",
        unless=r"\bwhether\b",
    ),
    Rule(
        "en-always-never",
        "preference",
        "user",
        r"^((and|but|so|also|ok|okay),? )?(please,? )?(always|never|don't ever|do not ever|make sure to always) \w+",
        "Always run the linter before you commit.",
        unless=r"^never mind\b",
    ),
    Rule(
        "en-from-now-on",
        "preference",
        "user",
        r"^((and|but|so|also|please),? )?(from (now|here) on|in (the )?future|for the future|going forward"
        r"|as a rule)\b",
        "From now on, write commit messages in the imperative.",
        unless=_MAYBE.replace("if|unless|", "").replace("|whether|ever", ""),
    ),
)

FAILURE = Failure(
    "en",
    trouble=r"\b(fail(s|ed|ing|ure|ures)?|crash(es|ed|ing)?|errors?|hangs?|hung|hanging|br(eaks?|oke|oken)|timeouts?|"
    r"timed out|deadlocks?|exceptions?|problem|bug|leak(s|ed)?|race|stuck|lost|wrong|5\d\ds?)\b",
    because=r"\b(because|since|due to|as)\b",
    cause=r"\b(root cause|caused by|came from|comes from|(problem|cause|issue|culprit|reason|error|bug) (was|were|is)"
    r"|cause:|were due to|was due to|turned out)",
    cure=r"\b(fix(es)? (was|is|it)|fixed (it|this|that|by|with)|fix:|fixed:|solved|solution|resolved|workaround|"
    r"works now|work again|works again|helped|cured|(removes|sets|uses|takes|retries) \w+ now|is gone|are gone)",
    example="The build failed because the runner had no IPv6 route. I fixed it by binding to 127.0.0.1.",
)
