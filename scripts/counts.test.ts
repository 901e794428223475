import { describe, expect, it } from "vitest";
import { protocolNamed, type Rule, type Vector } from "../schemas/index.ts";
import { type CountedProtocol, countsTables, isCurrent, withCounts } from "./counts.ts";

const forcing = { mutants: 9, twice: 6, once: 1, equivalent: 2, keywords: {}, unforced: [] };
const document = { protocol: "ahcp", version: "0.3", document: "", schema: "", unbroken: [], forcing };

const countedProtocol = (): CountedProtocol => {
  const ahcp = protocolNamed("ahcp");
  const statuses = {
    A: { covered: "vectors" },
    B: { covered: "vectors" },
    C: { covered: "scenarios" },
    D: { planned: "" },
  };
  const rules = Object.entries(statuses).map(([id, status]) => ({ ...(ahcp.rules[0] as Rule), id, status }) as Rule);
  const rule = "A";
  const messageVectors = [{ valid: true, rule: "D" }, { valid: false, rule }, { valid: false, rule }, {}] as Vector[];
  const recordVectors = [{ valid: false, rule: "B" }] as Vector[];
  return {
    protocol: { ...ahcp, rules },
    documents: [
      { ...document, sites: 7, broken: 5 },
      { ...document, sites: 3, broken: 2 },
    ],
    files: [
      { document: "message", tests: messageVectors },
      { document: "outcome", tests: recordVectors },
    ],
    scenarios: [{ name: "played", rules: ["A", "C"] }],
  };
};

describe("the counts", () => {
  it("on the page are up to date", async () => {
    expect(await isCurrent(), "npx tsx scripts/counts.ts --write").toBe(true);
  });

  it("include documents, rules by status, vectors by verdict, assertions and mutants, with sums", () => {
    const lines = countsTables([countedProtocol(), { ...countedProtocol(), documents: [] }]).split("\n");
    expect(lines.filter((line) => !line.includes("--"))).toEqual([
      "| protocol | documents | rules | covered | by a message | by a scenario | by a record or trace | planned | untested |",
      "| `ahcp@0.3` | 5 | 4 | 3 | 1 | 1 | 1 | 1 | 0 |",
      "| `ahcp@0.3` | 5 | 4 | 3 | 1 | 1 | 1 | 1 | 0 |",
      "| all | 10 | 8 | 6 | 2 | 2 | 2 | 2 | 0 |",
      "",
      "| protocol | vectors | valid | invalid | disputed | assertions | isolated | mutants | killed twice | equivalent |",
      "| `ahcp@0.3` | 5 | 1 | 3 | 1 | 10 | 7 | 18 | 12 | 4 |",
      "| `ahcp@0.3` | 5 | 1 | 3 | 1 | 0 | 0 | 0 | 0 | 0 |",
      "| all | 10 | 2 | 6 | 2 | 10 | 7 | 18 | 12 | 4 |",
    ]);
  });

  it("replace the text between two marks, and throw if the marks are missing", () => {
    const text = "before\n<!-- counts -->\nold\n<!-- /counts -->\nafter\n";
    expect(withCounts(text, "| $& |")).toBe("before\n<!-- counts -->\n| $& |\n<!-- /counts -->\nafter\n");
    expect(() => withCounts("before\n", "| new |")).toThrow("<!-- counts -->");
  });
});
