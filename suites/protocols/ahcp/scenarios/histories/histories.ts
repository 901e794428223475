import type { Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { playDeadline, wrongLate } from "./deadline.ts";
import { type Draw, type Part, roundsOf } from "./draw.ts";
import { controls, ending, partsOf, reading, withdrawing } from "./families.ts";
import { type Breach, breachIn, wrongAlone } from "./judge.ts";
import { Recorder } from "./recorder.ts";
import { restarts } from "./restarts.ts";

export interface HistoryOptions {
  /** Decides who does what when. */
  seed: number;
  /** How many histories of each kind. */
  rounds: number;
}

/** Several agents and operators act at once; what they saw must have some order in which one hub could have said it. */
export function historiesOf({ seed, rounds }: HistoryOptions): Scenario[] {
  const withinMs = 60_000 + rounds * 10_000;
  return [
    {
      name: "race-history-keys",
      kind: "race",
      says: "submits at once under few keys are as if one came after the other",
      rules: ["AHCP-IDM-007", "AHCP-IDM-008"],
      needs: [],
      withinMs,
      async play(stage) {
        const draw = { seed, rounds, asks: 3, spread: 3, pause: 4 };
        const equal = partsOf(stage, ["submit"], [], 3);
        await judged(stage, "AHCP-IDM-007", controls.equal, histories(stage, equal, draw));
        const different = partsOf(stage, ["other"], [], 3);
        await judged(stage, "AHCP-IDM-008", controls.different, histories(stage, different, draw));
      },
    },
    {
      name: "race-history-outcomes",
      kind: "race",
      says: "what agents and operators do at once with several asks is as if one came after the other",
      rules: ["AHCP-LIF-003", "AHCP-CAN-007", "AHCP-LIF-004"],
      needs: ["resolve"],
      withinMs,
      play: (stage) => outcomes(stage, { seed, rounds }),
    },
    restarts({ seed, rounds: Math.max(1, Math.ceil(rounds / 3)) }),
  ];
}

async function outcomes(stage: ScenarioContext, { seed, rounds }: HistoryOptions): Promise<void> {
  const draw = { seed, rounds, asks: 3, spread: 6, pause: 6 };
  const answers = partsOf(stage, reading, ending);
  const isSound = await judged(stage, "AHCP-LIF-003", controls.answers, histories(stage, answers, draw));
  if (!isSound) {
    for (const rule of ["AHCP-CAN-007", "AHCP-LIF-004"])
      stage.skip(rule, "answers alone are in no order already, so that this tells no more");
    return;
  }
  const both = partsOf(stage, withdrawing, ending);
  await judged(stage, "AHCP-CAN-007", controls.cancels, histories(stage, both, { ...draw, seed: seed + 1 }));
  if (!stage.has("clock")) return stage.skip("AHCP-LIF-004", 'needs the hook "clock"');
  const due = { ...draw, seed: seed + 2, spread: 60, pause: 15 };
  const late = await wrongLate(stage);
  if (late !== undefined) return stage.skip("AHCP-LIF-004", late);
  await judged(stage, "AHCP-LIF-004", [], playDeadline(stage, answers, due));
}

/** Histories of asks that are there before, unless submitting them is what is done. */
async function* histories(stage: ScenarioContext, parts: readonly Part[], draw: Draw): AsyncGenerator<Recorder> {
  const isSubmitted = parts.some(({ acts }) => !acts.includes("submit") && !acts.includes("other"));
  for (const round of await roundsOf(parts, draw)) {
    const recorder = new Recorder(stage, draw.asks);
    if (isSubmitted) await recorder.submitAll();
    await recorder.play(parts, round);
    await recorder.readAll();
    await recorder.readAll();
    yield recorder;
    await recorder.tidy();
  }
}

/** Says of a rule whether it holds in all histories, and ends with the first in which it does not. */
async function judged(
  stage: ScenarioContext,
  rule: string,
  alone: Parameters<typeof wrongAlone>[1],
  played: AsyncIterable<Recorder>,
): Promise<boolean> {
  const wrong = await wrongAlone(stage, alone);
  if (wrong !== undefined) {
    stage.skip(rule, wrong);
    return false;
  }
  for await (const recorder of played) {
    const breach = told(recorder);
    if (breach === "undecided") stage.skip(rule, "a history is too long to be decided");
    else stage.expect(rule, breach === undefined, breach?.why ?? "");
    if (breach !== undefined && breach !== "undecided") return false;
  }
  return true;
}

/** Throws a TargetFailure when nothing was taken: nothing is shown then. */
function told(recorder: Recorder): Breach | "undecided" | undefined {
  recorder.mustHaveTaken();
  return breachIn(recorder.operations);
}
