"""Check digits of numbers that identify people or accounts; each function answers for a plain string of its characters."""

_VERHOEFF_D = (
    "0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321", "6598710432", "7659821043",
    "8765932104", "9876543210",
)  # fmt: skip
_VERHOEFF_P = (
    "0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901", "2793806415", "7046913258",
)  # fmt: skip
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_RIC_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def luhn(number: str) -> bool:
    """
    Whether a number ends in its Luhn digit (payment cards, some national numbers).

    Source:
        ISO/IEC 7812-1, annex B.
    """
    total = 0
    for place, digit in enumerate(reversed(number)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0 and len(set(number)) > 1


def iban(text: str) -> bool:
    """
    Whether a bank account number has its check digits.

    Source:
        ISO 13616.
    """
    moved = text[4:] + text[:4]
    return int("".join(str(int(character, 36)) for character in moved)) % 97 == 1


def nhs(number: str) -> bool:
    """Whether ten digits are an NHS number (modulus 11)."""
    check = 11 - sum(int(digit) * weight for digit, weight in zip(number, range(10, 1, -1), strict=False)) % 11
    return len(set(number)) > 1 and check != 10 and check % 11 == int(number[9])


def resident_identity(number: str) -> bool:
    """
    Whether eighteen characters are a Chinese resident identity number.

    Source:
        GB 11643.
    """
    total = sum(int(digit) * weight for digit, weight in zip(number, _RIC_WEIGHTS, strict=False))
    return "10X98765432"[total % 11] == number[17].upper()


def verhoeff(number: str) -> bool:
    """Whether a number ends in its Verhoeff digit (Aadhaar)."""
    check = 0
    for place, digit in enumerate(reversed(number)):
        check = int(_VERHOEFF_D[check][int(_VERHOEFF_P[place % 8][int(digit)])])
    return check == 0


def spanish_identity(text: str) -> bool:
    """Whether eight digits and a letter, or a foreigner's letter, seven digits and a letter, are a Spanish identity number."""
    digits = text[:-1].upper().translate(str.maketrans("XYZ", "012"))
    return _DNI_LETTERS[int(digits) % 23] == text[-1].upper()


def french_insurance(number: str) -> bool:
    """Whether fifteen digits are a French social insurance number."""
    return 97 - int(number[:13]) % 97 == int(number[13:])


def brazilian_taxpayer(number: str) -> bool:
    """Whether eleven digits are a Brazilian taxpayer number (CPF)."""
    for length in (9, 10):
        total = sum(
            int(digit) * weight for digit, weight in zip(number[:length], range(length + 1, 1, -1), strict=True)
        )
        if total * 10 % 11 % 10 != int(number[length]):
            return False
    return len(set(number)) > 1


def vehicle(text: str) -> bool:
    """
    Whether seventeen characters are a vehicle identification number with its check character.

    Source:
        49 CFR 565.15.
    """
    values = {**{str(digit): digit for digit in range(10)}}
    values |= dict(
        zip(
            "ABCDEFGHJKLMNPRSTUVWXYZ",
            (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
            strict=True,
        )
    )
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    total = sum(values[character] * weight for character, weight in zip(text.upper(), weights, strict=True))
    return "0123456789X"[total % 11] == text[8].upper()


def polish_identity(number: str) -> bool:
    """Whether eleven digits are a Polish PESEL number: its check digit, and a day that can be."""
    total = sum(int(digit) * weight for digit, weight in zip(number, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3), strict=False))
    return _is_day(int(number[4:6]), int(number[2:4]) % 20) and -total % 10 == int(number[10])


def finnish_identity(text: str) -> bool:
    """Whether eleven characters are a Finnish identity code: its check character, and a day that can be."""
    check = "0123456789ABCDEFHJKLMNPRSTUVWXY"[int(text[:6] + text[7:10]) % 31]
    return _is_day(int(text[:2]), int(text[2:4])) and check == text[10].upper()


def dutch_service(number: str) -> bool:
    """Whether nine digits are a Dutch citizen service number (modulus 11)."""
    total = sum(int(digit) * weight for digit, weight in zip(number, (9, 8, 7, 6, 5, 4, 3, 2, -1), strict=True))
    return total % 11 == 0 and len(set(number)) > 1


def _is_day(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12
