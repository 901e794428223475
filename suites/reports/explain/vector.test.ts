import { describe, expect, it } from "vitest";
import { type Protocol, protocolNamed, protocolsNamed, type Vector } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { vectorLines } from "./vector.ts";

const protocol = protocolNamed("ahcp");
const explain = (vector: Vector, owner: Protocol = protocol): string => vectorLines(owner, vector).join("\n");

const invalidVector: Vector = {
  id: "ahcp/0.3/message/invalid/x",
  description: "it is wrong",
  needs: [],
  tags: [],
  valid: false,
};
const namesSite = "https://x.example/order.json#/properties/extra/propertyNames";

describe("the explanation of a vector", () => {
  it.each([
    [
      { at: "/extra/", site: namesSite, fault: "bad-name" },
      'The mistake is the name "" of a member of /extra; nothing else',
    ],
    [
      { at: "/A", site: namesSite, fault: "bad-name" },
      'The mistake is the name "A" of a member of the document; nothing else',
    ],
    [
      { at: "/extra", site: `${namesSite}/pattern`, fault: "pattern" },
      "The mistake is the name of a member at /extra; nothing",
    ],
    [{ at: "/a", site: "https://x.example/order.json#/type" }, "The mistake is at /a; nothing else breaks"],
    [{ at: "/a", rule: "AHCP-ENV-003" }, "the rule is not checked. The mistake is at /a."],
    [{ at: "/a", involves: ["/b"], rule: "X-1" }, "The mistake is at /a (a refusal may also name /b)."],
    [{ data: {} }, "none of the assertions that refuse it is checked."],
    [{ raw: "" }, "the text is not parsed as the JSON grammar requires."],
  ])("%o", (more, output) => expect(explain({ ...invalidVector, ...more })).toContain(output));

  it("shows the first lines of a long message, and where to find all of it", () => {
    const output = explain({ ...invalidVector, data: Array.from({ length: 200 }, (_, index) => index) });
    expect(output).toMatch(/\n {4}78,\n {2}… 122 more lines; for all of it: .*export ahcp --out DIR\n/);
    expect(output).not.toContain("    79,");
  });

  it("names the other rules that the vector breaks", () => {
    expect(vectorLines(protocol, { ...invalidVector, alsoBreaks: ["X-1", "X-2"] })).toContain(
      "  also      breaks X-1, X-2: an implementation of that rule refuses it anyway",
    );
    expect(explain(invalidVector)).not.toContain("also");
  });

  it("shows an empty text as (empty)", () =>
    expect(explain({ ...invalidVector, raw: "" })).toContain("text      (empty)"));

  it("begins the description of a valid vector with the word valid", () => {
    expect(explain({ ...invalidVector, valid: true })).toContain("\n  valid: it is wrong\n");
    expect(explain(invalidVector)).toContain("\n  it is wrong\n");
  });

  it("says that both answers are correct if refusing a valid vector is allowed", () => {
    const output = explain({ ...invalidVector, valid: true, beyond: ["AHCP-ENV-003"] });
    expect(output).toContain("accepting it and refusing it are both correct");
    expect(output).not.toContain("something is checked");
  });
});

it.each(protocolsNamed("all"))("does not mention a rule in its advice for vectors of $name without a rule", (pack) => {
  for (const { tests } of loadVectors(pack).files)
    for (const vector of tests)
      if (vector.rule === undefined)
        expect(explain(vector, pack).split("\n").slice(-2)[0]).not.toMatch(/what the rule says/);
});
