import type fc from "fast-check";
import type { Detour, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { cancel, resolve } from "../steps.ts";
import { Divergence, fitted, type Kept, type Model } from "./model.ts";
import { stepsIn, textOf, types, type WalkStep, words } from "./step.ts";
import { take } from "./take.ts";

export interface WalkOptions {
  seed: number;
  /** How many walks. */
  walks: number;
  /** The first one, to repeat it alone. */
  first?: number | undefined;
}

/** The rules that the model knows. */
const rules = [
  ...["AHCP-IDM-001", "AHCP-IDM-002", "AHCP-IDM-003", "AHCP-IDM-005", "AHCP-IDM-013"],
  ...["AHCP-LIF-001", "AHCP-LIF-002", "AHCP-LIF-005", "AHCP-LIF-008", "AHCP-TSK-005"],
  ...["AHCP-CAN-001", "AHCP-CAN-002", "AHCP-CAN-003", "AHCP-CAN-004", "AHCP-CAN-005"],
  ...["AHCP-EXP-004", "AHCP-EXP-006", "AHCP-EXP-007", "AHCP-EXP-008", "AHCP-EXP-009"],
  ...["AHCP-DUR-001", "AHCP-DUR-002", "AHCP-DUR-003", "AHCP-DUR-005", "AHCP-DUR-006"],
];

/** Steps of a walk at most, and of repetitions of one walk while it is made shorter. */
const longest = 30;
const mostRepetitions = 300;

/** Walks a hub at random along a model of it. What is found is told in `detours` too, one for each rule. */
export function walksOf({ seed, walks, first = 0 }: WalkOptions): { scenario: Scenario; detours: Detour[] } {
  const detours: Detour[] = [];
  const scenario: Scenario = {
    name: "walks",
    kind: "walk",
    says: `a hub does as a model of it, on ${walks} random walks`,
    rules,
    needs: [],
    withinMs: 60_000 + walks * 3000,
    async play(stage) {
      const judged = new Set<string>();
      for (let index = first; index < first + walks; index++) {
        const found = await detourOn(stage, { seed, index, judged, known: detours.map(({ rule }) => rule) });
        if (found !== undefined) {
          detours.push(found);
          await tell(stage, found);
        }
      }
      for (const rule of judged) if (!detours.some((detour) => detour.rule === rule)) stage.expect(rule, true, "");
    },
  };
  return { scenario, detours };
}

/** Takes steps that somebody wrote down. */
export function walkAlong(steps: readonly WalkStep[]): Scenario {
  return {
    name: "walk",
    kind: "walk",
    says: "a hub does as a model of it, on one walk",
    rules,
    needs: [],
    withinMs: 60_000 + steps.length * 3000,
    async play(stage) {
      const judged = new Set<string>();
      const diverged = await along(stage, steps, judged);
      if (diverged !== undefined)
        stage.expect(diverged.rule, false, whyOf(diverged.message, diverged.taken.map(textOf)));
      for (const rule of judged) if (rule !== diverged?.rule) stage.expect(rule, true, "");
    },
  };
}

/** Repeats it, so that its exchanges are the last that were seen, and says what came of it. */
async function tell(stage: ScenarioContext, { rule, why, steps, index, path }: Detour): Promise<void> {
  const again = await along(stage, steps.flatMap(stepsIn), new Set());
  const isSame = again?.rule === rule;
  stage.expect(
    rule,
    false,
    `${whyOf(isSame ? again.message : why, steps)} (walk ${index}, path ${path})${isSame ? "" : ", not every time"}`,
  );
}

function whyOf(why: string, steps: readonly string[]): string {
  return `after ${steps.join("; ")}: ${why}`;
}

async function along(
  stage: ScenarioContext,
  steps: readonly WalkStep[],
  judged: Set<string>,
): Promise<{ rule: string; message: string; taken: WalkStep[] } | undefined> {
  const model: Model = { kept: [], taken: [] };
  try {
    for (const step of steps) {
      const fitting = fitted(model, step);
      if (fitting !== undefined) await take(stage, model, fitting, mustOf(judged));
    }
    return undefined;
  } catch (error) {
    if (error instanceof Divergence) return { rule: error.rule, message: error.message, taken: model.taken };
    throw error;
  } finally {
    await tidy(stage, model.kept);
  }
}

function mustOf(judged: Set<string>): (rule: string, holds: boolean, why: string) => void {
  return (rule, holds, why) => {
    judged.add(rule);
    if (!holds) throw new Divergence(rule, why);
  };
}

/** Ends what is still open: hubs bound how much that may be. It says nothing about any rule. */
async function tidy(stage: ScenarioContext, kept: readonly Kept[]): Promise<void> {
  try {
    for (const { id, type, status } of kept) {
      if (status !== "open") continue;
      if (type === "ask") await cancel(stage, id);
      else if (type === "task" && stage.has("resolve")) await resolve(stage, id, { resolution: "dismissed" });
    }
  } catch {}
}

interface One {
  seed: number;
  index: number;
  judged: Set<string>;
  known: readonly string[];
}

/** The shortest walk that leaves the model as the one of that index does, unless for a rule that is known to be broken. */
async function detourOn(stage: ScenarioContext, { seed, index, judged, known }: One): Promise<Detour | undefined> {
  const { default: fc } = await import("fast-check");
  let found: Omit<Detour, "path"> | undefined;
  let ended: { error: unknown } | undefined;
  let left = mostRepetitions;

  const walk = async (commands: Iterable<fc.AsyncCommand<Model, ScenarioContext>>): Promise<boolean> => {
    if (ended !== undefined || left-- <= 0) return true;
    const model: Model = { kept: [], taken: [] };
    try {
      await fc.asyncModelRun(() => ({ model, real: stage }), commands);
      return true;
    } catch (error) {
      if (!(error instanceof Divergence)) ended = { error };
      else if (!known.includes(error.rule) && (found === undefined || found.rule === error.rule)) {
        found = { rule: error.rule, why: error.message, steps: model.taken.map(textOf), index };
        return false;
      }
      return true;
    } finally {
      await tidy(stage, model.kept);
    }
  };

  const steps = stepsFor(fc, stage).map((step) => commandOf(step, judged));
  const commands = fc.commands([steps], { maxCommands: longest, size: "+1", disableReplayLog: true });
  const options = { seed, path: String(index), numRuns: 1 };
  const { counterexamplePath } = await fc.check(fc.asyncProperty(commands, walk), options);
  if (ended !== undefined) throw (ended as { error: unknown }).error;
  return found === undefined ? undefined : { ...(found as Omit<Detour, "path">), path: counterexamplePath ?? "" };
}

function commandOf(step: WalkStep, judged: Set<string>): fc.AsyncCommand<Model, ScenarioContext> {
  return {
    check: (model) => fitted(model, step) !== undefined,
    run: (model, stage) => take(stage, model, fitted(model, step) ?? step, mustOf(judged)),
    toString: () => textOf(step),
  };
}

/** Steps at random, as far as the hooks go. */
function stepsFor(fast: typeof fc, stage: ScenarioContext): fc.Arbitrary<WalkStep> {
  const of = fast.nat({ max: 3 });
  const type = fast.constantFrom(...types);
  const hasClock = stage.has("clock");
  const due = hasClock ? fast.boolean() : fast.constant(false);
  const submit = fast
    .tuple(type, due)
    .map(([type, isDue]): WalkStep => ({ do: "submit", type, ...(isDue && type !== "notify" ? { due: true } : {}) }));
  const one = (
    name: Extract<WalkStep, { of: number }>["do"] & ("replay" | "rerun" | "alter" | "poll" | "cancel" | "steal"),
  ) => of.map((index): WalkStep => ({ do: name, of: index }));
  const resolving = fast
    .tuple(of, fast.constantFrom(...words))
    .map(([index, word]): WalkStep => ({ do: "resolve", of: index, word }));
  const optional: fc.MaybeWeightedArbitrary<WalkStep>[] = [
    ...(stage.has("resolve") ? [{ weight: 5, arbitrary: resolving }] : []),
    ...(stage.has("second-credential") ? [{ weight: 1, arbitrary: one("steal") }] : []),
    ...(hasClock ? [{ weight: 2, arbitrary: fast.constant<WalkStep>({ do: "expire" }) }] : []),
    ...(stage.has("restart") ? [{ weight: 1, arbitrary: fast.constant<WalkStep>({ do: "restart" }) }] : []),
  ];
  return fast.oneof(
    { weight: 5, arbitrary: submit },
    { weight: 2, arbitrary: one("replay") },
    { weight: 1, arbitrary: one("rerun") },
    { weight: 2, arbitrary: one("alter") },
    { weight: 1, arbitrary: one("poll") },
    { weight: 3, arbitrary: one("cancel") },
    ...optional,
  );
}
