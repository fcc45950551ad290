import pytest
from bookings import Crossing, Refused, book
from weather import Forecast

CALM = Forecast(gusts=4.0, age_minutes=5)


def test_a_full_boat_refuses_bookings():
    crossing = Crossing("08:30", passengers=39)
    with pytest.raises(Refused):
        book(crossing, "Ito", 2, 0, CALM)


def test_strong_wind_refuses_bookings():
    with pytest.raises(Refused, match="too much wind"):
        book(Crossing("08:30"), "Ito", 1, 0, Forecast(gusts=19.0, age_minutes=5))
