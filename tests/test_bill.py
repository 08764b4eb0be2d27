"""The bill of a run: tokens, dollars, and the savings of the cache."""

import datetime

import pytest

from agentlib.loop import Round
from agentlib.replies import Usage
from lesson.runs.bill import dollars, find_price, make_bill, read_table


def played(*usages):
    """Return rounds with these usages."""
    return [
        Round(number, "", (), None, usage, "end_turn") for number, usage in enumerate(usages, 1)
    ]


# Prices


def test_price_table_has_a_date_and_the_documented_multipliers():
    assert datetime.date(2026, 10, 1) <= read_table()["date"] <= datetime.date.today()
    for name in read_table()["models"]:
        price = find_price(name)
        assert price.into_cache == pytest.approx(1.25 * price.input)
        assert price.from_cache <= 0.1 * price.input + 1e-9
        assert price.output == pytest.approx(5 * price.input)


def test_price_is_found_with_and_without_a_date_in_the_model_name():
    assert find_price("claude-sonnet-4-20250514") == find_price("claude-sonnet-4")
    assert find_price("claude-3-5-haiku-latest").input == 0.8


@pytest.mark.parametrize("name", ["", "practice", "gpt-6", "claude-opus", "us.claude-opus-5"])
def test_unknown_model_has_no_price(name):
    assert find_price(name) is None


def test_price_can_depend_on_the_prompt_length():
    assert find_price("claude-haiku-5-5", 100_000).input == 0.10
    assert find_price("claude-haiku-5-5", 100_001).input == 0.50


# The bill


def test_bill_is_the_sum_of_the_rounds_with_and_without_the_cache():
    rounds = played(Usage(1000, 50), Usage(100, 50, 200, 1000))
    bill = make_bill(rounds, "claude-sonnet-4-6")
    assert bill.usage == Usage(1100, 100, 200, 1000)
    cached = 200 * 3.75 + 1000 * 0.3
    assert bill.usd == pytest.approx((1100 * 3 + cached + 100 * 15) / 1e6)
    assert bill.usd_without_cache == pytest.approx((2300 * 3 + 100 * 15) / 1e6)


def test_bill_with_an_unpriced_model_names_it_and_has_no_total():
    bill = make_bill(played(Usage(10, model="llama3"), Usage(10, model="claude-opus-5")))
    assert bill.usd is None
    assert bill.unpriced == ("llama3",)
    assert "The price of llama3 is not known here." in str(bill)


def test_practice_model_can_be_priced_as_another_model():
    rounds = played(Usage(0, 50, 1000, model="practice"))
    assert str(make_bill(rounds)) == (
        "1 round: 1,000 input tokens (0 cache reads, 1,000 cache writes), 50 output tokens."
    )
    priced = str(make_bill(rounds, "claude-opus-4-8"))
    assert priced.endswith("That is $0.0075. Without the cache it would be $0.0063.")


def test_dollars_are_formatted():
    amounts = (1234.5, 0.25, 0.0042, 0.0001, 0.00001)
    shown = ["$1,234.50", "$0.250", "$0.0042", "$0.0001", "less than $0.0001"]
    assert [dollars(usd) for usd in amounts] == shown
