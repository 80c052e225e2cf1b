"""What became of checking a statement, as a program reads it: the document `epochproof/verify/1`."""

from __future__ import annotations

import json

from epochproof.statement.verification import Verification

SCHEMA = "epochproof/verify/1"


def verification_as_json(found: Verification) -> str:
    """The JSON text, without a line break at the end."""
    document = {
        "schema": SCHEMA,
        "accepted": found.exit_code == 0,
        "level": found.level or None,
        "findings": [
            {
                "what": each.what,
                "level": each.level or None,
                "result": each.word,
                "text": each.text,
                "code": each.code,
            }
            for each in found.findings
        ],
        "unmet": list(found.unmet),
        "exit_code": found.exit_code,
    }
    return json.dumps(document, indent=2)
