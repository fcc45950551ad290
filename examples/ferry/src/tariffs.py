"""What a crossing costs."""

PASSENGER = 9.50
CAR_BASE = 14.00
CAR_PER_METRE = 3.20


def price(passengers: int, car_lengths: list[float]) -> float:
    """Passengers pay one price all year; cars pay by length, in steps of a metre."""
    cars = sum(CAR_BASE + CAR_PER_METRE * int(length + 0.999) for length in car_lengths)
    return passengers * PASSENGER + cars
