import { type Formula, trueFormula } from "../formulas/formula.ts";
import type { KeywordOf, Location } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import type { KeywordHandler, Passage } from "./handler.ts";
import { type Entry, nameOf, plainLocation } from "./reading.ts";

export const condition: KeywordHandler<"if"> = {
  inPlace: true,
  reads: {
    // A condition without branches still marks its evaluated parts.
    if: (site, value, siblings) => [
      {
        kind: "if",
        site,
        condition: plainLocation(value as string),
        ...branch(siblings, "then"),
        ...branch(siblings, "else"),
      },
    ],
  },
  holds(keyword, value, visit) {
    const branch = visit.inPlace(keyword.condition, value) ? keyword.then : keyword.else;
    return branch === undefined || visit.inPlace(branch, value);
  },
  children: (keyword) => [keyword.condition, keyword.then, keyword.else].filter((node) => node !== undefined),
  moved: (keyword, to) => ({
    ...keyword,
    condition: to(keyword.condition),
    ...(keyword.then === undefined ? {} : { then: to(keyword.then) }),
    ...(keyword.else === undefined ? {} : { else: to(keyword.else) }),
  }),
  passages: (keyword) =>
    (["then", "else"] as const).flatMap((key): Passage[] => {
      const node = keyword[key];
      return node === undefined ? [] : [{ node, key }];
    }),
  sites: () => [],
  assert(keyword, context) {
    const { path: way, construction: taking } = context;
    const [then, otherwise] = outcomes(keyword, context);
    if (way?.key === "then") taking.todo.push(then);
    else if (way?.key === "else") taking.todo.push(otherwise);
    else if (keyword.then !== undefined || keyword.else !== undefined || taking.into.length > 0)
      taking.choices.push([otherwise, then]);
    return true;
  },
  deny(keyword, context) {
    const { condition, then, else: otherwise } = keyword;
    const met: Formula[] =
      then === undefined ? [] : [{ op: "and", of: [context.mustHold(condition), context.mustFail(then)] }];
    const unmet: Formula[] =
      otherwise === undefined ? [] : [{ op: "and", of: [context.mustFail(condition), context.mustFail(otherwise)] }];
    return { op: "or", of: [...met, ...unmet] };
  },
};

/** The condition met, and not met, each with its consequence. */
function outcomes(keyword: KeywordOf<"if">, context: AssertContext): [then: Formula, otherwise: Formula] {
  const consequence = (key: "then" | "else") => {
    const node = keyword[key];
    return node === undefined ? trueFormula : context.inPlace(node, key);
  };
  return [
    { op: "and", of: [context.inPlace(keyword.condition), consequence("then")] },
    { op: "and", of: [context.avoid(keyword.condition), consequence("else")] },
  ];
}

/** A branch of a condition. Without a condition it has no effect. */
function branch(siblings: readonly Entry[], key: "then" | "else"): { [K in typeof key]?: Location } {
  const [condition, node] = (siblings.find((entry) => nameOf(entry) === key)?.[2] ?? []) as [string?, string?];
  return condition === undefined || node === undefined ? {} : { [key]: plainLocation(node) };
}
