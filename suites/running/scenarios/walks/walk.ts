import type fc from "fast-check";
import { type Detour, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { Divergence, type Must, type WalkModel } from "./model.ts";
import { stepsOf } from "./steps.ts";

export interface WalkOptions {
  seed: number;
  /** The number of walks. */
  walks: number;
  /** The number of the first walk, to repeat it alone. */
  first?: number | undefined;
}

/** The maximum number of repetitions while one walk is shortened. */
const maxRepetitions = 300;
/** Milliseconds that a scenario may last in addition to its walks. */
const baseMs = 60_000;

/** Creates a scenario of random walks that compare a party with its model. Findings are also listed in `detours`, one for each rule. */
export function walksOf<State, Step>(
  model: WalkModel<State, Step>,
  { seed, walks, first = 0 }: WalkOptions,
): { scenario: Scenario; detours: Detour[] } {
  const detours: Detour[] = [];
  const scenario: Scenario = {
    ...scenarioOf(model, "walks", walks),
    async play(context) {
      const judgedRules = new Set<string>();
      const lacks: WalkLack[] = [];
      for (let index = first; index < first + walks; index++) {
        const knownRules = detours.map(({ rule }) => rule);
        const detour = await findDetour(context, model, { seed, index, judged: judgedRules, lacks, known: knownRules });
        if (detour !== undefined) {
          detours.push(detour);
          await reportDetour(context, model, detour);
        }
      }
      // One walk may need a missing hook, while others continue without it.
      if (judgedRules.size === 0 && lacks[0] !== undefined) throw lacks[0].error;
      for (const rule of model.rules.filter((rule) => !detours.some((detour) => detour.rule === rule)))
        if (judgedRules.has(rule)) context.expect(rule, true, "");
        else context.skip(rule, unjudgedText(lacks));
    },
  };
  return { scenario, detours };
}

/** Creates a scenario that plays the given steps as a single walk. */
export function walkAlong<State, Step>(model: WalkModel<State, Step>, steps: readonly Step[]): Scenario {
  return {
    ...scenarioOf(model, "walk", steps.length),
    async play(context) {
      const judgedRules = new Set<string>();
      const divergence = await playAlong(context, model, steps, { judged: judgedRules });
      if (divergence !== undefined)
        context.expect(divergence.rule, false, whyOf(divergence.message, divergence.taken.map(model.textOf)));
      for (const rule of model.rules.filter((rule) => rule !== divergence?.rule))
        if (judgedRules.has(rule)) context.expect(rule, true, "");
        else context.skip(rule, unjudgedText([]));
    },
  };
}

/** A walk that could not be completed, and the reason. */
interface WalkLack {
  index: number;
  error: TargetSkip;
}

/** Explains why no walk judges a rule. */
function unjudgedText([firstLack, ...otherLacks]: readonly WalkLack[]): string {
  const unshownText = "no step of the walk shows it";
  if (firstLack === undefined) return unshownText;
  const sameLacks = otherLacks.filter(({ error }) => error.message === firstLack.error.message);
  const walks = [firstLack, ...sameLacks].map(({ index }) => index).join(", ");
  return `${unshownText}; walk ${walks} ended early: ${firstLack.error.message}`;
}

function scenarioOf<State, Step>(
  { says, side, rules, needs, eachMs }: WalkModel<State, Step>,
  name: "walk" | "walks",
  times: number,
): Omit<Scenario, "play"> {
  return {
    name,
    kind: "walk",
    rules,
    needs,
    withinMs: baseMs + times * eachMs,
    says: `${says}, on ${name === "walk" ? "one walk" : `${times} random walks`}`,
    ...(side === undefined ? {} : { side }),
  };
}

/** Repeats a detour, so that the last recorded exchanges are its own, and reports the broken rule. */
async function reportDetour<State, Step>(
  context: ScenarioContext,
  model: WalkModel<State, Step>,
  { rule, why, steps, index, path }: Detour,
): Promise<void> {
  const replayed = await playAlong(context, model, stepsOf(model, steps.join(";")), { judged: new Set() });
  const isSame = replayed?.rule === rule;
  context.expect(
    rule,
    false,
    `${whyOf(isSame ? replayed.message : why, steps)} (walk ${index}, path ${path})${isSame ? "" : ", not every time"}`,
  );
}

function whyOf(why: string, steps: readonly string[]): string {
  return `after ${steps.join("; ")}: ${why}`;
}

async function playAlong<State, Step>(
  context: ScenarioContext,
  model: WalkModel<State, Step>,
  steps: readonly Step[],
  { judged, isAgain = false }: { judged: Set<string>; isAgain?: boolean },
): Promise<{ rule: string; message: string; taken: Step[] } | undefined> {
  const takenSteps: Step[] = [];
  const must = mustOf(judged);
  const state = await model.begin(context, isAgain);
  try {
    for (const step of steps) {
      const fittedStep = model.fitted(state, step);
      if (fittedStep === undefined) continue;
      takenSteps.push(fittedStep);
      await model.take(context, state, fittedStep, must);
    }
    await model.finish?.(context, state, must);
    return undefined;
  } catch (error) {
    if (error instanceof Divergence) return { rule: error.rule, message: error.message, taken: takenSteps };
    throw error;
  } finally {
    await model.tidy(context, state).catch(() => {});
  }
}

function mustOf(judgedRules: Set<string>, passedRules: readonly string[] = []): Must {
  return (rule, holds, why) => {
    judgedRules.add(rule);
    if (!holds && !passedRules.includes(rule)) throw new Divergence(rule, why);
  };
}

interface WalkAttempt {
  seed: number;
  index: number;
  judged: Set<string>;
  lacks: WalkLack[];
  known: readonly string[];
}

/** The outcome of one walk: the model's state, and the steps. */
interface WalkOutcome<State, Step> {
  state: State;
  taken: Step[];
}

/** Plays the walk with that index, and shortens it if the party differs from the model. Undefined if it does not differ, or if the broken rule is already known. */
async function findDetour<State, Step>(
  context: ScenarioContext,
  model: WalkModel<State, Step>,
  { seed, index, judged, lacks, known: knownRules }: WalkAttempt,
): Promise<Detour | undefined> {
  const { default: fc } = await import("fast-check");
  let detour: Omit<Detour, "path"> | undefined;
  let firstError: { error: unknown } | undefined;
  let repetitionsLeft = maxRepetitions;
  const must = mustOf(
    judged,
    knownRules.filter((rule) => model.lasting?.includes(rule)),
  );

  const walk = async (
    commands: Iterable<fc.AsyncCommand<WalkOutcome<State, Step>, ScenarioContext>>,
  ): Promise<boolean> => {
    if (firstError !== undefined || repetitionsLeft-- <= 0) return true;
    const outcome: Partial<WalkOutcome<State, Step>> & { taken: Step[] } = { taken: [] };
    try {
      outcome.state = await model.begin(context, detour !== undefined);
      await fc.asyncModelRun(() => ({ model: outcome as WalkOutcome<State, Step>, real: context }), commands);
      await model.finish?.(context, outcome.state, must);
      return true;
    } catch (error) {
      if (error instanceof TargetSkip) {
        if (detour === undefined) lacks.push({ index, error });
      } else if (!(error instanceof Divergence)) firstError = { error };
      else if (!knownRules.includes(error.rule) && (detour === undefined || detour.rule === error.rule)) {
        detour = { rule: error.rule, why: error.message, steps: outcome.taken.map(model.textOf), index };
        return false;
      }
      return true;
    } finally {
      if (outcome.state !== undefined) await model.tidy(context, outcome.state).catch(() => {});
    }
  };

  const steps = model.steps(fc, context).map((step) => commandOf(model, step, must));
  const commands = fc.commands([steps], { maxCommands: model.longest, size: "+1", disableReplayLog: true });
  const options = { seed, path: String(index), numRuns: 1 };
  const { counterexamplePath } = await fc.check(fc.asyncProperty(commands, walk), options);
  if (firstError !== undefined) throw (firstError as { error: unknown }).error;
  if (detour === undefined) return undefined;
  return { ...(await shortenWalk(context, model, detour as Omit<Detour, "path">)), path: counterexamplePath ?? "" };
}

/** Removes unneeded steps: fast-check keeps the last step of a failing walk as if it were the cause. */
async function shortenWalk<State, Step>(
  context: ScenarioContext,
  model: WalkModel<State, Step>,
  detour: Omit<Detour, "path">,
): Promise<Omit<Detour, "path">> {
  if (model.finish === undefined) return detour;
  let shortest = detour;
  for (let index = detour.steps.length - 1; index >= 0; index--) {
    const steps = shortest.steps.filter((_, otherIndex) => otherIndex !== index);
    const replayed = await playAlong(context, model, stepsOf(model, steps.join(";")), {
      judged: new Set(),
      isAgain: true,
    });
    if (replayed?.rule !== detour.rule) continue;
    shortest = { ...detour, why: replayed.message, steps: replayed.taken.map(model.textOf) };
  }
  return shortest;
}

function commandOf<State, Step>(
  model: WalkModel<State, Step>,
  step: Step,
  must: Must,
): fc.AsyncCommand<WalkOutcome<State, Step>, ScenarioContext> {
  return {
    check: ({ state }) => model.fitted(state, step) !== undefined,
    async run({ state, taken }, context) {
      const fittedStep = model.fitted(state, step) ?? step;
      taken.push(fittedStep);
      await model.take(context, state, fittedStep, must);
    },
    toString: () => model.textOf(step),
  };
}
