import {
  type LiveVariant,
  type Outcome,
  type Result,
  type Scenario,
  type ScenarioFinding,
  type Setting,
  TargetSkip,
} from "../../../schemas/index.ts";
import { recordReads } from "../../packs/reference/reads.ts";
import { weighFinding } from "../scenarios/result.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide, sidesOf } from "../scenarios/sides.ts";
import type { TrialGround } from "./trial-ground.ts";

/** The configured hooks of a side: `all`, `none`, `shown` (those of the guide's configuration), or all but one. */
export type HookSet = "all" | "none" | "shown" | { without: string };

/** One cell of the matrix: a broken party, its hooks, and the choices that it makes in addition. */
export interface Cell {
  variant: LiveVariant;
  hooks: HookSet;
  choices: readonly string[];
}

export interface PlayedCell {
  name: string;
  rule: string;
  /** The outcome for the rule that the party breaks: the most serious of all scenarios of this rule. */
  outcome: Outcome;
  /** The reason for that outcome. */
  why?: string;
  /** Whether the result was copied from the plain cell, because its play used nothing that differs in this cell. */
  isAsPlain?: true;
}

/** Outcomes from the most to the least serious: first those that show a breach, then those that leave open whether the rule is kept. */
const outcomesByWeight: readonly Outcome[] = [
  "violates",
  "warns",
  "wrong-reason",
  "errored",
  "timed-out",
  "flaky",
  "disputed",
  "skipped",
  "conforms",
];

export function nameOf({ variant, hooks, choices }: Cell): string {
  const hookText = typeof hooks === "string" ? hooks : `all but ${hooks.without}`;
  return [variant.name, `hooks: ${hookText}`, ...choices].join(" | ");
}

/** Whether a cell violates the law of earned conformance: the broken rule is reported as kept. */
export function isUnearned({ outcome }: Pick<PlayedCell, "outcome">): boolean {
  return outcome === "conforms";
}

/** Scales the waits of a play, and real times in a reference. */
const timeScale = 0.3;

/** The outcomes of a play that broke down: the machine may have been too busy for scaled waits. */
const unansweredOutcomes: readonly Outcome[] = ["errored", "timed-out"];

/** The outcomes of a play that showed the breach; other outcomes may have a different cause, such as a busy machine. */
const breachOutcomes: readonly Outcome[] = ["violates", "warns"];

/** The scenario that showed the mistake of a variant, by the name of the variant. Other cells of the variant begin with this scenario. */
const tellingScenarios = new Map<string, string>();

/** The result of a play, and the hooks and choices that could have changed it. */
interface ObservedPlay extends Pick<Result, "outcome" | "why"> {
  hooksRead: ReadonlySet<string>;
  /** Whether the play reached a decision that this choice changes. */
  meets(choice: string): boolean;
}

/** The plays of plain cells, by the name of the variant. */
const plainPlays = new WeakMap<TrialGround, Map<string, Promise<ObservedPlay>>>();

function playPlain(ground: TrialGround, variant: LiveVariant, seed: number): Promise<ObservedPlay> {
  const plays = plainPlays.get(ground) ?? new Map<string, Promise<ObservedPlay>>();
  plainPlays.set(ground, plays);
  const key = `${seed} ${variant.name}`;
  const play = plays.get(key) ?? playWithRetry(ground, { variant, hooks: "all", choices: [] }, seed);
  plays.set(key, play);
  return play;
}

/** Plays the scenarios of the broken rule against one broken party until one shows the breach, because no later result outweighs that. Copies the result of the plain cell if its play used no hook that this cell lacks, and met none of this cell's choices. */
export async function playCell(ground: TrialGround, cell: Cell, seed: number): Promise<PlayedCell> {
  const { variant, hooks, choices } = cell;
  const plain = await playPlain(ground, variant, seed);
  const shown = shownHooksOf(ground, variant);
  const isPlain = hooks === "all" && choices.length === 0;
  const isAsPlain =
    breachOutcomes.includes(plain.outcome) &&
    [...plain.hooksRead].every((hook) => isIn(hooks, hook, shown)) &&
    !choices.some((choice) => plain.meets(choice));
  const { outcome, why } = isPlain || isAsPlain ? plain : await playWithRetry(ground, cell, seed);
  return {
    name: nameOf(cell),
    rule: variant.rule,
    outcome,
    ...(why === undefined ? {} : { why }),
    ...(isAsPlain && !isPlain ? { isAsPlain } : {}),
  };
}

/** Plays a cell, and again with unscaled waits if the play broke down. */
async function playWithRetry(ground: TrialGround, cell: Cell, seed: number): Promise<ObservedPlay> {
  const firstPlay = await playScaled(ground, cell, { seed, timeScale });
  return unansweredOutcomes.includes(firstPlay.outcome) ? playScaled(ground, cell, { seed, timeScale: 1 }) : firstPlay;
}

function shownHooksOf({ protocol, live }: TrialGround, { side }: LiveVariant): readonly string[] {
  return live.shownHooks?.[side ?? sidesOf(protocol)[0] ?? ""] ?? [];
}

async function playScaled(
  ground: TrialGround,
  cell: Cell,
  { seed, timeScale }: { seed: number; timeScale: number },
): Promise<ObservedPlay> {
  const { protocol, scenarios, live } = ground;
  const { variant, hooks, choices } = cell;
  const { name, rule, side, options = {} } = variant;
  const tellingName = tellingScenarios.get(name);
  const scenariosOfRule = ofSide(protocol, scenarios, side)
    .filter(({ rules }) => rules.includes(rule))
    .sort((a, b) => Number(b.name === tellingName) - Number(a.name === tellingName));
  const openOptions = { ...options, ...(side === undefined ? {} : { side }), variant: name, choices, timeScale };
  const { setting, close, meets = () => true } = await live.open(openOptions);
  try {
    const { hooks: fewerHooks = {} } = withHooks(setting, hooks, shownHooksOf(ground, variant));
    // Hooks are members of the prototype, so that the search for secrets, which lists own members, does not count as reading them.
    const { members: notedHooks, readNames: hooksRead } = recordReads<typeof fewerHooks>(Object.create(fewerHooks));
    const stopWhenShown = new AbortController();
    const knownRule = protocol.rules.find(({ id }) => id === rule);
    const usualOutcome = weighFinding({ rule, outcome: "violates" }, knownRule);
    let breach: Pick<Result, "outcome" | "why"> | undefined;
    const onFound = (scenario: Scenario, finding: ScenarioFinding): void => {
      if (breach !== undefined || finding.rule !== rule || finding.outcome !== "violates") return;
      const { outcome, why = "" } = weighFinding(finding, knownRule);
      if (outcome !== "violates" && outcome !== usualOutcome.outcome) return;
      breach = { outcome, why };
      tellingScenarios.set(name, scenario.name);
      stopWhenShown.abort(new TargetSkip("the breach is shown"));
    };
    const run = {
      protocol,
      scenarios: scenariosOfRule,
      setting: { ...setting, hooks: notedHooks, timeScale },
      seed,
      isTrial: true,
      signal: stopWhenShown.signal,
      onFound,
    };
    const results = await playScenarios(run);
    return { ...(breach ?? worstResult(results.filter((result) => result.rule === rule))), hooksRead, meets };
  } finally {
    await close();
  }
}

function withHooks(setting: Setting, set: HookSet, shown: readonly string[]): Setting {
  const { hooks = {} } = setting;
  return { ...setting, hooks: Object.fromEntries(Object.entries(hooks).filter(([hook]) => isIn(set, hook, shown))) };
}

/** Whether a set of hooks contains a hook; `shown` are those of the guide. */
export function isIn(set: HookSet, hook: string, shown: readonly string[]): boolean {
  if (set === "all" || set === "none") return set === "all";
  return set === "shown" ? shown.includes(hook) : hook !== set.without;
}

function worstResult(results: readonly Result[]): Pick<Result, "outcome" | "why"> {
  const [worst] = [...results].sort(
    (a, b) => outcomesByWeight.indexOf(a.outcome) - outcomesByWeight.indexOf(b.outcome),
  );
  return worst ?? { outcome: "skipped", why: "no scenario has a result for this rule" };
}
