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

/** Makes a schema with conditionals over ten members, each of which restricts one member depending on another, and an instance that fulfils it. */
function conditionalSchema(count: number): { schema: JsonObject; fulfilled: JsonObject } {
  let state = 7;
  const randomBelow = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >> 8) % limit;
  };
  const randomWord = () => words[randomBelow(words.length)] as string;
  const validInstance = Object.fromEntries(names.map((name) => [name, randomWord()]));
  const allOf = Array.from({ length: count }, () => {
    const testedIndex = randomBelow(names.length);
    const restrictedName = names[(testedIndex + 1 + randomBelow(names.length - 1)) % names.length] as string;
    const value = randomWord();
    const branch = (isTakenBranch: boolean) => ({
      properties: {
        [restrictedName]: {
          enum: [
            ...new Set([
              randomWord(),
              randomWord(),
              randomWord(),
              ...(isTakenBranch ? [validInstance[restrictedName] as string] : []),
            ]),
          ],
        },
      },
    });
    const name = names[testedIndex] as string;
    const isMet = validInstance[name] === value;
    return {
      if: { properties: { [name]: { const: value } }, required: [name] },
      then: branch(isMet),
      else: branch(!isMet),
    };
  });
  const properties = Object.fromEntries(names.map((name) => [name, { enum: words }]));
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  return { fulfilled: validInstance, schema: { $schema, $id: id, type: "object", required: names, properties, allOf } };
}

describe("searches on one model", () => {
  it("share their learnt clauses, so that only the first one is hard", async () => {
    const { schema, fulfilled } = conditionalSchema(100);
    const model = await compileModel([schema], id);
    expect(isValid(model, fulfilled)).toBe(true);
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const limitedModel = { ...model, effort };
    const outcomes: boolean[] = [];
    const testedPlaces = places(model).slice(0, 30);
    const isEnough = effort.within(30 * 12_000, () => {
      for (const place of testedPlaces) {
        const solution = reach(limitedModel, place, []);
        outcomes.push("found" in solution ? isValid(model, solution.found) : "none" in solution);
      }
    });
    expect([isEnough, outcomes]).toEqual([true, testedPlaces.map(() => true)]);
  });

  it("start learning early if only that helped before", async () => {
    const { schema } = conditionalSchema(22);
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

  it("immediately prove that a forbidden member cannot be required, regardless of other choices", async () => {
    const { schema } = conditionalSchema(40);
    const closed = { ...schema, unevaluatedProperties: false };
    const model = await compileModel([closed], id);
    const forbiddenPlace = places(model).find(({ node }) => node === `${id}#/unevaluatedProperties`);
    if (forbiddenPlace === undefined) throw new Error("the model has no place for unevaluatedProperties");
    const effort = new Effort(Number.POSITIVE_INFINITY);
    const isEnough = effort.within(2000, () => {
      expect(reach({ ...model, effort }, forbiddenPlace, [])).toEqual({ none: true });
    });
    expect(isEnough).toBe(true);
  });

  it("do not keep clauses that hold only for one of them", async () => {
    const { schema } = conditionalSchema(40);
    const model = await compileModel([schema], id);
    const [root] = [{ op: "schema", node: model.root, sign: true, scope: {} } as const];
    const onlyValue = (value: string) => [root, { op: "in", values: [value] } as const];
    const learning = { manner: "learning" } as const;
    expect(solve(model, onlyValue("a"), learning)).toEqual({ none: true });
    const first = solve(model, [root], learning);
    if (!("found" in first)) throw new Error("no value was found");
    const other = solve(model, [root, { op: "out", values: [first.found] }], learning);
    expect("found" in other ? [isValid(model, other.found), other.found] : other).not.toEqual([true, first.found]);
    expect(solve(model, [root, { op: "in", values: [first.found] }], learning)).toEqual(first);
    expect(solve(model, onlyValue("b"), learning)).toEqual({ none: true });
  });
});
