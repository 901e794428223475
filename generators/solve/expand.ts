import type { Formula, Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { intersectLists } from "../formulas/listed-values.ts";
import { constrainUnevaluated } from "./collect.ts";
import { addSchema } from "./literal.ts";
import type { Choice, ImpossibleMember, Search } from "./search.ts";
import { cloneShape, continueShape, isEmpty, openShape } from "./shape.ts";

/**
 * Expands a conjunction of formulas into shapes, lazily. Their union is exactly the meaning of the formulas. Formulas without alternatives are added before a
 * choice is made, so that contradictions are found early.
 */
export function* expand(
  search: Search,
  formulas: readonly Formula[],
  impossibleMembers: readonly ImpossibleMember[] = [],
): Generator<Shape> {
  yield* expandStep(search, impossibleMembers, { shape: openShape(), todo: [...formulas], choices: [] });
}

function* expandStep(
  search: Search,
  impossibleMembers: readonly ImpossibleMember[],
  { shape, todo, choices }: { shape: Shape; todo: Formula[]; choices: Choice[] },
): Generator<Shape> {
  for (let formula = todo.pop(); formula !== undefined; formula = todo.pop()) {
    search.spend();
    if (!addFormula(search, shape, { formula, todo, choices })) return;
  }
  if (isEmpty(shape) || excludeImpossible(shape, impossibleMembers)) return;
  // The choice with the fewest alternatives comes first, because it fails soonest.
  let shortestIndex = -1;
  for (let index = 0; index < choices.length; index += 1)
    if (shortestIndex < 0 || (choices[index] as Choice).length < (choices[shortestIndex] as Choice).length)
      shortestIndex = index;
  const choice = choices[shortestIndex];
  if (choice === undefined) {
    constrainUnevaluated(shape);
    if (!isEmpty(shape)) yield shape;
    return;
  }
  search.noteOpenChoices?.(choices.length);
  const otherChoices = choices.filter((_, index) => index !== shortestIndex);
  const alternatives = search.order(choice);
  const last = alternatives.length - 1;
  for (const [index, alternative] of alternatives.entries()) {
    // After the last alternative, the original shape may be changed.
    const branchShape =
      index === last ? continueShape(shape, search.model.effort) : cloneShape(shape, search.model.effort);
    yield* expandStep(search, impossibleMembers, {
      shape: branchShape,
      todo: [alternative],
      choices: index === last ? otherChoices : otherChoices.slice(),
    });
    if (index === last || excludeImpossible(shape, impossibleMembers)) return;
  }
}

/** Excludes objects from a shape that requires an impossible member. Returns whether the shape is then empty. */
function excludeImpossible(shape: Shape, impossibleMembers: readonly ImpossibleMember[]): boolean {
  for (const { name, formulas } of impossibleMembers) {
    if (!shape.object.required.has(name)) continue;
    let present = 0;
    for (const { formula } of shape.object.each) if (formulas.has(formula)) present += 1;
    if (present === formulas.size) shape.kinds &= ~kinds.object;
  }
  return shape.kinds === 0;
}

/** Adds one formula to a shape. Returns false if it contradicts the shape. */
function addFormula(
  search: Search,
  shape: Shape,
  { formula, todo, choices }: { formula: Formula; todo: Formula[]; choices: Choice[] },
): boolean {
  switch (formula.op) {
    case "and":
      for (let index = formula.of.length - 1; index >= 0; index -= 1) todo.push(formula.of[index] as Formula);
      return true;
    case "or":
      if (formula.of.length === 0) return false;
      if (formula.of.length === 1) todo.push(formula.of[0] as Formula);
      else choices.push(formula.of);
      return true;
    case "in":
      shape.in = shape.in === undefined ? formula.values : intersectLists(shape.in, formula.values);
      return shape.in.length > 0;
    case "out":
      shape.out = [...shape.out, ...formula.values];
      return true;
    case "kinds":
      shape.kinds &= formula.kinds;
      return shape.kinds !== 0;
    case "facet":
      shape.kinds &= formula.kinds;
      if (shape.kinds === 0) return false;
      formula.constrain(shape);
      return true;
    case "schema":
      return addSchema(search, shape, { formula, todo, choices });
  }
}
