import { describe, expect, it } from "vitest";
import { findings, type RuleViolation, semanticVectors, textFindings } from "../../../../generators/index.ts";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

/** The rules with several clauses. Each regular expression recognizes one clause by its message. */
const clauses: [rule: string, document: string, ...RegExp[]][] = [
  ["AGF-IFACE-003", "agent", /^is not a valid JSON Schema:/, /of 2020-12, though/],
  ["AGF-DOC-005", "agent", /twice/, /read as text|read as null/, /read as (1|7|true|42)$/, /cannot be read/],
  ["AGF-ACT-002", "agent", /local_tools/, /mcp_servers/, /local_agents/, /remote_agents/],
  ["AGF-ACT-011", "agent", /"parent"/, /"last"/, /"first"/, /"merge"/],
  ["AGF-ACT-012", "agent", /allowed_tools/, /allowed_skills/],
  ["AGF-POL-003", "agent", /is "agf\.magic"/, /is "agf\.React"/],
  ["AGF-POL-007", "agent", /not a local agent$/, /only a remote one$/],
  [
    "AGF-PATH-002",
    "agent",
    /is not a step$/,
    /does not run before$/,
    /nothing has run/,
    /first round/,
    /more than one step/,
  ],
  ["AGF-MATCH-009", "agent", /no regular expression engine/, /only some engines/],
  ["AGF-MATCH-010", "agent", /no args_match/, /no operator/, /no item/],
  ["AGF-ACT-009", "bundle", /there is no file/, /not an agent document/],
  ["AGF-COMPAT-003", "reading", /does not report/, /is a known member/, /strict mode/],
  ["AGF-GOV-004", "merger", /smallest/, /not the combination/, /every source allows/],
];

const protocol = await ruled(protocolNamed("agentformat"));

function violationsIn(document: string, rule: string): RuleViolation[][] {
  const documentProfile = protocol.profile.documents.find(({ name }) => name === document);
  if (documentProfile === undefined) throw new Error(document);
  return (
    semanticVectors(protocol, documentProfile)
      .filter((vector) => vector.rule === rule && vector.valid === false)
      .map(({ data, raw }) =>
        data === undefined
          ? textFindings(protocol, document, Buffer.from(raw ?? ""))
          : findings(protocol, document, data as Json),
      )
      // Violations of MAY rules do not count.
      .map((violations) => violations.filter(({ level }) => level !== "MAY"))
  );
}

describe.each(clauses)("%s on a %s", (rule, document, ...parts) => {
  const violationsByVector = violationsIn(document, rule);

  it.each(parts)("has a vector that only the clause %s refuses", (clause) => {
    const isolating = violationsByVector.filter(
      (violations) => violations.length > 0 && violations.every(({ why }) => clause.test(why)),
    );
    expect(isolating).not.toEqual([]);
  });
});

describe("invalid vectors", () => {
  it("have an `at` that contains the finding or lies inside it", () => {
    const misplacedIds = protocol.profile.documents.flatMap((document) =>
      semanticVectors(protocol, document)
        .filter(({ valid, data }) => valid === false && data !== undefined)
        .filter(({ data, at = "" }) =>
          findings(protocol, document.name, data as Json).every(
            (finding) => !(finding.at.startsWith(at) || at.startsWith(finding.at)),
          ),
        )
        .map(({ id }) => id),
    );
    expect(misplacedIds).toEqual([]);
  });
});
