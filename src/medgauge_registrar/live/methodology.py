"""Whether a review of the methodology is due, as a sweep tells it."""

from medgauge_registrar.checks.text_classes import overdue_review
from medgauge_registrar.comparability.review import review_reasons
from medgauge_registrar.git.repository import Repository
from medgauge_registrar.live.gate import Gate
from medgauge_registrar.policy.load import tree_policy
from medgauge_registrar.registry.records import Registry
from medgauge_registrar.registry.sources import tree_schemas


def due_reviews(gate: Gate) -> tuple[str, ...]:
    """
    Why a review of the methodology is due by what the default branch holds; empty while none is.

    Raises:
        ReadError: The branch could not be read whole.
        PolicyError: Its settings are unusable.
    """
    (tip,) = gate.mirror.fetch("HEAD")
    with Repository.open(gate.mirror.path) as repository:
        tree = repository.tree(tip)
        policy = tree_policy(tree)
        registry = Registry(tree, policy.layout, tree_schemas(tree))
        reasons = review_reasons(registry, months=policy.settings.review_months, today=gate.now().date())
    return tuple(f"{overdue_review.rule}: a review of the methodology is due: {reason}" for reason in reasons)
