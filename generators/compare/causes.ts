import { isObject, type Json } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { childrenOf } from "../keywords/table.ts";
import type { Model } from "../model/model.ts";
import type { Cause } from "./cause.ts";
import type { Pairing } from "./pairs.ts";
import { isLifted, relaxModel } from "./relaxed-model.ts";
import { contentOf } from "./schema-contents.ts";

const whole = (): undefined => undefined;

const most = 500;

/**
 * Why a model refuses a message: one assertion without which it is accepted, if there is one, or else as few as are found. Causes that the
 * old model does not have come first, and the innermost of these before the others.
 */
export function causesOf(model: Model, old: Model, { olds }: Pairing, message: Json): Cause[] {
  const failing = failuresOf(model, message);
  const news = new Set(failing.filter((each) => isNew(old, olds, each)));
  const ordered = [...failing.filter((each) => news.has(each)), ...failing.filter((each) => !news.has(each))];
  const alone = ordered.find(({ site }) => isValid(model, message, { without: site }));
  if (alone !== undefined) return failing.filter(({ site }) => site === alone.site);
  return [[...news], ordered].map((some) => least(model, old, some, message)).find((some) => some.length > 0) ?? [];
}

/** Assertions that fail, the innermost first. A keyword that only applies other schemas fails with them, and does not count. */
function failuresOf(model: Model, message: Json): Cause[] {
  const found: Cause[] = [];
  isValid(model, message, {
    observe(keyword, at, value, holds, { location: node }) {
      if (holds || found.length >= most || isLifted(node)) return;
      const sites = sitesOf(keyword, model);
      const never = sites.length > 0 ? [] : childrenOf(keyword).filter((to) => model.nodes.get(to)?.always === false);
      for (const child of never) found.push({ site: child, node: child, at, value });
      for (const { location: site, entry } of sites) {
        const name = keyword.kind === "required" ? keyword.names[entry as number] : undefined;
        if (name !== undefined && isObject(value) && Object.hasOwn(value, name)) continue;
        found.push({ site, keyword, node, at, value, ...(name === undefined ? {} : { name }) });
      }
    },
  });
  return found;
}

/** Whether no old schema at the same place says the same by itself. */
function isNew(old: Model, olds: Pairing["olds"], { keyword, node, name }: Cause): boolean {
  const at = olds.get(node);
  const twins = at === undefined ? [] : (old.nodes.get(at)?.keywords ?? []);
  if (keyword === undefined) return at === undefined || old.nodes.get(at)?.always !== false;
  return !twins.some((each) =>
    name === undefined
      ? contentOf(each).text === contentOf(keyword).text
      : each.kind === "required" && each.names.includes(name),
  );
}

/** The necessary ones among assertions that have to be lifted together. */
function least(model: Model, old: Model, causes: readonly Cause[], message: Json): Cause[] {
  const isEnough = (some: readonly Cause[]): boolean => isValid(relaxModel(model, some, old, whole), message);
  if (causes.length === 0 || !isEnough(causes)) return [];
  let left = [...causes];
  for (const cause of causes) {
    const others = left.filter((each) => each !== cause);
    if (isEnough(others)) left = others;
  }
  return left;
}
