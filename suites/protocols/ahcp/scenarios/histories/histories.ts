import { missingNeeds, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { findLateFault, playDeadline } from "./deadline.ts";
import { type Act, drawRounds, type HistoryDraw, type HistoryParty } from "./draw.ts";
import { cancellingActs, endingActs, partiesFor, readingActs, soloSequences } from "./families.ts";
import { findHistoryBreach, findSoloFault, type HistoryBreach } from "./judge.ts";
import { HistoryRecorder } from "./recorder.ts";
import { restarts } from "./restarts.ts";

export interface HistoryOptions {
  /** Determines the order of all actions. */
  seed: number;
  /** The number of histories of each kind. */
  rounds: number;
}

/** Scenarios in which several agents and operators act simultaneously. Some order of their operations must explain all observations. */
export function historiesOf({ seed, rounds }: HistoryOptions): Scenario[] {
  const withinMs = 60_000 + rounds * 10_000;
  return [
    {
      name: "race-history-keys",
      kind: "race",
      says: "simultaneous submits with few keys are linearizable",
      rules: ["AHCP-IDM-007", "AHCP-IDM-008"],
      needs: [],
      withinMs,
      async play(context) {
        const draw = { seed, rounds, asks: 3, spreadMs: 3, pause: 4 };
        const equalParties = partiesFor(context, ["submit"], [], 3);
        await judgeHistory(context, "AHCP-IDM-007", soloSequences.equal, playHistories(context, equalParties, draw));
        const differentParties = partiesFor(context, ["other"], [], 3);
        await judgeHistory(
          context,
          "AHCP-IDM-008",
          soloSequences.different,
          playHistories(context, differentParties, draw),
        );
      },
    },
    {
      name: "race-history-outcomes",
      kind: "race",
      says: "simultaneous actions of agents and operators on several asks are linearizable",
      rules: ["AHCP-LIF-003", "AHCP-CAN-007", "AHCP-LIF-004"],
      needs: ["resolve"],
      withinMs,
      play: (context) => judgeOutcomes(context, { seed, rounds }),
    },
    restarts({ seed, rounds: Math.max(1, Math.ceil(rounds / 3)) }),
  ];
}

async function judgeOutcomes(context: ScenarioContext, { seed, rounds }: HistoryOptions): Promise<void> {
  const draw = { seed, rounds, asks: 3, spreadMs: 6, pause: 6 };
  // If the hub does not recognize repetitions, which breaks another rule, omit them. The other actions can still be judged.
  const recognizesRepetitions = (await findSoloFault(context, soloSequences.equal)) === undefined;
  const usableActs = (acts: readonly Act[]): readonly Act[] =>
    recognizesRepetitions ? acts : acts.filter((act) => act !== "submit");
  const usableSequences = (sequences: readonly Act[][]): Act[][] =>
    recognizesRepetitions
      ? [...sequences]
      : sequences.map((acts) => acts.filter((act, index) => act !== "submit" || index === 0));
  const answeringParties = partiesFor(context, usableActs(readingActs), endingActs);
  const isCorrect = await judgeHistory(
    context,
    "AHCP-LIF-003",
    usableSequences(soloSequences.answers),
    playHistories(context, answeringParties, draw),
  );
  if (!isCorrect) {
    for (const rule of ["AHCP-CAN-007", "AHCP-LIF-004"])
      context.skip(rule, "answers alone already have no valid order, so this cannot be tested");
    return;
  }
  const withdrawingParties = partiesFor(context, usableActs(cancellingActs), endingActs);
  await judgeHistory(
    context,
    "AHCP-CAN-007",
    usableSequences(soloSequences.cancels),
    playHistories(context, withdrawingParties, { ...draw, seed: seed + 1 }),
  );
  if (!context.has("clock")) return context.skip("AHCP-LIF-004", 'needs the hook "clock"', missingNeeds("clock"));
  const nearDeadline = { ...draw, seed: seed + 2, spreadMs: 60, pause: 15 };
  const lateFault = await findLateFault(context);
  if (lateFault !== undefined) return context.expect("AHCP-LIF-004", false, lateFault);
  await judgeHistory(context, "AHCP-LIF-004", [], playDeadline(context, answeringParties, nearDeadline));
}

/** Plays histories. Submits the asks first, unless parties submit them. */
async function* playHistories(
  context: ScenarioContext,
  parties: readonly HistoryParty[],
  draw: HistoryDraw,
): AsyncGenerator<HistoryRecorder> {
  const needsAsks = parties.some(({ acts }) => !acts.includes("submit") && !acts.includes("other"));
  for (const round of await drawRounds(parties, draw)) {
    const recorder = new HistoryRecorder(context, draw.asks);
    if (needsAsks) await recorder.submitAll();
    await recorder.play(parties, round);
    await recorder.readAll();
    await recorder.readAll();
    yield recorder;
    await recorder.tidy();
  }
}

/** Judges a rule by histories, until one breaks it. Returns whether all were correct. */
async function judgeHistory(
  context: ScenarioContext,
  rule: string,
  sequences: Parameters<typeof findSoloFault>[1],
  recorders: AsyncIterable<HistoryRecorder>,
): Promise<boolean> {
  const soloFault = await findSoloFault(context, sequences);
  if (soloFault !== undefined) {
    if (soloFault.hasTwoOutcomes || rule.startsWith("AHCP-IDM-")) context.expect(rule, false, soloFault.why);
    else context.skip(rule, soloFault.why);
    return false;
  }
  for await (const recorder of recorders) {
    const breach = findBreach(recorder);
    if (breach === "undecided") context.skip(rule, "a history is too long to decide");
    else context.expect(rule, breach === undefined, breach?.why ?? "");
    if (breach !== undefined && breach !== "undecided") return false;
  }
  return true;
}

/** Finds a breach. Throws a TargetFailure if no ask was accepted, because then the history proves nothing. */
function findBreach(recorder: HistoryRecorder): HistoryBreach | "undecided" | undefined {
  recorder.throwIfNoneAccepted();
  return findHistoryBreach(recorder.operations);
}
