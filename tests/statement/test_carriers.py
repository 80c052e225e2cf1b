"""What carries a statement, a data contract and the metadata of a dataset, as the page shows them."""

from __future__ import annotations

import json
from typing import Any

import yaml
from open_data_contract_standard.model import DataQuality, OpenDataContractStandard

from tests.fences import ROOT, blocks

PAGE = blocks((ROOT / "docs" / "how-to" / "put-it-into-a-contract.md").read_text())
DIGEST = "0" * 64


def file(name: str) -> str:
    """The text of a file that the page writes."""
    (found,) = [each.body for each in PAGE if each.option("file") == name]
    return found


def test_contract_is_one_of_the_standard() -> None:
    text = file("contract.odcs.yaml")

    contract = OpenDataContractStandard.from_string(text)

    written: dict[str, Any] = yaml.safe_load(text)
    (rule,) = written["schema"][0]["quality"]
    assert set(rule) <= set(DataQuality.model_fields), (
        "a field that the standard does not have is lost unseen"
    )
    assert contract.schema_ is not None and contract.schema_[0].quality is not None
    (read,) = contract.schema_[0].quality
    assert (read.type, read.engine) == ("custom", "epochproof")
    assert read.implementation == rule["implementation"]
    assert rule["implementation"]["specSha256"] == rule["implementation"]["attestationSha256"] == DIGEST


def test_metadata_names_the_envelope_as_a_file() -> None:
    metadata = json.loads(file("croissant.json"))

    (carried,) = metadata["distribution"]
    assert carried["@type"] == "cr:FileObject"
    assert carried["encodingFormat"] == "application/vnd.in-toto+json"
    assert {"name", "contentUrl", "sha256", "description"} <= set(carried)
    assert carried["sha256"] == DIGEST


def test_claims_that_are_asked_for_are_those_of_the_spec() -> None:
    spec = " ".join((ROOT / "examples" / "sc241.epoch").read_text().split())

    (rule,) = yaml.safe_load(file("contract.odcs.yaml"))["schema"][0]["quality"]

    assert [each for each in rule["implementation"]["requiredClaims"] if f": {each}" not in spec] == []
