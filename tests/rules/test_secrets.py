import pytest

from markdown_memory.rules.secrets import find


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ghp_" + "a1B2" * 9, "a GitHub token"),
        ("AKIA" + "ABCDEFGH12345678", "an AWS access key"),
        ("-----BEGIN OPENSSH " + "PRIVATE KEY-----", "a private key"),
        ("postgres://app:" + "s3cr3tpw@db.internal/shop", "a password in an address"),
        ("xoxb-" + "1234567890-abcdef", "a Slack token"),
        ("sk-" + "ant-" + "x9" * 16, "an API key of a model provider"),
        ("sk_" + "live_" + "a1" * 10, "a Stripe key"),
    ],
)
def test_secrets_are_known_by_their_shape(text: str, what: str) -> None:
    (secret,) = find(f"one\ntwo {text} end")
    assert (secret.what, secret.line) == (what, 2)


@pytest.mark.parametrize(
    "text",
    [
        "9fb450c5748d86d3ca8e162525ac6db9c6333f5858e75ddcb811a00edaca7c5b",
        "https://example.com/a:b@c",
        "postgres://app:****@db.internal/shop",
        "a task-force with sk-learn",
        "",
    ],
)
def test_what_only_looks_long_is_no_secret(text: str) -> None:
    assert list(find(text)) == []
