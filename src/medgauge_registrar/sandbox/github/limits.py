"""Rate limits, and the words in which GitHub refuses."""

from dataclasses import dataclass
from typing import Any

_DOCS = "https://docs.github.com"
_LIMITS = f"{_DOCS}/rest/using-the-rest-api/rate-limits-for-the-rest-api"


@dataclass(kw_only=True, slots=True)
class RateLimit:
    """What may still be asked until `reset_at` (seconds since 1970, UTC)."""

    reset_at: int
    limit: int = 5000
    used: int = 0

    @property
    def remaining(self) -> int:
        """Requests left."""
        return max(0, self.limit - self.used)

    def headers(self, resource: str) -> dict[str, str]:
        """What every answer says about it."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Used": str(self.used),
            "X-RateLimit-Reset": str(self.reset_at),
            "X-RateLimit-Resource": resource,
        }


def primary_limit(user_id: int) -> dict[str, Any]:
    """The body of a 403 when no request is left."""
    return {
        "message": f"API rate limit exceeded for user ID {user_id}. If you reach out to GitHub Support for help, please "
        "include the request ID 0000:000000:00000:00000:00000000.",
        "documentation_url": _LIMITS,
        "status": "403",
    }


def secondary_limit(status: int) -> dict[str, Any]:
    """The body of a 403 or 429 when requests come too fast."""
    return {
        "documentation_url": f"{_LIMITS}#about-secondary-rate-limits",
        "message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach "
        "out to GitHub Support for help, please include the request ID 0000:000000:00000:00000:00000000.",
        "status": str(status),
    }


GRAPHQL_LIMIT = "API rate limit already exceeded for user ID {user_id}."

BODIES: dict[int, dict[str, Any]] = {
    401: {"message": "Bad credentials", "documentation_url": f"{_DOCS}/rest", "status": "401"},
    403: {
        "message": "Resource not accessible by integration",
        "documentation_url": f"{_DOCS}/rest",
        "status": "403",
    },
    404: {"message": "Not Found", "documentation_url": f"{_DOCS}/rest", "status": "404"},
    422: {
        "message": "Validation Failed",
        "errors": [{"resource": "Status", "code": "custom", "field": "context", "message": "context is not usable"}],
        "documentation_url": f"{_DOCS}/rest",
        "status": "422",
    },
    429: secondary_limit(429),
    500: {"message": "Server Error"},
    502: {"message": "Server Error"},
    503: {"message": "Service Unavailable"},
}
"""What GitHub says with a status, where nothing more is known."""
