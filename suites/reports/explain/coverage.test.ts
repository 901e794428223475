import { describe, expect, it } from "vitest";
import { byAnswers, type Protocol, protocolsNamed, type Rule } from "../../../schemas/index.ts";
import { explainName, playableScenarios } from "./index.ts";
import { ruleLines } from "./rule.ts";

describe.each(protocolsNamed("all"))("scenarios of $name", (protocol) => {
  it("exist for each rule that they are said to cover, and no rule that they test has another status", async () => {
    const played = new Set((await playableScenarios(protocol)).flatMap(({ rules }) => rules));
    const called = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
    expect(called.filter(({ id }) => !played.has(id)).map(({ id }) => id)).toEqual([]);
    const open = protocol.rules.filter(({ id, status }) => played.has(id) && !("covered" in status));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});

describe("the explanation of a rule", () => {
  const lines = async (name: string): Promise<string> => {
    for (const protocol of protocolsNamed("all")) {
      const found = await explainName(protocol, name, undefined);
      if (found !== undefined) return found.join("\n");
    }
    return "";
  };

  it("gives the grounds: the clause with its address, and the text of each position", async () => {
    const text = await lines("AHCP-VER-007");
    expect(text).toMatch(/basis +a reading of a silent or contradictory text/);
    expect(text).toMatch(/clause +8\.5, errors \(AHCP 0\.3: https:/);
    expect(text).toMatch(
      /A-24 +The pattern of versions allows leading zeros .* Taken: `0\.03` may be taken or refused/,
    );
    expect(await lines("AHCP-TSK-005")).toMatch(/basis +the specification states it plainly or in a table/);
  });

  it("names the rules and freedoms that depend on a position", async () => {
    const text = await lines("A-24");
    expect(text).toMatch(/rules +AHCP-VER-001, AHCP-VER-007/);
    expect(text).toMatch(/freedom +leading-zeros: /);
  });

  it("names its scenarios", async () => {
    expect(await lines("AHCP-IDM-003")).toMatch(
      /checked +by scenarios, with a live implementation: .*idempotency-conflict/,
    );
  });

  it("says that records are our own formats, and promises no scenario that does not exist", async () => {
    const text = await lines("SNAP-TASK-003");
    expect(text).toMatch(/vectors with records or traces, which are formats of this tool: /);
    expect(text).not.toMatch(/--scenarios/);
  });

  it("says that every answer is judged by the rules about answers of an OpenAPI document", () => {
    const [protocol] = protocolsNamed("ahcp") as [Protocol];
    const rule = { ...(protocol.rules[0] as Rule), id: "PET-ANSWER-001", status: { covered: byAnswers } };
    const text = ruleLines(protocol, rule, { files: [], scenarios: [] }).join("\n");
    expect(text).toMatch(/checked +by the answers of a server to the vectors of its document, in each run with --http/);
    expect(text).toMatch(/It is judged by the answers to other vectors:\n {2}touchstone run \S+ --http URL/);
    expect(text).not.toMatch(/nothing here|No vector asks/);
  });

  it("counts invalid vectors, and vectors that a reading makes invalid, in the same way", async () => {
    const text = await lines("AGF-DOC-005");
    const [, all, plain, read] = /by (\d+) vectors \((\d+), and (\d+) more with a --reading\)/.exec(text) ?? [];
    expect(Number(plain) + Number(read)).toBe(Number(all));
    expect(text).toMatch(new RegExp(`vectors +\\d+ under its own id: \\d+ valid, ${plain} invalid`));
  });

  it("says how many more vectors there are than it shows", async () => {
    const text = await lines("SNAP-TASK-003");
    expect(text).toMatch(/3 invalid\n/);
    expect(text.match(/expected {2}refused/g)).toHaveLength(2);
    expect(text).toContain("and 1 more invalid vector\n");
  });

  it("says which messages a rule against refusals requires to be accepted", async () => {
    const text = await lines("CONV-BASE-008");
    expect(text).toContain("To fix it: accept every message that the rule allows");
    expect(text).toMatch(/expected {2}accepted/);
  });

  it("does not advise a sender to refuse its own message", async () => {
    const [fix, play, checker] = (await lines("AHCP-SIG-004")).split("\n").slice(-4);
    expect(fix).toBe("To fix it: follow the rule; the invalid vectors show its violations.");
    expect(play).toContain("--scenarios");
    expect(checker).toMatch(/^A checker of delivery and digest: refuse /);
  });

  it("says how many of the disputed vectors of its rules a reading decides", async () => {
    expect(await lines("reply-allows")).toContain("decides   1 of 2 disputed vectors of these rules");
  });

  it("says how many vectors a reading requires to be accepted that rules may otherwise refuse", async () => {
    expect(await lines("parser")).toMatch(/and {7}that \d+ vectors beyond AGF-COMPAT-003 must be accepted/);
    expect(await lines("strict-mode")).not.toContain("must be accepted");
  });

  it("says that there are no vectors", async () => {
    expect(await lines("AHCP-AUT-008")).toMatch(
      /not here: no vector or scenario fails an implementation that breaks it/,
    );
  });
});
