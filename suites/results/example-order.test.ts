import { expect, it } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { loadVectors } from "../packs/corpus/index.ts";
import { chooseTwo, plainestFirst, plainestFirstWithin } from "./example-order.ts";

const example = (id: string, members: { description?: string; fault?: string; path?: string } = {}) => ({
  id,
  description: members.description ?? "it is wrong",
  fault: members.fault ?? "wrong-type",
  change: [{ op: "add", path: members.path ?? "/a", value: id } as const],
});
const oddExample = example("odd", { description: "`a` is 1; wrongly accepted if numbers pass" });
const inheritedExample = example("inherited/named-constructor");
const wholeExample = example("whole", { path: "" });
const [plainExample, similarExample] = [example("one"), example("two")];
const otherFaultExample = example("other", { fault: "too-long" });
const idsOf = (examples: readonly { id: string }[]): string[] => examples.map(({ id }) => id);

it("puts plain examples before odd ones, and keeps the order of the others", () => {
  expect(idsOf(plainestFirst([inheritedExample, oddExample, wholeExample, similarExample, plainExample]))).toEqual(
    idsOf([similarExample, plainExample, wholeExample, oddExample, inheritedExample]),
  );
});

it("keeps the order of the parts and begins each with its plainest example", () => {
  const partOf = ({ id }: { id: string }): string => (["odd", "one"].includes(id) ? "A" : "B");
  expect(idsOf(plainestFirstWithin([oddExample, inheritedExample, plainExample, similarExample], partOf))).toEqual(
    idsOf([plainExample, similarExample, oddExample, inheritedExample]),
  );
});

it("chooses the plainest example and an equally plain one with a different fault, or an odd one if there is none", () => {
  expect(idsOf(chooseTwo([oddExample, plainExample, similarExample, otherFaultExample]))).toEqual(["one", "other"]);
  expect(idsOf(chooseTwo([oddExample, plainExample]))).toEqual(["one", "odd"]);
});

it("begins the examples of a forbidden member with an ordinary name", () => {
  const vectors = loadVectors(protocolNamed("aaep")).files.flatMap(({ tests }) => tests);
  const vectorsOfRule = vectors.filter(({ rule, valid }) => rule === "AAEP-EXT-009" && valid === false);
  expect(vectorsOfRule[0]?.id).toContain("constructor");
  expect(plainestFirst(vectorsOfRule)[0]?.id).toContain("tidewatch");
});
