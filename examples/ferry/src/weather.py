"""Whether a crossing sails: the forecast against the harbour's limits."""

from dataclasses import dataclass

WIND_LIMIT = 17.0  # metres per second, gusts
FORECAST_MAX_AGE = 60  # minutes


@dataclass
class Forecast:
    gusts: float
    age_minutes: int


def is_safe(forecast: Forecast) -> bool:
    """A stale forecast is no forecast."""
    if forecast.age_minutes > FORECAST_MAX_AGE:
        return False
    return forecast.gusts <= WIND_LIMIT
