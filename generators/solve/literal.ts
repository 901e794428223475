import { enter, type Location, nodeAt, type Scope } from "../model/model.ts";
import { assert } from "./assert.ts";
import { newCollector } from "./collect.ts";
import { deny } from "./deny.ts";
import type { Collector, Formula, Shape } from "./formula.ts";
import type { Choice, Search } from "./search.ts";

/** Takes a schema that must hold, or must not, into the shape; false when it contradicts what is there. */
export function takeSchema(
  search: Search,
  shape: Shape,
  formula: Extract<Formula, { op: "schema" }>,
  todo: Formula[],
  choices: Choice[],
): boolean {
  const { model } = search;
  const node = nodeAt(model, formula.node);
  const { focus, sign } = formula;
  if (node.always !== undefined) {
    const broken = focus?.steps.length === 0 && "break" in focus.end && focus.end.break === node.location;
    return node.always === sign || broken;
  }
  const scope = enter(model, node, formula.scope);
  if (focus === undefined) {
    const key = `${formula.node}${scopeKey(scope)}`;
    const before = judgedBefore(shape, key);
    if (before === sign && formula.into === undefined) return true;
    if (before !== undefined && before !== sign) return false;
    shape.judged.own.set(key, sign);
  }
  const unevaluated = node.keywords.filter((keyword) => keyword.kind.startsWith("unevaluated"));
  if (!sign) {
    const alternatives = node.keywords
      .filter((keyword) => !unevaluated.includes(keyword))
      .map((keyword) => deny(model, keyword, scope))
      .flatMap((each) => (each.op === "or" ? each.of : [each]));
    for (const { site } of unevaluated) {
      alternatives.push({
        op: "schema",
        node: node.location,
        sign: true,
        scope,
        focus: { steps: [], end: { break: site } },
      });
    }
    todo.push({ op: "or", of: alternatives });
    return true;
  }
  let into = formula.into ?? [];
  if (unevaluated.length > 0) {
    const id = shape.collectors.size;
    shape.collectors = new Map(shape.collectors).set(id, newCollector());
    into = [...into, id];
  }
  const [step, ...steps] = focus?.steps ?? [];
  const end = step === undefined ? focus?.end : undefined;
  if (end !== undefined && "also" in end) todo.push(end.also);
  for (const keyword of node.keywords) {
    const broken = end !== undefined && "break" in end && isUnder(end.break, keyword.site) ? end.break : undefined;
    const way =
      focus !== undefined && step?.site === keyword.site
        ? { key: step.key, focus: { steps, end: focus.end } }
        : undefined;
    if (keyword.kind === "unevaluatedProperties" || keyword.kind === "unevaluatedItems") {
      const collector = shape.collectors.get(into.at(-1) as number) as Collector;
      const inner: Formula = { op: "schema", node: keyword.node, sign: true, scope };
      const focused: Formula | undefined = way === undefined ? undefined : { ...inner, focus: way.focus };
      collector[keyword.kind === "unevaluatedProperties" ? "members" : "items"] = {
        formula: inner,
        sign: broken === undefined,
        focused,
      };
      // What was left unevaluated is evaluated by this keyword.
      for (const id of into.slice(0, -1)) {
        const outer = shape.collectors.get(id) as Collector;
        outer[keyword.kind === "unevaluatedProperties" ? "allMembers" : "allItems"] = true;
      }
    } else if (broken !== undefined) todo.push(deny(model, keyword, scope, broken));
    else if (!assert(search, shape, keyword, scope, into, way, todo, choices)) return false;
  }
  return true;
}

function judgedBefore(shape: Shape, key: string): boolean | undefined {
  for (let layer: Shape["judged"] | undefined = shape.judged; layer !== undefined; layer = layer.outer) {
    const sign = layer.own.get(key);
    if (sign !== undefined) return sign;
  }
  return undefined;
}

function scopeKey(scope: Scope): string {
  return Object.keys(scope).length === 0 ? "" : JSON.stringify(scope);
}

function isUnder(location: Location, site: Location): boolean {
  return location === site || location.startsWith(`${site}/`);
}
