import { setTimeout as sleep } from "node:timers/promises";
import { hookAnswer, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { inShort, isAccepted, post, readAs, readStored, redAnswer, resolve, submit } from "./steps.ts";

/**
 * The precision of the target's clock, in milliseconds: its unit, the position of deadlines within a second, and a pause that
 * reveals whether the clock is stopped.
 */
const fineClock = { unit: 50, into: 900, rest: 15 };
const coarseClock = { unit: 1000, into: 0, rest: 1100 };

/** The distance of an answer from the deadline, in units, and its required effect. */
const answerCases = [
  { from: -1, rule: "AHCP-EXP-003", isInTime: true },
  { from: 0, rule: "AHCP-EXP-003", isInTime: true },
  { from: 1, rule: "AHCP-EXP-004", isInTime: false },
] as const;

async function stopsExactlyAt(context: ScenarioContext, time: number): Promise<boolean> {
  return (await context.now()) === time;
}

function distanceInWords(from: number): string {
  if (from === 0) return "exactly at its deadline";
  return `${Math.abs(from)} ms ${from < 0 ? "before" : "after"} its deadline`;
}

/** Acts while the target's clock is stopped at this time. Returns undefined if the clock did not stop. */
async function doAtInstant<T>(
  context: ScenarioContext,
  time: number,
  restMs: number,
  act: () => Promise<T>,
): Promise<T | undefined> {
  await context.hook("clock", { at: new Date(time).toISOString(), stopped: true });
  try {
    await sleep(restMs);
    if (!(await stopsExactlyAt(context, time))) return undefined;
    const result = await act();
    return (await stopsExactlyAt(context, time)) ? result : undefined;
  } finally {
    await context.hook("clock", { stopped: false });
  }
}

/** The precision with which the clock can be stopped: milliseconds or seconds. Undefined if it cannot be stopped. */
async function findClockPrecision(context: ScenarioContext): Promise<typeof fineClock | undefined> {
  const nextSecond = Math.ceil((await context.now()) / 1000) * 1000 + 1000;
  for (const precision of [fineClock, coarseClock])
    if ((await doAtInstant(context, nextSecond + precision.into, precision.rest, async () => true)) === true)
      return precision;
  return undefined;
}

export const instants: readonly Scenario[] = [
  {
    name: "expiry-instant",
    says: "a deadline is exact, and an answer at its exact time is in time",
    rules: ["AHCP-EXP-001", "AHCP-EXP-003", "AHCP-EXP-004"],
    needs: ["resolve", "clock"],
    withinMs: 60_000,
    async play(context) {
      const precision = await findClockPrecision(context);
      const unmetReason =
        'the hook "clock" does not stop the clock at an instant: {"at": …, "stopped": true} must show in "now"';
      if (precision === undefined) throw new TargetSkip(unmetReason, hookAnswer("clock"));
      const instant = Math.ceil(((await context.now()) + 60_000) / 1000) * 1000 + precision.into;
      const members = {
        created_at: new Date(instant - 1000).toISOString(),
        expires_at: new Date(instant).toISOString(),
      };
      const lateReply = await doAtInstant(context, instant, precision.rest, () => post(context, ask(context, members)));
      if (lateReply === undefined) return context.skip("AHCP-EXP-001", unmetReason);
      const whyAccepted = `a deadline at this exact time, which is not in the future, is accepted: ${inShort(lateReply)}`;
      context.expect("AHCP-EXP-001", !isAccepted(lateReply), whyAccepted);
      for (const { from, rule, isInTime } of answerCases) {
        const now = await context.now();
        // Use a time late in its second, so that a hub that truncates to seconds is wrong by almost a second.
        const time = Math.ceil((now + 600_000) / 1000) * 1000 + precision.into;
        const timeMembers = { created_at: new Date(now).toISOString(), expires_at: new Date(time).toISOString() };
        const { id } = await submit(context, ask(context, timeMembers, { default_on_expire: "blue" }));
        const resolved = await doAtInstant(context, time + from * precision.unit, precision.rest, () =>
          resolve(context, id, redAnswer),
        );
        if (resolved === undefined) return context.skip(rule, unmetReason);
        const message = await readStored(context, id);
        const hasEffect = resolved.applied && message.status === "answered";
        const why = `an answer ${distanceInWords(from * precision.unit)} ${hasEffect ? "counts" : `does not count, the ask is "${message.status}"`}`;
        context.expect(rule, hasEffect === isInTime, why, resolved.shown, readAs(message));
      }
    },
  },
];
