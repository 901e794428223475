import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { reach } from "../drafts/reach.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { places } from "../evaluate/places.ts";
import { Effort } from "../model/effort.ts";
import { solve } from "./solve.ts";

const id = "https://shared.test/message";
const words = ["a", "b", "c", "d", "e", "f"];
const names = Array.from({ length: 10 }, (_, index) => `m${index}`);

/** Conditionals over ten members, each of which derives one member from another; `fulfilled` is an instance that satisfies them. */
function meeting(count: number): { schema: JsonObject; fulfilled: JsonObject } {
  let state = 7;
  const below = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >> 8) % limit;
  };
  const word = () => words[below(words.length)] as string;
  const fulfilled = Object.fromEntries(names.map((name) => [name, word()]));
  const allOf = Array.from({ length: count }, () => {
    const asked = below(names.length);
    const told = names[(asked + 1 + below(names.length - 1)) % names.length] as string;
    const value = word();
    const branch = (isTaken: boolean) => ({
      properties: {
        [told]: { enum: [...new Set([word(), word(), word(), ...(isTaken ? [fulfilled[told] as string] : [])])] },
      },
    });
    const name = names[asked] as string;
    const isMet = fulfilled[name] === value;
    return {
      if: { properties: { [name]: { const: value } }, required: [name] },
      then: branch(isMet),
      else: branch(!isMet),
    };
  });
  const properties = Object.fromEntries(names.map((name) => [name, { enum: words }]));
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { fulfilled, schema: { $schema, $id: id, type: "object", required: names, properties, allOf } };
}

describe("questions about one model", () => {
  it("share their learnt clauses: the first is hard, and a further one needs a small part of its work", async () => {
    const { schema, fulfilled } = meeting(100);
    const model = await compileModel([schema], id);
    expect(isValid(model, fulfilled)).toBe(true);
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const asked = { ...model, effort };
    const found: boolean[] = [];
    const all = places(model).slice(0, 30);
    const isEnough = effort.within(30 * 12_000, () => {
      for (const place of all) {
        const solution = reach(asked, place, []);
        found.push("found" in solution ? isValid(model, solution.found) : "none" in solution);
      }
    });
    expect([isEnough, found]).toEqual([true, all.map(() => true)]);
  });

  it("start learning early if only that helped before", async () => {
    const { schema } = meeting(22);
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const model = { ...(await compileModel([schema], id)), effort };
    const outcomes: string[] = [];
    const ask = (from: number, to: number) => () => {
      for (const place of places(model).slice(from, to)) outcomes.push(...Object.keys(reach(model, place, [])));
    };
    ask(0, 3)();
    expect(effort.within(17 * 12_000, ask(3, 20))).toBe(true);
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => "found"));
  });

  it("are answered at once if they require a member that is plainly forbidden, regardless of other choices", async () => {
    const { schema } = meeting(40);
    const closed = { ...schema, unevaluatedProperties: false };
    const model = await compileModel([closed], id);
    const way = places(model).find(({ node }) => node === `${id}#/unevaluatedProperties`);
    if (way === undefined) throw new Error("there is such a way");
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const isEnough = effort.within(2000, () => {
      expect(reach({ ...model, effort }, way, [])).toEqual({ none: true });
    });
    expect(isEnough).toBe(true);
  });

  it("keep nothing that applies to one of them only", async () => {
    const { schema } = meeting(40);
    const model = await compileModel([schema], id);
    const [root] = [{ op: "schema", node: model.root, sign: true, scope: {} } as const];
    const only = (value: string) => [root, { op: "in", values: [value] } as const];
    const learning = { manner: "learning" } as const;
    expect(solve(model, only("a"), learning)).toEqual({ none: true });
    const first = solve(model, [root], learning);
    if (!("found" in first)) throw new Error("there is one");
    const other = solve(model, [root, { op: "out", values: [first.found] }], learning);
    expect("found" in other ? [isValid(model, other.found), other.found] : other).not.toEqual([true, first.found]);
    expect(solve(model, [root, { op: "in", values: [first.found] }], learning)).toEqual(first);
    expect(solve(model, only("b"), learning)).toEqual({ none: true });
  });
});
