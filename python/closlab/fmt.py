"""Numbers as people read them: three significant digits, bounds and intervals shown, never invented."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

NOT_AVAILABLE = "n/a"


def number(value: float | None) -> str:
    """Three significant digits; from 1000 upwards whole.

    >>> [number(value) for value in (0.01234, 1.5, 12, 123456.7, 0, None)]
    ['0.0123', '1.50', '12.0', '123,457', '0', 'n/a']
    """
    if value is None:
        return NOT_AVAILABLE
    magnitude = abs(value)
    if magnitude >= 999.5:
        return f"{value:,.0f}"
    if value == 0:
        return "0"
    text = f"{value:#.3g}"
    return f"{value:.2e}" if "e" in text else text.rstrip(".")


def count(value: float | None) -> str:
    """A mean number of things: whole if it is whole, else as :func:`number`.

    >>> [count(value) for value in (3.0, 1234.0, 2.5, None)]
    ['3', '1,234', '2.50', 'n/a']
    """
    if value is not None and value == int(value):
        return f"{int(value):,}"
    return number(value)


def percent(value: float | None) -> str:
    """A fraction in percent.

    >>> [percent(value) for value in (0.5, 0.001234, 0, None)]
    ['50.0 %', '0.123 %', '0 %', 'n/a']
    """
    return NOT_AVAILABLE if value is None else f"{number(value * 100)} %"


def interval(value: float, half_width: float | None) -> str:
    """A value and half its confidence interval, which has two significant digits; the value as many decimals.

    >>> [interval(2.1044, 0.0567), interval(1234.5, 321.0), interval(2.1, 0.0), interval(2.1, None)]
    ['2.104 ± 0.057', '1,234 ± 321', '2.10 ± 0', '2.10 (CI n/a)']
    """
    if half_width is None:
        return f"{number(value)} (CI {NOT_AVAILABLE})"
    if half_width == 0:
        return f"{number(value)} ± 0"
    decimals = max(1 - math.floor(math.log10(half_width)), 0)
    return f"{value:,.{decimals}f} ± {half_width:,.{decimals}f}"


def mean(row: Mapping[str, Any]) -> str:
    """A summary row's mean and interval: ``2.10 ± 0.10``, ``>= 2.10`` or ``2.10 (CI n/a)``."""
    if row["mean"] is None:
        return NOT_AVAILABLE
    if row["at_least"]:
        return f">= {number(row['mean'])}"
    return interval(row["mean"], row["ci95"])


def ratio(row: Mapping[str, Any]) -> str:
    """A row's ratio to the baseline with its interval, as ``0.54 [0.49, 0.60]``, or why there is none."""
    if row["bound"] is None:
        return "baseline"
    if row["ratio"] is None:
        return NOT_AVAILABLE
    if row["bound"]:
        return f"{row['bound']} {number(row['ratio'])}"
    if row["ratio_low"] is None:
        return f"{number(row['ratio'])} (CI {NOT_AVAILABLE})"
    return f"{number(row['ratio'])} [{number(row['ratio_low'])}, {number(row['ratio_high'])}]"
