import { nearestName } from "../nearest-name.ts";
import type { Extension } from "../protocol.ts";
import { namesOf, parentRules } from "./inherit.ts";
import { renamedData } from "./renaming.ts";
import { type PlacedRule, ruleFault } from "./rule-files.ts";

/** Members of a rule that belong together: an override with one of them replaces them all. */
const caseMembers = ["valid", "invalid", "disputed", "permits", "yaml", "about", "needs", "cases"] as const;

/** Whether an override has a check, and whether it has cases. */
export function overriddenParts(rule: PlacedRule): { check: boolean; cases: boolean } {
  return { check: rule.check !== undefined, cases: caseMembers.some((name) => rule[name] !== undefined) };
}

/**
 * The rules of a pack, with the kept parts of overridden rules. `placedInParent` are the parent's rules in files. Throws a usage error with file
 * and line for an override without an inherited rule, and for the id of an inherited rule without `overrides`.
 */
export function mergeOverrides(
  extension: Extension | undefined,
  ownRules: readonly PlacedRule[],
  placedInParent: readonly PlacedRule[],
): PlacedRule[] {
  const inherited = extension === undefined ? [] : parentRules(extension);
  const inheritedInFiles = extension === undefined ? [] : inheritedPlaced(extension, placedInParent, new Set());
  return ownRules.map((rule) => {
    const inheritedRule = inherited.find(({ id }) => id === rule.id);
    if (rule.overrides === undefined) {
      if (inheritedRule === undefined) return rule;
      const what = `${extension?.parent.name}, which the pack extends, has the rule ${rule.id}`;
      throw ruleFault(rule.family, rule.at, what, "add overrides: true to change it, or give another id");
    }
    if (inheritedRule === undefined) {
      const suggestion = nearestName(
        rule.id,
        inherited.map(({ id }) => id),
      );
      const what = `there is no rule ${rule.id} to override`;
      const hint =
        extension === undefined
          ? "the pack extends no other: leave overrides out"
          : `${suggestion}leave overrides out for a new rule`;
      throw ruleFault(rule.family, `${rule.at}/overrides`, what, hint);
    }
    const { document, scenarios } = inheritedInFiles.find(({ id }) => id === rule.id) ?? {};
    const { check, status, sites, ...kept } = inheritedRule;
    const hasNewCheck = rule.check !== undefined || rule.sites !== undefined || rule.scenarios !== undefined;
    const decided = rule.decided ?? (hasNewCheck ? undefined : check);
    const hasNewCoverage = rule.status !== undefined || hasNewCheck || overriddenParts(rule).cases;
    // Later members win: inherited parts first, then those of the override.
    return {
      ...kept,
      ...(sites === undefined ? {} : { sites }),
      ...(hasNewCoverage ? {} : { status }),
      ...(document === undefined ? {} : { document }),
      ...(scenarios === undefined ? {} : { scenarios }),
      ...rule,
      ...(decided === undefined ? {} : { decided }),
      statement: rule.statement === "" ? kept.statement : rule.statement,
    };
  });
}

/** The parent's rules from files, renamed for this pack, without overridden and removed rules and without scenarios in code. */
export function inheritedPlaced(
  extension: Extension,
  placedInParent: readonly PlacedRule[],
  own: ReadonlySet<string>,
): PlacedRule[] {
  const names = namesOf(extension);
  const toParent = names.back();
  const gone = new Set([...(extension.gone?.rules ?? [])]);
  return placedInParent
    .filter(({ id }) => !gone.has(id) && !own.has(names.id(id)))
    .map(({ family, at, scenarios: allScenarios = {}, ...rule }) => {
      const dataScenarios = Object.entries(allScenarios).filter(([, { play }]) => play === undefined);
      const scenarios = dataScenarios.length === 0 ? {} : { scenarios: Object.fromEntries(dataScenarios) };
      const { text } = family;
      const locate: typeof text.locate = (place) => text.locate(toParent.text(toParent.pointer(place)));
      return {
        ...renamedData({ ...rule, ...scenarios }, names),
        family: { ...family, text: { ...text, locate } },
        at: names.text(at),
      };
    });
}
