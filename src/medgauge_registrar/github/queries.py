"""
Every GraphQL query that is asked.

Ids of reviews and comments have outgrown GraphQL's 32-bit `databaseId`, so `fullDatabaseId` is read.

Source:
    GitHub GraphQL API, "Public schema"; "Rate limits and query limits".
"""

PAGE = 100
# A query costs a point for every hundred lists that it may open, and a workflow's token has a thousand an hour; with few
# issues a page, each of which opens its labels, reading a pull request costs one.
_ISSUES = 20
# Nobody has so many co-authors; more is an error, since an author left out could approve the own change.
AUTHORS = 50

_ACTOR = """
fragment actor on Actor {
  __typename
  login
  ... on User { databaseId }
  ... on Bot { databaseId }
  ... on Mannequin { databaseId }
  ... on Organization { databaseId }
}
"""
_ACCOUNT = "{ __typename login databaseId }"
_CONTEXTS = "contexts { context state description targetUrl creator { ...actor } }"
_ENDS = "pageInfo { hasNextPage endCursor }"

# What is read of each item of a list of the pull request, by the name of the list.
_ITEMS = {
    "labels": "name",
    "commits": f"""
      commit {{
        oid
        authors(first: {AUTHORS}) {{ nodes {{ user {_ACCOUNT} }} pageInfo {{ hasNextPage }} }}
        committer {{ user {_ACCOUNT} }}
      }}""",
    "reviews": "fullDatabaseId author { ...actor } state commit { oid } submittedAt lastEditedAt body",
    "comments": """
      fullDatabaseId
      author { ...actor }
      body
      createdAt
      lastEditedAt
      editor { ...actor }
      reactionGroups { content viewerHasReacted }""",
    "closingIssuesReferences": """
      number
      title
      body
      labels(first: 100) { nodes { name } pageInfo { hasNextPage } }
      author { ...actor }
      createdAt
      lastEditedAt
      state
      repository { nameWithOwner }""",
    "timelineItems": """
      __typename
      ... on HeadRefForcePushedEvent { createdAt afterCommit { oid } actor { ...actor } }
      ... on BaseRefChangedEvent { createdAt }
      ... on AutomaticBaseChangeSucceededEvent { createdAt }
      ... on ReviewDismissedEvent { actor { ...actor } previousReviewState review { fullDatabaseId } }
      ... on CommentDeletedEvent { createdAt actor { ...actor } deletedCommentAuthor { ...actor } }""",
}
LISTS = tuple(_ITEMS)
_ARGUMENTS = {
    "timelineItems": """, itemTypes: [
        HEAD_REF_FORCE_PUSHED_EVENT, BASE_REF_CHANGED_EVENT, AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT
        REVIEW_DISMISSED_EVENT, COMMENT_DELETED_EVENT
      ]"""
}


def _list(name: str, after: str = "") -> str:
    first = _ISSUES if name == "closingIssuesReferences" else PAGE
    return f"{name}(first: {first}{after}{_ARGUMENTS.get(name, '')}) {{ nodes {{ {_ITEMS[name]} }} {_ENDS} }}"


PULL = (
    """
query Pull($owner: String!, $name: String!, $number: Int!) {
  viewer { login databaseId }
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      number
      title
      body
      state
      isDraft
      createdAt
      author { ...actor }
      baseRefName
      baseRef { target { oid } }
      baseRepository { defaultBranchRef { name } }
      headRefName
      headRefOid
      headRepository { nameWithOwner }
"""
    + "\n".join(f"      {_list(name)}" for name in _ITEMS)
    + """
      tip: commits(last: 1) {
        nodes {
          commit {
            oid
            status { """
    + _CONTEXTS
    + """ }
            associatedPullRequests(first: 100) {
              nodes { number state baseRefName headRefOid repository { nameWithOwner } }
              pageInfo { hasNextPage }
            }
          }
        }
      }
    }
  }
}
"""
    + _ACTOR
)

# The rest of one list, by its name.
MORE = {
    name: f"""
query More($owner: String!, $name: String!, $number: Int!, $after: String!) {{
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{ {_list(name, ", after: $after")} }}
  }}
}}
"""
    + (_ACTOR if "...actor" in _ITEMS[name] else "")
    for name in _ITEMS
}

OPEN_PULLS = f"""
query OpenPulls($owner: String!, $name: String!, $base: String, $after: String) {{
  repository(owner: $owner, name: $name) {{
    pullRequests(states: [OPEN], baseRefName: $base, first: {PAGE}, after: $after) {{
      nodes {{ number baseRefName isInMergeQueue }}
      {_ENDS}
    }}
  }}
}}
"""

# Those that were touched last; whoever reopens one touches it.
CLOSED_PULLS = (
    f"""
query ClosedPulls($owner: String!, $name: String!) {{
  viewer {{ login databaseId }}
  repository(owner: $owner, name: $name) {{
    pullRequests(states: [CLOSED], first: {PAGE}, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      nodes {{ number commits(last: 1) {{ nodes {{ commit {{ status {{ {_CONTEXTS} }} }} }} }} }}
    }}
  }}
}}
"""
    + _ACTOR
)

QUEUE = (
    f"""
query Queue($owner: String!, $name: String!, $branch: String!, $after: String) {{
  viewer {{ login databaseId }}
  repository(owner: $owner, name: $name) {{
    defaultBranchRef {{ name }}
    ref(qualifiedName: $branch) {{ target {{ oid }} }}
    mergeQueue(branch: $branch) {{
      entries(first: {PAGE}, after: $after) {{
        nodes {{
          position
          headCommit {{ oid status {{ {_CONTEXTS} }} }}
          pullRequest {{ number headRefOid }}
        }}
        {_ENDS}
      }}
    }}
  }}
}}
"""
    + _ACTOR
)

TEAM = f"""
query Team($organization: String!, $team: String!, $after: String) {{
  organization(login: $organization) {{
    team(slug: $team) {{
      members(first: {PAGE}, after: $after) {{ nodes {_ACCOUNT} {_ENDS} }}
    }}
  }}
}}
"""
