import { type Formula, trueFormula } from "../formulas/formula.ts";
import type { KeywordOf, Location } from "../model/model.ts";
import type { AssertContext } from "./assert-context.ts";
import type { KeywordHandler, Passage } from "./handler.ts";
import { type Entry, nameOf, plainLocation } from "./reading.ts";

export const condition: KeywordHandler<"if"> = {
  inPlace: true,
  readers: {
    // A condition without branches still marks its evaluated parts.
    if: (site, value, siblings) => [
      {
        kind: "if",
        site,
        condition: plainLocation(value as string),
        ...readBranch(siblings, "then"),
        ...readBranch(siblings, "else"),
      },
    ],
  },
  holds(keyword, value, visit) {
    const branch = visit.valueHolds(keyword.condition, value) ? keyword.then : keyword.else;
    return branch === undefined || visit.valueHolds(branch, value);
  },
  children: (keyword) => [keyword.condition, keyword.then, keyword.else].filter((node) => node !== undefined),
  relocate: (keyword, relocate) => ({
    ...keyword,
    condition: relocate(keyword.condition),
    ...(keyword.then === undefined ? {} : { then: relocate(keyword.then) }),
    ...(keyword.else === undefined ? {} : { else: relocate(keyword.else) }),
  }),
  passages: (keyword) =>
    (["then", "else"] as const).flatMap((key): Passage[] => {
      const node = keyword[key];
      return node === undefined ? [] : [{ node, key }];
    }),
  sites: () => [],
  assert(keyword, context) {
    const { path, construction } = context;
    const [then, otherwise] = caseFormulas(keyword, context);
    if (path?.key === "then") construction.todo.push(then);
    else if (path?.key === "else") construction.todo.push(otherwise);
    else if (keyword.then !== undefined || keyword.else !== undefined || construction.into.length > 0)
      construction.choices.push([otherwise, then]);
    return true;
  },
  deny(keyword, context) {
    const { condition, then, else: otherwise } = keyword;
    const failingThen: Formula[] =
      then === undefined ? [] : [{ op: "and", of: [context.mustHold(condition), context.mustFail(then)] }];
    const failingElse: Formula[] =
      otherwise === undefined ? [] : [{ op: "and", of: [context.mustFail(condition), context.mustFail(otherwise)] }];
    return { op: "or", of: [...failingThen, ...failingElse] };
  },
};

/** Makes the formulas for both cases: the condition holds and so does `then`, or it fails and `else` holds. */
function caseFormulas(keyword: KeywordOf<"if">, context: AssertContext): [then: Formula, otherwise: Formula] {
  const consequence = (key: "then" | "else") => {
    const node = keyword[key];
    return node === undefined ? trueFormula : context.inPlace(node, key);
  };
  return [
    { op: "and", of: [context.inPlace(keyword.condition), consequence("then")] },
    { op: "and", of: [context.avoid(keyword.condition), consequence("else")] },
  ];
}

/** Returns the location of a branch. Without an `if`, a branch has no effect and is not returned. */
function readBranch(siblings: readonly Entry[], key: "then" | "else"): { [K in typeof key]?: Location } {
  const [condition, node] = (siblings.find((entry) => nameOf(entry) === key)?.[2] ?? []) as [string?, string?];
  return condition === undefined || node === undefined ? {} : { [key]: plainLocation(node) };
}
