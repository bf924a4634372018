"""Pure text: a decision as comment, summary, SARIF, annotations or JSON."""
