import { describe, expect, it } from "vitest";
import { findings, type RuleViolation, semanticVectors, textFindings } from "../../../../generators/index.ts";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";

/** The clauses of each rule with several, recognized by their messages. */
const clauses: [rule: string, document: string, ...RegExp[]][] = [
  ["AGF-IFACE-003", "agent", /^is not a valid JSON Schema:/, /of 2020-12, though/],
  ["AGF-DOC-005", "agent", /twice/, /read as text|read as null/, /read as (1|7|true|42)$/, /cannot be read/],
  ["AGF-ACT-002", "agent", /local_tools/, /mcp_servers/, /local_agents/, /remote_agents/],
  ["AGF-ACT-011", "agent", /"parent"/, /"last"/, /"first"/, /"merge"/],
  ["AGF-ACT-012", "agent", /allowed_tools/, /allowed_skills/],
  ["AGF-POL-003", "agent", /is "agf\.magic"/, /is "agf\.React"/],
  ["AGF-POL-007", "agent", /no local agent$/, /only of a remote one$/],
  [
    "AGF-PATH-002",
    "agent",
    /is not a step$/,
    /does not run before$/,
    /nothing has run/,
    /first round/,
    /more than once/,
  ],
  ["AGF-MATCH-009", "agent", /no regular expression engine/, /only some engines/],
  ["AGF-MATCH-010", "agent", /no args_match/, /no operator/, /no item/],
  ["AGF-ACT-009", "bundle", /there is no file/, /not an agent document/],
  ["AGF-COMPAT-003", "reading", /does not report/, /nothing is unknown/, /strict mode/],
  ["AGF-GOV-004", "merger", /smallest/, /not the combination/, /lets pass/],
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
      // Breaches of MAY rules beside it do not count.
      .map((documentProfile) => documentProfile.filter(({ level }) => level !== "MAY"))
  );
}

describe.each(clauses)("%s on a %s", (rule, document, ...parts) => {
  const all = violationsIn(document, rule);

  it.each(parts)("has a vector that only the clause %s refuses", (clause) => {
    expect(all.filter((each) => each.length > 0 && each.every(({ why }) => clause.test(why)))).not.toEqual([]);
  });
});

describe("invalid vectors", () => {
  it("name the location of the fault, or of a part that contains it", () => {
    const off = protocol.profile.documents.flatMap((document) =>
      semanticVectors(protocol, document)
        .filter(({ valid, data }) => valid === false && data !== undefined)
        .filter(({ data, at = "" }) =>
          findings(protocol, document.name, data as Json).every(
            (finding) => !(finding.at.startsWith(at) || at.startsWith(finding.at)),
          ),
        )
        .map(({ id }) => id),
    );
    expect(off).toEqual([]);
  });
});
