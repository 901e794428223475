import { siteAt } from "../evaluate/sites.ts";
import type { Formula, Shape } from "../formulas/formula.ts";
import { AssertContext, type ShapeConstruction } from "../keywords/assert-context.ts";
import { DenyContext } from "../keywords/deny-context.ts";
import { handlerOf } from "../keywords/table.ts";
import { type Keyword, type Node, nodeAt, scopeInside, scopeKey } from "../model/model.ts";
import { newCollector } from "./collect.ts";
import type { Choice, Search } from "./search.ts";

/** Adds the requirement that a schema holds, or does not hold. Returns false if it contradicts the shape. */
export function addSchema(
  search: Search,
  shape: Shape,
  { formula, todo, choices }: { formula: Extract<Formula, { op: "schema" }>; todo: Formula[]; choices: Choice[] },
): boolean {
  const { model } = search;
  const node = nodeAt(model, formula.node);
  const { focus, sign } = formula;
  if (node.always !== undefined) {
    const isBroken = focus?.steps.length === 0 && "break" in focus.end && focus.end.break === node.location;
    return node.always === sign || isBroken;
  }
  const scope = scopeInside(model, node, formula.scope);
  if (focus === undefined) {
    const key = `${formula.node}${scopeKey(scope)}`;
    const knownSign = findKnownSign(shape, key);
    if (knownSign === sign && formula.into === undefined) return true;
    if (knownSign !== undefined && knownSign !== sign) return false;
    shape.judged.own.set(key, sign);
  }
  const { dependent: dependentKeywords, independent: independentKeywords } = keywordsOf(node);
  if (!sign) {
    const denyContext = new DenyContext(model, node.location, scope);
    todo.push({
      op: "or",
      of: [...independentKeywords, ...dependentKeywords]
        .map((keyword) => handlerOf(keyword).deny(keyword, denyContext))
        .flatMap((each) => (each.op === "or" ? each.of : [each])),
    });
    return true;
  }
  let into = formula.into ?? [];
  if (dependentKeywords.length > 0) {
    const id = shape.collectors.size;
    shape.collectors = new Map(shape.collectors).set(id, newCollector());
    into = [...into, id];
  }
  const construction: ShapeConstruction = { search, shape, scope, into, todo, choices };
  const [step, ...steps] = focus?.steps ?? [];
  const end = step === undefined ? focus?.end : undefined;
  if (end !== undefined && "also" in end) todo.push(end.also);
  for (const keyword of node.keywords) {
    const handler = handlerOf(keyword);
    const brokenSite = end !== undefined && "break" in end ? siteAt(keyword, model, end.break) : undefined;
    if (brokenSite !== undefined && !handler.dependsOnOthers) {
      todo.push(handler.deny(keyword, new DenyContext(model, node.location, scope, brokenSite.entry)));
      continue;
    }
    const keywordFocus =
      focus !== undefined && step?.site === keyword.site
        ? { key: step.key, focus: { steps, end: focus.end } }
        : undefined;
    if (!handler.assert(keyword, new AssertContext(construction, keywordFocus, brokenSite !== undefined))) return false;
  }
  return true;
}

interface Keywords {
  independent: readonly Keyword[];
  /** The keywords that depend on the evaluation of others. */
  dependent: readonly Keyword[];
}

const keywordsOfNodes = new WeakMap<Node, Keywords>();

/** Returns the keywords of a schema, cached by schema. */
function keywordsOf(node: Node): Keywords {
  let keywords = keywordsOfNodes.get(node);
  if (keywords === undefined) {
    const isLate = (keyword: Keyword) => handlerOf(keyword).dependsOnOthers === true;
    keywords = {
      independent: node.keywords.filter((keyword) => !isLate(keyword)),
      dependent: node.keywords.filter(isLate),
    };
    keywordsOfNodes.set(node, keywords);
  }
  return keywords;
}

function findKnownSign(shape: Shape, key: string): boolean | undefined {
  for (let layer: Shape["judged"] | undefined = shape.judged; layer !== undefined; layer = layer.outer) {
    const sign = layer.own.get(key);
    if (sign !== undefined) return sign;
  }
  return undefined;
}
