import { type Change, isObject, type Json, pointer } from "../../schemas/index.ts";
import { patched } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { type Family, type FaultContext, type Proposal, replace } from "./fault.ts";

/** Larger arrays and objects than this are not published. */
export const mostPublished = 300;

/** Arrays and objects with one item or member too few or too many. */
export const count: Family = {
  name: "count",
  keywords: ["minItems", "maxItems", "minProperties", "maxProperties"],
  *propose(context) {
    const { keyword, at, value } = context;
    if (
      keyword.kind !== "minItems" &&
      keyword.kind !== "maxItems" &&
      keyword.kind !== "minProperties" &&
      keyword.kind !== "maxProperties"
    )
      return;
    const { kind, limit, site } = keyword;
    const few = kind.startsWith("min");
    const wanted = few ? limit - 1 : limit + 1;
    if (wanted < 0 || wanted > mostPublished) return;
    const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : -1;
    const change = few && size === limit ? shrink(at, value) : (repeated(context, wanted) ?? resize(context, wanted));
    if (change === undefined) return;
    const what = kind.endsWith("Items") ? "items" : "members";
    yield {
      fault: few ? `too-few-${what}` : `too-many-${what}`,
      site,
      at,
      change,
      says: `has ${wanted} ${what}, ${few ? "under the minimum" : "over the maximum"} of ${limit}`,
      tags: ["boundary"],
    } satisfies Proposal;
  },
};

function shrink(at: string, value: Json): Change[] | undefined {
  if (Array.isArray(value)) return [{ op: "remove", path: `${at}/${value.length - 1}` }];
  if (!isObject(value)) return undefined;
  const name = Object.keys(value).at(-1);
  return name === undefined ? undefined : [{ op: "remove", path: pointer.append(at, name) }];
}

/** So many of the items that there are: these keep the rules that no schema states, and made ones may not. Undefined where they have to differ. */
function repeated({ model, keyword, parent, at, value }: FaultContext, size: number): Change[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const items = Array.from({ length: size }, (_, index) => value[index % value.length] as Json);
  const data = patched(parent, replace(at, items));
  return data !== undefined && isValid(model, data, { without: keyword.site }) ? replace(at, items) : undefined;
}

/** The same value with exactly this many items or members. */
function resize({ keyword, at, value, solve }: FaultContext, size: number): Change[] | undefined {
  const items = keyword.kind.endsWith("Items");
  const exact = facet(items ? kinds.array : kinds.object, (shape) => {
    const part = items ? shape.array : shape.object;
    part.min = size;
    part.max = size;
  });
  const found = solve([exact], value);
  return found === undefined ? undefined : replace(at, found);
}
