import { expect, it } from "vitest";
import { checkersOf, findings } from "../../../../generators/index.ts";
import { isObject, type Json, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

const agentformat = await ruled(protocolNamed("agentformat"));

/** The rules broken by the documents that valid records show as accepted. */
function advisedAgainst(): Set<string> {
  const cases = agentformat.families.flatMap((family) => family.cases);
  const records = cases.filter(({ document }) => document === "reading").flatMap(({ valid }) => valid);
  const documents = records.flatMap(({ data }) =>
    isObject(data) && data.accepted === true ? [data.document as Json] : [],
  );
  const checkers = checkersOf(agentformat.families, "agent");
  const violations = documents.flatMap((document) => findings(agentformat, "agent", document, checkers));
  return new Set(violations.map(({ rule }) => rule));
}

it.each(["AGF-META-004", "AGF-POL-003", "AGF-POL-005", "AGF-PATH-002", "AGF-COND-005", "AGF-MATCH-009"])(
  "requires a parser to accept a document that breaks only the advice of %s",
  (rule) => {
    expect([...advisedAgainst()]).toContain(rule);
  },
);
