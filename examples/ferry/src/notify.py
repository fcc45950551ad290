"""Telling passengers that something has changed."""

REMINDER_MINUTES = 120


def cancellation_text(departure: str) -> str:
    return f"Your {departure} ferry does not sail today because of the wind. Your fare is returned."


def is_reminder_due(minutes_to_departure: int, already_sent: bool) -> bool:
    return not already_sent and minutes_to_departure <= REMINDER_MINUTES
