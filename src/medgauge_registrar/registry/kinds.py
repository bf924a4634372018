"""Sets of kinds that several rules speak of."""

from medgauge_registrar.model.change import Kind

# Entries whose path carries the version: new content is a new file (ruling R1).
NUMBERED = frozenset({Kind.BM_VERSION, Kind.GR, Kind.HX, Kind.TL, Kind.PRICE, Kind.DFN, Kind.ALG, Kind.LVL})
# Entries whose version is a field alone: new content raises it (VER-03).
COUNTED = frozenset({Kind.BM_CARD, Kind.CAP, Kind.STD, Kind.DS, Kind.MODEL, Kind.RP, Kind.LO, Kind.RM})
# Records that state identifier, version, introducing methodology version and two dates (ENT-01).
ENVELOPED = COUNTED | {Kind.BM_VERSION, Kind.GR, Kind.HX, Kind.TL, Kind.RES}
