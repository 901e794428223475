import { isObject, type Json } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { sitesOf } from "../evaluate/sites.ts";
import { childrenOf } from "../keywords/table.ts";
import type { Model } from "../model/model.ts";
import type { AssertionCause } from "./cause.ts";
import type { Pairing } from "./pairs.ts";
import { isLifted, relaxModel } from "./relaxed-model.ts";
import { contentOf } from "./schema-contents.ts";

const wholeAssertion = (): undefined => undefined;

const maxFailures = 500;

/**
 * Finds why a model refuses a message: one assertion without which the message is accepted, or else a small set of them. Assertions that the old
 * model lacks come first, and inner ones before outer ones.
 */
export function causesOf(model: Model, oldModel: Model, { oldLocations }: Pairing, message: Json): AssertionCause[] {
  const failing = failuresOf(model, message);
  const newCauses = new Set(failing.filter((assertionCause) => isNew(oldModel, oldLocations, assertionCause)));
  const ordered = [
    ...failing.filter((assertionCause) => newCauses.has(assertionCause)),
    ...failing.filter((assertionCause) => !newCauses.has(assertionCause)),
  ];
  const single = ordered.find(({ site }) => isValid(model, message, { without: site }));
  if (single !== undefined) return failing.filter(({ site }) => site === single.site);
  return (
    [[...newCauses], ordered]
      .map((causes) => necessaryCauses(model, oldModel, causes, message))
      .find((necessary) => necessary.length > 0) ?? []
  );
}

/** Lists the failing assertions, innermost first. A keyword that only applies other schemas fails with them and is left out. */
function failuresOf(model: Model, message: Json): AssertionCause[] {
  const causes: AssertionCause[] = [];
  isValid(model, message, {
    observe(keyword, at, value, holds, { location: node }) {
      if (holds || causes.length >= maxFailures || isLifted(node)) return;
      const sites = sitesOf(keyword, model);
      const falseSchemas =
        sites.length > 0 ? [] : childrenOf(keyword).filter((child) => model.nodes.get(child)?.always === false);
      for (const child of falseSchemas) causes.push({ site: child, node: child, at, value });
      for (const { location: site, entry } of sites) {
        const name = keyword.kind === "required" ? keyword.names[entry as number] : undefined;
        if (name !== undefined && isObject(value) && Object.hasOwn(value, name)) continue;
        causes.push({ site, keyword, node, at, value, ...(name === undefined ? {} : { name }) });
      }
    },
  });
  return causes;
}

/** Whether the old schema at the same place lacks an equal assertion. */
function isNew(
  oldModel: Model,
  oldLocations: Pairing["oldLocations"],
  { keyword, node, name }: AssertionCause,
): boolean {
  const oldLocation = oldLocations.get(node);
  const oldKeywords = oldLocation === undefined ? [] : (oldModel.nodes.get(oldLocation)?.keywords ?? []);
  if (keyword === undefined) return oldLocation === undefined || oldModel.nodes.get(oldLocation)?.always !== false;
  return !oldKeywords.some((oldKeyword) =>
    name === undefined
      ? contentOf(oldKeyword).text === contentOf(keyword).text
      : oldKeyword.kind === "required" && oldKeyword.names.includes(name),
  );
}

/** Lists the causes that must be lifted together for the message to be accepted; empty if even lifting all of them is not enough. */
function necessaryCauses(
  model: Model,
  oldModel: Model,
  causes: readonly AssertionCause[],
  message: Json,
): AssertionCause[] {
  const isEnough = (liftedCauses: readonly AssertionCause[]): boolean =>
    isValid(relaxModel(model, liftedCauses, oldModel, wholeAssertion), message);
  if (causes.length === 0 || !isEnough(causes)) return [];
  let remaining = [...causes];
  for (const cause of causes) {
    const otherCauses = remaining.filter((assertionCause) => assertionCause !== cause);
    if (isEnough(otherCauses)) remaining = otherCauses;
  }
  return remaining;
}
