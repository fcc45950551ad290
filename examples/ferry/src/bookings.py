"""Taking and refusing bookings."""

from dataclasses import dataclass, field

from weather import Forecast, is_safe

SEATS = 40
CARS = 6


class Refused(Exception):
    """A booking that cannot be taken, with the reason for the passenger."""


@dataclass
class Crossing:
    departure: str
    passengers: int = 0
    cars: int = 0
    bookings: list = field(default_factory=list)


def book(crossing: Crossing, name: str, seats: int, cars: int, forecast: Forecast) -> None:
    """Adds a booking, or refuses it. A cancelled crossing has no waiting list."""
    if not is_safe(forecast):
        raise Refused(f"the {crossing.departure} crossing is cancelled: too much wind")
    if crossing.passengers + seats > SEATS:
        raise Refused(f"only {SEATS - crossing.passengers} seats are left")
    if crossing.cars + cars > CARS:
        raise Refused(f"only room for {CARS - crossing.cars} more cars")
    crossing.passengers += seats
    crossing.cars += cars
    crossing.bookings.append((name, seats, cars))
