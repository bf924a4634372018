"""A guess at the language of a paragraph: advice for people, and never a ground for refusal."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from medgauge_registrar.content.passages import Passage
from medgauge_registrar.patterns import lazy_pattern

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

# The few languages a contribution may be written in by mistake; over all languages medical English is misread.
LANGUAGES = ("en", "de", "es", "fr", "it", "ja", "nl", "pt", "ru", "zh")
SURE = 0.95
MIN_WORDS, MIN_CHARACTERS = 8, 40
MAX_CHARACTERS = 2_000
MAX_PASSAGES = 500
_WORD = lazy_pattern(r"[^\W\d_]{2,40}")
# Short words that no English paragraph does without; Latin names and lists of drugs have none, so a few are asked for.
_ENGLISH = frozenset({
    "the", "of", "and", "to", "in", "is", "a", "an", "are", "that", "for", "with", "as", "on", "by", "not", "it", "be", "this",
    "was", "from", "at", "or", "which", "one", "no", "its", "they", "has", "must", "each",
})  # fmt: skip
# And the ones that no paragraph of the other languages does without; those in another script show by their letters.
_FOREIGN = frozenset({
    "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "mit", "von", "zu", "den", "dem", "im", "auf", "werden",
    "le", "la", "les", "et", "est", "une", "des", "du", "dans", "pour", "que", "qui", "sur", "ne", "au", "aux",
    "el", "los", "las", "en", "un", "una", "es", "por", "con", "del", "para", "se",
    "il", "di", "che", "gli", "per", "della", "nel", "sono", "alla", "dei",
    "het", "een", "van", "niet", "op", "te", "zijn", "voor", "dat", "deze",
    "os", "um", "uma", "da", "dos", "com", "em", "não", "ao", "na",
})  # fmt: skip


def foreign_passages(passages: Sequence[Passage]) -> Iterator[tuple[Passage, str]]:
    """Passages that a detector takes, with much confidence, for another language, each with that language's code."""
    for passage in passages[:MAX_PASSAGES]:
        words = _WORD.findall(passage.text[:MAX_CHARACTERS])
        if len(words) < MIN_WORDS or len(passage.text) < MIN_CHARACTERS:
            continue
        if sum(word.casefold() in _ENGLISH for word in words) * 12 >= len(words):
            continue
        if passage.text.isascii() and not any(word.casefold() in _FOREIGN for word in words):
            continue
        language, confidence = _identifier().classify(passage.text[:MAX_CHARACTERS])
        if language != "en" and float(confidence) >= SURE:
            yield passage, language


@cache
def _identifier() -> "LanguageIdentifier":
    # Imported on first use, since it takes a second: only changed prose with signs of another language pays for it.
    from py3langid import langid

    identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier
