import { describe, expect, it } from "vitest";
import { byAnswers, type Protocol, protocolsNamed, type Rule } from "../../../schemas/index.ts";
import { explainName, playableScenarios } from "./index.ts";
import { ruleLines } from "./rule.ts";

describe.each(protocolsNamed("all"))("scenarios of $name", (protocol) => {
  it("exist for each rule that is covered by scenarios, and do not test rules with a different status", async () => {
    const playedRules = new Set((await playableScenarios(protocol)).flatMap(({ rules }) => rules));
    const claimedRules = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
    expect(claimedRules.filter(({ id }) => !playedRules.has(id)).map(({ id }) => id)).toEqual([]);
    const unclaimedRules = protocol.rules.filter(({ id, status }) => playedRules.has(id) && !("covered" in status));
    expect(unclaimedRules.map(({ id }) => id)).toEqual([]);
  });
});

describe("the explanation of a rule", () => {
  const explain = async (name: string): Promise<string> => {
    for (const protocol of protocolsNamed("all")) {
      const lines = await explainName(protocol, name, undefined);
      if (lines !== undefined) return lines.join("\n");
    }
    return "";
  };

  it("shows the grounds: the clause with its address, and the text of each position", async () => {
    const text = await explain("AHCP-VER-007");
    expect(text).toMatch(/basis +a reading of a silent or contradictory text/);
    expect(text).toMatch(/clause +8\.5, errors \(AHCP 0\.3: https:/);
    expect(text).toMatch(
      /A-24 +The pattern of versions allows leading zeros .* Taken: `0\.03` may be taken or refused/,
    );
    expect(await explain("AHCP-TSK-005")).toMatch(/basis +the specification states it plainly or in a table/);
  });

  it("lists the rules and freedoms that depend on a position", async () => {
    const text = await explain("A-24");
    expect(text).toMatch(/rules +AHCP-VER-001, AHCP-VER-007/);
    expect(text).toMatch(/freedom +leading-zeros: /);
  });

  it("names the scenarios that test the rule", async () => {
    expect(await explain("AHCP-IDM-003")).toMatch(
      /checked +by scenarios, with a live implementation: .*idempotency-conflict/,
    );
  });

  it("explains that records are formats of this tool, and does not suggest scenarios if there are none", async () => {
    const text = await explain("SNAP-TASK-003");
    expect(text).toMatch(/vectors with records or traces, which are formats of this tool: /);
    expect(text).not.toMatch(/--scenarios/);
  });

  it("explains that answer rules of an OpenAPI document are checked with every answer", () => {
    const [protocol] = protocolsNamed("ahcp") as [Protocol];
    const rule = { ...(protocol.rules[0] as Rule), id: "PET-ANSWER-001", status: { covered: byAnswers } };
    const text = ruleLines(protocol, rule, { files: [], scenarios: [] }).join("\n");
    expect(text).toMatch(/checked +by the answers of a server to the vectors of its document, in each run with --http/);
    expect(text).toMatch(/It is judged by the answers to other vectors:\n {2}touchstone run \S+ --http URL/);
    expect(text).not.toMatch(/nothing here|No vector asks/);
  });

  it("counts the invalid vectors with and without readings consistently", async () => {
    const text = await explain("AGF-DOC-005");
    const [, total, unconditional, withReading] =
      /by (\d+) vectors \((\d+), and (\d+) more with a --reading\)/.exec(text) ?? [];
    expect(Number(unconditional) + Number(withReading)).toBe(Number(total));
    expect(text).toMatch(new RegExp(`vectors +\\d+ under its own id: \\d+ valid, ${unconditional} invalid`));
  });

  it("shows two vectors and the number of further ones", async () => {
    const text = await explain("SNAP-TASK-003");
    expect(text).toMatch(/3 invalid\n/);
    expect(text.match(/expected {2}refused/g)).toHaveLength(2);
    expect(text).toContain("and 1 more invalid vector\n");
  });

  it("advises to accept messages, and shows valid vectors, for a rule that forbids refusals", async () => {
    const text = await explain("CONV-BASE-008");
    expect(text).toContain("To fix it: accept every message that the rule allows");
    expect(text).toMatch(/expected {2}accepted/);
  });

  it("does not advise a sender to refuse its own message", async () => {
    const [remedy, playCommand, checkerAdvice] = (await explain("AHCP-SIG-004")).split("\n").slice(-4);
    expect(remedy).toBe("To fix it: follow the rule; the invalid vectors show its violations.");
    expect(playCommand).toContain("--scenarios");
    expect(checkerAdvice).toMatch(/^A checker of delivery and digest: refuse /);
  });

  it("counts the disputed vectors that a reading decides", async () => {
    expect(await explain("reply-allows")).toContain("decides   1 of 2 disputed vectors of these rules");
  });

  it("counts the vectors that must be accepted only with a reading", async () => {
    expect(await explain("parser")).toMatch(/and {7}that \d+ vectors beyond AGF-COMPAT-003 must be accepted/);
    expect(await explain("strict-mode")).not.toContain("must be accepted");
  });

  it("reports that no vector or scenario tests the rule", async () => {
    expect(await explain("AHCP-AUT-008")).toMatch(
      /not here: no vector or scenario fails an implementation that breaks it/,
    );
  });
});
