"""What a record file may be and may hold, before anybody asks what it says."""

from enum import StrEnum

from medgauge_registrar.model.frozen import frozen


class Syntax(StrEnum):
    """The two ways a record is written."""

    YAML = "YAML"
    JSON = "JSON"


@frozen
class Limits:
    """
    How large a file and its parts may be; whatever is larger is a fault, found before it costs memory.

    Attributes:
        yaml_bytes: Largest YAML file.
        json_bytes: Largest JSON file (results list every task).
        depth_levels: Most lists and mappings one inside the other.
        node_count: Most keys, values and ends of lists and mappings in one file.
        scalar_characters: Longest key or text.
        integer_magnitude: Largest integer, either sign; every JSON reader holds these exactly.
        decimal_digits: Most significant digits of a decimal number.
        decimal_exponent: Largest power of ten of a decimal number's first digit, either sign.
        fault_count: Most faults told one by one; the rest are only counted.
        foreign_text: Let texts hold any character the syntax can carry. For inputs that quote people's own words, such
            as the comments of a pull request; never for records.

    Source:
        RFC 8259, section 6 (integers that agree everywhere).
    """

    yaml_bytes: int = 4 * 2**20
    json_bytes: int = 32 * 2**20
    depth_levels: int = 64
    node_count: int = 500_000
    scalar_characters: int = 100_000
    integer_magnitude: int = 2**53 - 1
    decimal_digits: int = 30
    decimal_exponent: int = 99
    fault_count: int = 50
    foreign_text: bool = False


LIMITS = Limits()
