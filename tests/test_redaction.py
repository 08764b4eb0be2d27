"""Redaction: keys are replaced in text that is printed, shown or saved."""

import pytest
from loopback import KEY, PROMPT

from lesson import PracticeModel, connect
from lesson.model_choice import connect_practice
from lesson.program.run import PrintingClient
from lesson.real_model.connection import ConnectError
from lesson.redaction import redact


def test_key_that_connect_was_called_with_is_redacted():
    with pytest.raises(ConnectError):
        connect("m", env={"ANTHROPIC_BASE_URL": "http://192.0.2.1", "ANTHROPIC_API_KEY": KEY})
    assert redact(f"It is {KEY}.") == "It is [your key]."


END = "-----END " + "PRIVATE KEY-----"


# Each key is assembled here, so that no secret scanner reports this file.
@pytest.mark.parametrize(
    "key",
    [
        "sk-ant-" + "a1B2" * 8,
        "AKIA" + "Q7" * 8,
        "ghp_" + "aB3d" * 9,
        "AIza" + "aB3-d" * 7,
        "hf_" + "aBcd" * 9,
        "\n".join(["-----BEGIN " + "PRIVATE KEY-----", *["MIIEab+/"] * 9, END]),
    ],
    ids=lambda key: key[:6],
)  # fmt: skip
def test_key_of_a_common_service_is_redacted(key):
    assert redact({"x": [f"before {key} after"]}) == {"x": ["before [your key] after"]}


def test_aws_secret_is_redacted_and_ordinary_words_are_not():
    assert "aB3/" * 10 not in redact("aws_secret_access_key = " + "aB3/" * 10)
    assert redact("sk-text-repr-fallback") == "sk-text-repr-fallback"


def test_program_prints_no_key(capsys):
    key = "-".join(["sk", "ant", "0123456789abcdef"])  # no key of anybody
    failed = {"type": "tool_result", "tool_use_id": "a", "content": key, "is_error": True}
    call = {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": key}}
    messages = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [failed]}]
    model = PracticeModel(lambda request: [{"type": "text", "text": key}])
    client = PrintingClient(connect_practice(model))
    client.create(model="practice", max_tokens=9, messages=[*PROMPT, *messages])
    printed = capsys.readouterr().out
    assert key not in printed and printed.count("[your key]") == 2
