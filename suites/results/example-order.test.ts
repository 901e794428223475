import { expect, it } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { loadVectors } from "../packs/corpus/index.ts";
import { plainestFirst, plainestFirstWithin, twoOf } from "./example-order.ts";

const example = (id: string, more: { description?: string; fault?: string; path?: string } = {}) => ({
  id,
  description: more.description ?? "it is wrong",
  fault: more.fault ?? "wrong-type",
  change: [{ op: "add", path: more.path ?? "/a", value: id } as const],
});
const odd = example("odd", { description: "`a` is 1; wrongly accepted if numbers pass" });
const inherited = example("inherited/named-constructor");
const whole = example("whole", { path: "" });
const [one, two] = [example("one"), example("two")];
const other = example("other", { fault: "too-long" });
const idsOf = (examples: readonly { id: string }[]): string[] => examples.map(({ id }) => id);

it("puts plain examples before odd ones, and keeps the order of the others", () => {
  expect(idsOf(plainestFirst([inherited, odd, whole, two, one]))).toEqual(idsOf([two, one, whole, odd, inherited]));
});

it("keeps the order of the parts and begins each with its plainest example", () => {
  const partOf = ({ id }: { id: string }): string => (["odd", "one"].includes(id) ? "A" : "B");
  expect(idsOf(plainestFirstWithin([odd, inherited, one, two], partOf))).toEqual(idsOf([one, two, odd, inherited]));
});

it("adds to the plainest example another fault that is equally plain, and an odd one only if there is no other", () => {
  expect(idsOf(twoOf([odd, one, two, other]))).toEqual(["one", "other"]);
  expect(idsOf(twoOf([odd, one]))).toEqual(["one", "odd"]);
});

it("begins the examples of a forbidden member with an ordinary name", () => {
  const vectors = loadVectors(protocolNamed("aaep")).files.flatMap(({ tests }) => tests);
  const own = vectors.filter(({ rule, valid }) => rule === "AAEP-EXT-009" && valid === false);
  expect(own[0]?.id).toContain("constructor");
  expect(plainestFirst(own)[0]?.id).toContain("tidewatch");
});
