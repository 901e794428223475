import { asDoubles, type JsonObject } from "../../schemas/index.ts";
import { places } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sites } from "../evaluate/sites.ts";
import type { Location, Model } from "../model/model.ts";
import { mentions } from "../oracle/mentions.ts";
import { type Solution, solve } from "../solve/solve.ts";
import { ending, findBackwardReferences } from "./recursion.ts";
import { joinNames, relativeName } from "./relative-names.ts";

/** The reason for the schemas: if doubles represent other numbers, a proof covers only the numbers that are doubles. */
export function provenIn(schemas: readonly JsonObject[], why: string): string {
  if (!mentions(schemas, asDoubles)) return why;
  return why.replaceAll("(proven)", "(proven for numbers that doubles are)");
}

/** Why no value fulfils a schema, in words: the assertions that exclude each other. Undefined if that is not proven. */
export function whyNone(model: Model, at: Location = model.root): string | undefined {
  const whole = { ...model, root: at };
  if (!isNone(whole)) return undefined;
  const { kept, rest } = excludeNodes(whole);
  const names = kept.map((each) => relativeName(each, at));
  const endless = endlessBy(rest).map((each) => relativeName(each, at));
  if (endless.length > 0) {
    const by = names.length === 0 ? "" : `with ${joinNames(names)}, `;
    const leads = endless.length === 1 ? "leads" : "lead";
    return `: ${by}${joinNames(endless)} ${leads} back to a schema around it again and again, and no value is endless (proven)`;
  }
  if (names.length === 0) return "";
  if (isFalse(whole)) return ": it is `false`, or says the same (proven)";
  return `: ${joinNames(names)} ${names.length === 1 ? "refuses every value" : "exclude each other"} (proven)`;
}

/** References that alone make a schema unsatisfiable: each value would contain another of the kind, without end. */
function endlessBy(model: Model): Location[] {
  const back = findBackwardReferences(model);
  const isEnough = (some: readonly Location[]): boolean => isSome(ending(model, some));
  if (back.length === 0 || !isEnough(back)) return [];
  const one = back.slice(0, 20).find((each) => isEnough([each]));
  return one === undefined ? back.slice(0, 3) : [one];
}

/** Whether the schema only refuses everything, as a file that contains just `false` does. */
function isFalse({ nodes, root }: Model): boolean {
  const keywords = nodes.get(root)?.keywords ?? [];
  const [only] = keywords;
  if (keywords.length !== 1 || only?.kind !== "not") return false;
  const refused = nodes.get(only.node);
  return refused?.always !== false && refused?.keywords.length === 0;
}

/**
 * Assertions of a schema that no value fulfils which are enough for that: without all the others there is still none. Without the type
 * beside them, since the keywords beside a type are about its values.
 */
function excludeNodes(model: Model): { kept: Location[]; rest: Model } {
  const { kept: all, rest: narrow } = narrowModel(model, removableNodes(model));
  const [plain, types] = [false, true].map((isType) =>
    all.filter((each) => (keywordAt(model, each)?.kind === "type") === isType),
  ) as [Location[], Location[]];
  const nodes = new Set(plain.map((each) => keywordAt(model, each)?.node));
  const needed = types.filter((each) => !nodes.has(keywordAt(model, each)?.node));
  const said = all.filter((each) => plain.includes(each) || needed.includes(each));
  return { kept: said.length > 1 ? said : all, rest: narrow };
}

/** Assertions that only refuse, so that a schema accepts no less without them: not those below a keyword that counts matches. */
function removableNodes(model: Model): Location[] {
  const counting = new Set(["oneOf", "contains"]);
  const counted = new Set(
    places(model).flatMap(({ node, steps }) => (steps.some(({ kind }) => counting.has(kind)) ? [node] : [])),
  );
  return sites(model).flatMap(({ location }) =>
    counted.has(keywordAt(model, location)?.node ?? location) ? [] : [location],
  );
}

/** Removes as many at once as possible, beginning with the last: those nearer to the root say more, and removing an entry moves those after it. */
function narrowModel(model: Model, asked: readonly Location[]): { rest: Model; kept: Location[] } {
  const open = asked.reduceRight((rest, each) => withoutSite(rest, each)?.model ?? rest, model);
  if (isNone(open)) return { rest: open, kept: [] };
  if (asked.length < 2) return { rest: model, kept: [...asked] };
  const middle = asked.length >> 1;
  const far = narrowModel(model, asked.slice(middle));
  const near = narrowModel(far.rest, asked.slice(0, middle));
  return { rest: near.rest, kept: [...near.kept, ...far.kept] };
}

function isNone(model: Model): boolean {
  return "none" in solveModel(model);
}

function isSome(model: Model): boolean {
  return "found" in solveModel(model);
}

function solveModel(model: Model): Solution {
  return solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], { budget: 20_000 });
}
