"""
An embedded GitHub on loopback, over a real git repository: REST, GraphQL and smart HTTP as far as the product uses them.

`GitHubSandbox` of `world` is the way in.
"""
