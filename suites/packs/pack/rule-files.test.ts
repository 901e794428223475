import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isObject, type Json, readPack, type ScenarioContext, withCode } from "../../../schemas/index.ts";
import { refuseWrongCases } from "../../authoring/generate/cases.ts";
import { convertToRuleFiles } from "../../authoring/generate/rule-files.ts";
import { mayLoad } from "./code.ts";
import { packOf, readableOf, ruled } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));
let packCount = 0;

const order = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, replaces: { type: "string" }, total: { type: "integer" } },
  additionalProperties: false,
};
const validFiles = {
  "profile.json": JSON.stringify({ documents: [{ file: "schemas/order.schema.json", endpoint: "/orders" }] }),
  "schemas/order.schema.json": JSON.stringify(order),
  "fixtures.yaml": "order: { id: A-1, total: 3 }\n",
};

/** Writes a pack with these files in addition to the valid ones; returns its folder. */
function writePack(files: Readonly<Record<string, string>>): string {
  const at = join(folder, `pack-${++packCount}`);
  for (const [file, text] of Object.entries({ ...validFiles, ...files })) {
    mkdirSync(dirname(join(at, file)), { recursive: true });
    writeFileSync(join(at, file), text);
  }
  return at;
}

const selfRule = `rules:
  ORDER-SELF-001:
    statement: An order does not replace itself.
    document: order
    check: { differs: { /replaces: /id } }
    valid:
      another: { from: order, says: names another order, set: { /replaces: A-2 }, remove: /total }
    invalid:
      itself: { says: names itself, copy: { /replaces: /id } }
      patched: { says: names itself, patch: [{ op: replace, path: /id, value: A-2 }] }
`;

/** Reads a pack, loads its rules and scenarios, and checks its cases. Returns the error message, or an empty string. */
async function errorOf(files: Readonly<Record<string, string>>): Promise<string> {
  try {
    const protocol = withCode(readPack(writePack(files)), "given");
    await (await packOf(protocol)).scenarios?.();
    await refuseWrongCases(await ruled(protocol));
  } catch (error) {
    return (error as Error).message;
  }
  return "";
}

describe("rules in files", () => {
  it("are rules of the pack, with checks and cases, and need no code", async () => {
    const protocol = readPack(writePack({ "rules/order.yaml": selfRule }));
    expect(mayLoad(protocol)).toBe(true);
    expect(protocol.rules).toMatchObject([{ id: "ORDER-SELF-001", level: "MUST", check: "semantic" }]);
    const { families } = await ruled(protocol);
    expect(families).toMatchObject([
      {
        name: "order",
        cases: [
          {
            rule: "ORDER-SELF-001",
            document: "order",
            valid: [{ name: "another", data: { id: "A-1", replaces: "A-2" } }],
            invalid: [
              { name: "itself", change: [{ op: "replace", path: "/replaces", value: "A-1" }] },
              { name: "patched", change: [{ op: "replace", path: "/id", value: "A-2" }] },
            ],
          },
        ],
      },
    ]);
    await refuseWrongCases(await ruled(protocol));
  });

  it("may declare needs for all their cases, and replace parts of a fixture's text in cases", async () => {
    const withTexts = selfRule
      .replace(
        "valid:\n",
        "needs: [lint]\n    valid:\n      text: { from: text, says: is text, spelt: { A-1: A-3, total: sum } }\n",
      )
      .replace("remove: /total }", "remove: /total, needs: [yaml-text] }")
      .replace("{ says: names itself, copy", "{ from: another, says: names itself, copy")
      .replace("{ says: names itself, patch", "{ says: names itself, spelt: { A-1: A-4 }, patch")
      .replace(", patch: [{ op: replace, path: /id, value: A-2 }]", "");
    const fixtures = "order: { id: A-1, total: 3 }\ntext: |\n  id: A-1\n  total: 3\n";
    const { families } = await ruled(readPack(writePack({ "fixtures.yaml": fixtures, "rules/order.yaml": withTexts })));
    const [{ valid = [], invalid = [] } = {}] = families.flatMap(({ cases }) => cases);
    expect([...valid, ...invalid].map(({ text, needs }) => [text, needs])).toEqual([
      ["id: A-3\nsum: 3\n", ["lint"]],
      [undefined, ["yaml-text", "lint"]],
      [undefined, ["lint"]],
      ["id: A-4\ntotal: 3\n", ["lint"]],
    ]);
  });

  it("are read again after a file is added", () => {
    const at = writePack({ "rules/order.yaml": selfRule });
    expect(readPack(at).rules).toHaveLength(1);
    writeFileSync(join(at, "rules/more.yaml"), "rules: { ORDER-ID-001: { statement: It has an id. } }\n");
    expect(readPack(at).rules.map(({ id }) => id)).toEqual(["ORDER-ID-001", "ORDER-SELF-001"]);
  });

  it("count as code if they name a function, which is only loaded with permission", async () => {
    const files = {
      "rules/order.yaml": selfRule.replace("{ differs: { /replaces: /id } }", "rules/self.mjs#self"),
      "rules/self.mjs":
        'export const self = ({ id, replaces }) => id === replaces ? [{ at: "/replaces", why: "is it" }] : [];\n',
    };
    const protocol = readPack(writePack(files));
    expect(mayLoad(protocol)).toBe(false);
    await expect(ruled(protocol)).rejects.toThrow(/code of the pack .* is not loaded/);
    expect(await errorOf(files)).toBe("");
  });

  it.each<[mistake: string, files: Record<string, string>, message: RegExp]>([
    ["a name that is not an id", { "rules/order.yaml": "rules: { sum: { statement: x } }\n" }, /order\.yaml:1/],
    [
      "an unknown form",
      { "rules/order.yaml": selfRule.replace("differs", "differ") },
      /order\.yaml:5:\d+.*did you mean/s,
    ],
    [
      "a rule that is in two files",
      { "rules/a.yaml": selfRule, "rules/b.yaml": selfRule },
      /b\.yaml:3.*there is already a rule/s,
    ],
    [
      "a document that does not exist",
      { "rules/order.yaml": selfRule.replace("document: order", "document: ordr") },
      /order\.yaml:4.*did you mean "order"/s,
    ],
    [
      "a fixture that does not exist",
      { "rules/order.yaml": selfRule.replace("from: order", "from: ordr") },
      /order\.yaml:7.*no fixture ordr/s,
    ],
    [
      "a change of a missing member",
      { "rules/order.yaml": selfRule.replace("remove: /total", "remove: /sum") },
      /order\.yaml:7.*does not apply: remove "\/sum"/s,
    ],
    [
      "a copy of a missing member",
      { "rules/order.yaml": selfRule.replace("copy: { /replaces: /id }", "copy: { /replaces: /total }") },
      /order\.yaml:9.*nothing at "\/total"/s,
    ],
    [
      "an invalid case that does not break its rule",
      { "rules/order.yaml": selfRule.replace("copy: { /replaces: /id }", "set: { /replaces: A-3 }") },
      /order\.yaml:9.*ORDER-SELF-001\/itself/s,
    ],
    [
      "a malformed pattern",
      { "rules/order.yaml": selfRule.replace("differs: { /replaces: /id }", 'matches: { /id: "(" }') },
      /order\.yaml:5.*not a regular expression/s,
    ],
    [
      "a pattern that is too deep",
      {
        "rules/order.yaml": selfRule.replace(
          "differs: { /replaces: /id }",
          `matches: { /id: "${"(".repeat(5000)}a${")".repeat(5000)}" }`,
        ),
      },
      /order\.yaml:5.*levels deep/s,
    ],
    [
      "a pattern that might not end",
      {
        "rules/order.yaml": selfRule
          .replace("differs: { /replaces: /id }", 'matches: { /id: "^(A+)+$" }')
          .replace("set: { /replaces: A-2 }", `set: { /id: ${"A".repeat(40)}b }`),
      },
      /order\.yaml:5.*ORDER-SELF-001 is too slow/s,
    ],
    [
      "a place of several values instead of one",
      { "rules/order.yaml": selfRule.replace("/replaces: /id }", "/replaces: /ids/* }") },
      /order\.yaml:5.*more \* than \/replaces/s,
    ],
    [
      "a code file that does not exist",
      { "rules/order.yaml": selfRule.replace("{ differs: { /replaces: /id } }", "rules/self.mjs#self") },
      /order\.yaml:5.*no file rules\/self\.mjs/s,
    ],
    [
      "a code file outside of the pack",
      { "rules/order.yaml": selfRule.replace("{ differs: { /replaces: /id } }", "../self.mjs#self") },
      /order\.yaml:5.*outside of the pack/s,
    ],
    [
      "a function that does not exist",
      {
        "rules/order.yaml": selfRule.replace("{ differs: { /replaces: /id } }", "rules/self.mjs#self"),
        "rules/self.mjs": "export const selv = () => [];\n",
      },
      /order\.yaml:5.*exports no self.*did you mean "selv"/s,
    ],
    [
      "a rule with checks both in the file and in code",
      {
        "rules/order.yaml": selfRule,
        "index.mjs": 'export const pack = { rules: [{ checkers: [{ rule: "ORDER-SELF-001", check: () => [] }] }] };\n',
      },
      /order\.yaml:5.*ORDER-SELF-001 also has a checker in the code/s,
    ],
    [
      "a scenario that judges an unknown rule",
      {
        "rules/order.yaml": `${selfRule}    scenarios:
      read:
        says: it is read
        steps:
          - each: { id: [a, b] }
            steps: [{ send: { path: /a }, expect: [{ rule: ORDER-READ-001 }] }]
`,
      },
      /order\.yaml:16.*no rule ORDER-READ-001/s,
    ],
  ])("refuse %s", async (_mistake, files, message) => {
    expect(await errorOf(files)).toMatch(message);
  });
});

describe("scenarios in rule files", () => {
  const readRule = `rules:
  ORDER-READ-001:
    statement: An order is read back.
    scenarios:
      read:
        says: an order is read back
        steps:
          - each: { kind: [plain, gift], size: [1, 2] }
            steps:
              - send: { path: /orders, body: { id: "{{token}}", kind: "{{kind}}", size: "{{size}}" } }
                unless: { status: [501], why: this shop sells nothing }
                expect: [{ rule: ORDER-READ-001, status: [201] }]
      other:
        says: it is played by code
        play: rules/code.mjs#play
`;
  const code = "export async function play(context) { context.expect('ORDER-READ-001', true, 'is right'); }\n";

  async function playWith(status: (body: Json) => number): Promise<{ bodies: Json[]; results: string[] }> {
    const protocol = withCode(readPack(writePack({ "rules/order.yaml": readRule, "rules/code.mjs": code })), "given");
    const { scenarios = [] } = (await (await packOf(protocol)).scenarios?.()) ?? {};
    const bodies: Json[] = [];
    const results: string[] = [];
    let freshCount = 0;
    const context = {
      fresh: (prefix: string) => `${prefix}-${++freshCount}`,
      send: async ({ body }: { body: Json }) => {
        bodies.push(body);
        return { status: status(body), json: null, text: "" };
      },
      violations: async () => [],
      expect: (rule: string, holds: boolean) => results.push(`${rule} ${holds}`),
      skip: (rule: string, why: string) => results.push(`${rule} ${why}`),
    } as unknown as ScenarioContext;
    for (const scenario of scenarios) await scenario.play(context);
    return { bodies, results };
  }

  it("run their steps with each combination of values, and with fresh generated values each time", async () => {
    const { bodies, results } = await playWith(() => 201);
    expect(bodies.map((body) => isObject(body) && [body.kind, body.size])).toEqual([
      ["plain", 1],
      ["plain", 2],
      ["gift", 1],
      ["gift", 2],
    ]);
    expect(new Set(bodies.map((body) => isObject(body) && body.id)).size).toBe(4);
    expect(results).toEqual([...Array(4).fill("ORDER-READ-001 true"), "ORDER-READ-001 true"]);
  });

  it("stop at an answer that matches `unless`, and skip the rules that are not judged yet", async () => {
    expect((await playWith(() => 501)).results).toEqual([
      "ORDER-READ-001 this shop sells nothing",
      "ORDER-READ-001 true",
    ]);
    const stoppedLate = await playWith((body) => (isObject(body) && body.size === 2 ? 501 : 201));
    expect(stoppedLate.results).toEqual(["ORDER-READ-001 true", "ORDER-READ-001 true"]);
  });

  it("are listed without their code", async () => {
    const protocol = readPack(
      writePack({ "rules/order.yaml": readRule, "rules/code.mjs": "throw new Error('loaded');\n" }),
    );
    const { scenarios = [] } = (await (await readableOf(protocol)).scenarios?.()) ?? {};
    expect(scenarios.map(({ name, rules }) => [name, rules])).toEqual([
      ["read", ["ORDER-READ-001"]],
      ["other", ["ORDER-READ-001"]],
    ]);
  });
});

describe("rules in the older form", () => {
  const olderFiles = {
    "rules.json": JSON.stringify({
      rules: [
        { id: "ORDER-SELF-001", statement: "It replaces another.", clause: "4.2" },
        { id: "ORDER-READ-001", statement: "It is read back.", check: "stateful" },
        { id: "ORDER-TYPE-001", statement: "It is an object.", sites: ["order.schema.json#/type"] },
      ],
    }),
    "scenarios.yaml":
      "scenarios: [{ name: read, says: it is read, steps: [{ send: { path: /a }, expect: [{ rule: ORDER-READ-001, status: [200] }] }] }]\n",
    "index.mjs": `const check = ({ id, replaces }) => (id === replaces ? [{ at: "/replaces", why: "is it" }] : []);
const valid = [{ name: "other", says: "is another", data: { id: "A-1", replaces: "A-2" } }];
const invalid = [
  { name: "itself", says: "is it", change: [{ op: "replace", path: "/replaces", value: "A-1" }] },
  { name: "moved", says: "is it", change: [{ op: "remove", path: "/id" }, { op: "add", path: "/id", value: "A-2" }] },
  { name: "put", says: "is it", change: [{ op: "add", path: "/id", value: "A-2" }] },
];
export const pack = {
  rules: [{
    seals: true,
    enforcedBy: { "ORDER-SELF-001": "text" },
    checkers: [{ rule: "ORDER-SELF-001", documents: ["order"], check }],
    cases: [{ rule: "ORDER-SELF-001", document: "order", valid, invalid }],
  }],
};
`,
  };

  it("are converted to files with the same rules, cases and scenarios, and still work with the code", async () => {
    const at = writePack(olderFiles);
    const original = await ruled(withCode(readPack(at), "given"));
    const [name = ""] = await convertToRuleFiles(at);
    expect(readFileSync(join(at, name), "utf8")).toMatch(
      /itself: \{ says: is it, set: \{ \/replaces: A-1 \} \}(?:.|\n)*put: \{ says: is it, add: \{ \/id: A-2 \} \}/,
    );
    expect([existsSync(join(at, "rules.json")), existsSync(join(at, "scenarios.yaml"))]).toEqual([false, false]);
    const converted = withCode(readPack(at), "given");
    expect((await ruled(converted)).rules).toEqual(original.rules);
    const allCases = ({ families }: typeof original): unknown[] => families.flatMap(({ cases }) => cases);
    expect(allCases(await ruled(converted))).toEqual(allCases(original));
    const sealedFamilies = ({ families }: typeof original) =>
      families
        .filter(({ seals, cases }) => seals && cases.length > 0)
        .map(({ cases, enforcedBy }) => [cases.length, enforcedBy]);
    expect(sealedFamilies(await ruled(converted))).toEqual(sealedFamilies(original));
    const { scenarios = [] } = (await (await packOf(converted)).scenarios?.()) ?? {};
    expect(scenarios.map((scenario) => [scenario.name, scenario.rules])).toEqual([["read", ["ORDER-READ-001"]]]);
    await refuseWrongCases(await ruled(converted));
    await expect(convertToRuleFiles(at)).rejects.toThrow(/no rules in the older form/);
  });

  it("are not converted if the pack was generated from an API description", async () => {
    const endpoint = {
      method: "POST",
      path: "/orders",
      described: { answers: [], rule: "ORDER-ANSWER-001", credentials: [] },
    };
    const profile = { documents: [{ file: "schemas/order.schema.json", endpoint }] };
    const at = writePack({ ...olderFiles, "profile.json": JSON.stringify(profile) });
    await expect(convertToRuleFiles(at)).rejects.toThrow(/generated from its API description/);
  });

  it("are refused if a rule has different cases in code and in its file", async () => {
    const at = writePack(olderFiles);
    const [name = ""] = await convertToRuleFiles(at);
    writeFileSync(join(at, name), readFileSync(join(at, name), "utf8").replace("/replaces: A-1", "/id: A-2"));
    await expect(ruled(withCode(readPack(at), "given"))).rejects.toThrow(
      /the cases of ORDER-SELF-001 in the code differ/,
    );
  });
});
