import type { LiveChoice, LiveReference, LiveVariant, Protocol, Scenario } from "../../../schemas/index.ts";
import { playableVariants } from "../scenarios/selftest.ts";
import { sidesOf } from "../scenarios/sides.ts";
import { type Cell, type HookSet, isIn } from "./cell.ts";
import { type Factor, factorsOf } from "./choices.ts";

/** The cells of the matrix. */
export interface Matrix {
  /** Cells that differ in one factor from the plain cell, which has all hooks and no choice. */
  single: Cell[];
  /** Cells that cover every pair of values of any two factors other than the variant. */
  pairs: Cell[];
  /** Cells with one changed factor in which nothing is broken, because the choice replaces the wrong decision or a hook that the mistake needs is missing. They are not played. */
  moot: Cell[];
}

/** Returns the matrix of earned conformance. It combines each broken party that scenarios can detect with each set of hooks, with each choice, and with a covering array of pairs of these. The broken parties of a side share the rows of its array. */
export async function matrixOf(
  protocol: Protocol,
  live: LiveReference,
  scenarios: readonly Scenario[],
): Promise<Matrix> {
  const pairs = await Promise.all(partiesBySide(protocol, live, scenarios).map(pairsOf));
  return { ...singleCells(protocol, live, scenarios), pairs: pairs.flat() };
}

/** Returns the cells that differ in one factor from the plain cell. They do not need a covering array. */
export function singleCells(
  protocol: Protocol,
  live: LiveReference,
  scenarios: readonly Scenario[],
): Pick<Matrix, "single" | "moot"> {
  const singles: Cell[] = [];
  const moot: Cell[] = [];
  for (const { variants, factors, sets, lacksNeededHook } of partiesBySide(protocol, live, scenarios))
    for (const variant of variants) {
      for (const hooks of sets)
        (lacksNeededHook(hooks, variant) ? moot : singles).push({ variant, hooks, choices: [] });
      for (const choice of factors.flatMap((factor) => factor.choices))
        (isMoot(choice, variant) ? moot : singles).push({ variant, hooks: "all", choices: [choice.name] });
    }
  return { single: singles, moot };
}

/** The broken parties of one side, and their factors. */
interface MatrixSide {
  variants: LiveVariant[];
  factors: Factor[];
  sets: HookSet[];
  /** Whether a set lacks a hook that the party's mistake needs. */
  lacksNeededHook(setIndex: HookSet, variant: LiveVariant): boolean;
}

function partiesBySide(protocol: Protocol, live: LiveReference, scenarios: readonly Scenario[]): MatrixSide[] {
  const [usualSide] = sidesOf(protocol);
  const bySide = new Map<string | undefined, LiveVariant[]>();
  for (const variant of playableVariants(live, scenarios)) {
    const side = variant.side ?? usualSide;
    bySide.set(side, [...(bySide.get(side) ?? []), variant]);
  }
  return [...bySide].map(([side, variants]) => ({
    variants,
    factors: factorsOf(protocol, live, side),
    sets: hookSetsOf(protocol, side),
    lacksNeededHook: (setIndex, { withHooks = [] }) =>
      withHooks.some((hook) => !isIn(setIndex, hook, live.shownHooks?.[side ?? ""] ?? [])),
  }));
}

function isMoot({ moots = [] }: LiveChoice, { name }: LiveVariant): boolean {
  return moots.includes(name);
}

/** Returns the sets of hooks of a side: all, none, those shown in the guide, and all but each one. */
function hookSetsOf({ profile }: Protocol, side: string | undefined): HookSet[] {
  const hooks = Object.keys(profile.sides?.[side ?? ""]?.hooks ?? {});
  return ["all", "none", "shown", ...hooks.map((missingHook) => ({ without: missingHook }))];
}

/** Loads the generator of covering arrays. Node exposes the exports of this CommonJS package only as its default export; other tools expose them by name as well. */
async function loadMake(): Promise<typeof import("covertable").make> {
  const module = await import("covertable");
  return "make" in module ? module.make : (module as { default: typeof import("covertable") }).default.make;
}

async function pairsOf({ variants, sets, factors, lacksNeededHook }: MatrixSide): Promise<Cell[]> {
  if (factors.length === 0) return [];
  const make = await loadMake();
  const noChoice = "";
  const allChoices = factors.flatMap(({ choices }) => choices);
  const rows = make([
    [...sets.keys()],
    ...factors.map(({ choices }) => [noChoice, ...choices.map(({ name }) => name)]),
  ] as (number | string)[][]);
  return Array.from({ length: Math.max(rows.length, variants.length) }, (_, index): Cell => {
    const [set, ...chosenNames] = rows[index % rows.length] as [number, ...string[]];
    const variant = variants[index % variants.length] as LiveVariant;
    const isAllowed = (name: string): boolean =>
      !allChoices.some((liveChoice) => liveChoice.name === name && isMoot(liveChoice, variant));
    const hooks = sets[set] as HookSet;
    return {
      variant,
      hooks: lacksNeededHook(hooks, variant) ? "all" : hooks,
      choices: chosenNames.filter((choice) => choice !== noChoice && isAllowed(choice)),
    };
  });
}

/** Draws this many cells by a seed, and keeps their order; returns all cells if there are not more. */
export async function sampleOf(cells: readonly Cell[], count: number, seed: number): Promise<Cell[]> {
  if (count >= cells.length) return [...cells];
  const fc = await import("fast-check");
  const [chosenCells = []] = fc.sample(fc.subarray([...cells], { minLength: count, maxLength: count }), {
    seed,
    numRuns: 1,
  });
  return chosenCells;
}
