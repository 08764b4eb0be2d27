"""The door: the address, the body, the key."""

import pytest
from support.practice_wire import refusal

from lesson.practice.api import server
from lesson.practice.model import PracticeModel


def raw(method="POST", path="/v1/messages", content=b"{}", **headers):
    """A request that did not go through the SDK's own hands."""
    http = PracticeModel()._connect()._client
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = http.request(
        method, "http://practice.invalid" + path, content=content, headers=headers
    )
    error = answer.json()["error"]
    return answer.status_code, error["type"], error["message"]


DOOR = {"x_api_key": server.KEY, "anthropic_version": "2023-06-01"}


def test_a_wrong_key_is_a_401():
    wrong = (401, "authentication_error", "invalid x-api-key")
    assert refusal(api_key="somebody-elses") == wrong
    assert raw(**DOOR | {"x_api_key": "somebody-elses"}) == wrong


def test_a_missing_key_is_a_401():
    assert raw() == (401, "authentication_error", "x-api-key header is required")


def test_a_missing_version_is_a_400():
    missing = (400, "invalid_request_error", "anthropic-version: header is required")
    assert raw(x_api_key=server.KEY) == missing


def test_another_address_is_a_404_and_another_method_a_405():
    assert raw(path="/v1/message", **DOOR) == (404, "not_found_error", "Not Found")
    assert raw("GET", content=b"", **DOOR)[0] == 405


@pytest.mark.parametrize("body", [b"", b'{"model": ', b'{"model": nope}', b'{"max_tokens": NaN}'])
def test_what_is_not_json_is_a_400(body):
    status, kind, message = raw(content=body or b" ", **DOOR)
    assert (status, kind) == (400, "invalid_request_error")
    assert message.startswith("The request body is not valid JSON: ") and ": line 1 " in message


def test_half_a_character_is_no_json():
    complaint = "The request body is not valid JSON: no low surrogate in string: line 1 column"
    assert raw(content=rb'{"model": "\ud83d"}', **DOOR)[2].startswith(complaint)
    assert raw(content=rb'{"model": "\ud83d\ud83d"}', **DOOR)[2].startswith(complaint)


def test_json_that_is_no_object_is_a_400():
    assert raw(content=b"[]", **DOOR) == (400, "invalid_request_error", "Input should be an object")


def test_a_body_over_32_mb_is_a_413():
    too_large = (413, "request_too_large", "Request exceeds the maximum size")
    assert raw(content=b" " * 32_000_001, **DOOR) == too_large
