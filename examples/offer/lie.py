"""Signs statements that are not true with Acme's own key, and shows what a buyer's check says of each."""

import base64
import json
from pathlib import Path

import rfc8785

from epochproof.statement import envelope
from epochproof.statement.keys import read_private
from epochproof.statement.policy import trusting
from epochproof.statement.verification import Given
from epochproof.statement.verify import verify

KEY = read_private(Path("acme.pem"), None)
SAID = json.loads(base64.b64decode(json.loads(Path("offer.json").read_text())["payload"]))


def told(lie: str, *path: str | int, is_now: object) -> None:
    """Changes one place of the statement, signs it, and prints what is refused."""
    statement = json.loads(json.dumps(SAID))
    *way, last = path
    place = statement["predicate"]
    for each in way:
        place = place[each]
    place[last] = is_now
    forged = envelope.written(envelope.signed(rfc8785.dumps(statement), [KEY]))
    trace, secret = Path("trace"), KEY.commitment_key()
    given = Given(trusting([("acme", KEY.public)]), Path("train.epoch"), trace=trace, commitment_key=secret)
    found = [each for each in verify(forged.encode(), given).findings if each.word == "refused"]
    print(f"{lie}: {found[0].what} REFUSED\n  {found[0].text} [{found[0].code}]")


told("claim text", "claims", 0, "text", is_now="every epoch reads each clip once")
told("formula", "claims", 0, "formula", is_now="train.multiplicity == 1")
told("verdict", "claims", 5, "verdict", is_now="proved")
told("evidence", "claims", 0, "evidence", is_now="two solvers")
told("count", "populations", 0, "onePass", "padding", is_now="0")
told("assumption", "assumptions", 1, "checkedBy", is_now="trace")
told("left out", "assumptions", is_now=SAID["predicate"]["assumptions"][1:])
told("what was read", "commitments", "streams", 2, "orderRoot", "root", is_now="00" * 32)
