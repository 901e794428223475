import { describe, expect, it } from "vitest";
import { type Protocol, protocolNamed, protocolsNamed, type Vector } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { vectorLines } from "./vector.ts";

const protocol = protocolNamed("ahcp");
const text = (vector: Vector, of: Protocol = protocol): string => vectorLines(of, vector).join("\n");

const usual: Vector = {
  id: "ahcp/0.3/message/invalid/x",
  description: "it is wrong",
  needs: [],
  tags: [],
  valid: false,
};
const names = "https://x.example/order.json#/properties/extra/propertyNames";

describe("the explanation of a fault", () => {
  it.each([
    [
      { at: "/extra/", site: names, fault: "bad-name" },
      'The mistake is the name "" of a member of /extra; nothing else',
    ],
    [
      { at: "/A", site: names, fault: "bad-name" },
      'The mistake is the name "A" of a member of the document; nothing else',
    ],
    [
      { at: "/extra", site: `${names}/pattern`, fault: "pattern" },
      "The mistake is the name of a member at /extra; nothing",
    ],
    [{ at: "/a", site: "https://x.example/order.json#/type" }, "The mistake is at /a; nothing else breaks"],
    [{ at: "/a", rule: "AHCP-ENV-003" }, "the rule is not checked. The mistake is at /a."],
    [{ at: "/a", involves: ["/b"], rule: "X-1" }, "The mistake is at /a (a refusal may also name /b)."],
    [{ data: {} }, "none of the assertions that refuse it is checked."],
    [{ raw: "" }, "the text is not read as JSON prescribes."],
  ])("%o", (more, output) => expect(text({ ...usual, ...more })).toContain(output));

  it("shows the first lines of a long message, and where to find all of it", () => {
    const output = text({ ...usual, data: Array.from({ length: 200 }, (_, index) => index) });
    expect(output).toMatch(/\n {4}78,\n {2}… 122 more lines; for all of it: .*export ahcp --out DIR\n/);
    expect(output).not.toContain("    79,");
  });

  it("names the rules that it breaks as well", () => {
    expect(vectorLines(protocol, { ...usual, alsoBreaks: ["X-1", "X-2"] })).toContain(
      "  also      breaks X-1, X-2: an implementation of that rule refuses it anyway",
    );
    expect(text(usual)).not.toContain("also");
  });

  it("says that an empty text is empty", () => expect(text({ ...usual, raw: "" })).toContain("text      (empty)"));

  it("is empty for a valid vector, which is called valid before its feature", () => {
    expect(text({ ...usual, valid: true })).toContain("\n  valid: it is wrong\n");
    expect(text(usual)).toContain("\n  it is wrong\n");
  });

  it("is empty if refusing is not a fault", () => {
    const output = text({ ...usual, valid: true, beyond: ["AHCP-ENV-003"] });
    expect(output).toContain("accepting it and refusing it are both correct");
    expect(output).not.toContain("something is checked");
  });
});

it.each(protocolsNamed("all"))("names a rule for each vector of $name that mentions none", (of) => {
  for (const { tests } of loadVectors(of).files)
    for (const vector of tests)
      if (vector.rule === undefined)
        expect(text(vector, of).split("\n").slice(-2)[0]).not.toMatch(/what the rule says/);
});
