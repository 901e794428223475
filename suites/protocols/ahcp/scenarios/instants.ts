import { setTimeout as sleep } from "node:timers/promises";
import { hookAnswer, type Scenario, type ScenarioContext, TargetSkip } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { inShort, isAccepted, post, readAs, readStored, redAnswer, resolve, submit } from "./steps.ts";

/** The precision of the target's clock in milliseconds: its unit, the deadline's place in its second, and the rest that shows a stopped clock. */
const fineClock = { unit: 50, into: 900, rest: 15 };
const coarseClock = { unit: 1000, into: 0, rest: 1100 };

/** The time of an answer, and its required effect. */
const cases = [
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

/** Acts while the target's clock is stopped at a time; undefined if it does not stop, so that nothing is shown. */
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

/** The precision of stopping the clock, to the millisecond or to the second; undefined if it cannot be stopped. */
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
    says: "a deadline is exact, and its own time is still in time",
    rules: ["AHCP-EXP-001", "AHCP-EXP-003", "AHCP-EXP-004"],
    needs: ["resolve", "clock"],
    withinMs: 60_000,
    async play(context) {
      const precision = await findClockPrecision(context);
      const unmet =
        'the hook "clock" does not stop the clock at an instant: {"at": …, "stopped": true} must show in "now"';
      if (precision === undefined) throw new TargetSkip(unmet, hookAnswer("clock"));
      const instant = Math.ceil(((await context.now()) + 60_000) / 1000) * 1000 + precision.into;
      const members = {
        created_at: new Date(instant - 1000).toISOString(),
        expires_at: new Date(instant).toISOString(),
      };
      const lateReply = await doAtInstant(context, instant, precision.rest, () => post(context, ask(context, members)));
      if (lateReply === undefined) return context.skip("AHCP-EXP-001", unmet);
      const whyAccepted = `a deadline at this exact time, which is not in the future, is accepted: ${inShort(lateReply)}`;
      context.expect("AHCP-EXP-001", !isAccepted(lateReply), whyAccepted);
      for (const { from, rule, isInTime } of cases) {
        const now = await context.now();
        // Late in its second: a hub that counts whole seconds is then wrong by almost a second.
        const time = Math.ceil((now + 600_000) / 1000) * 1000 + precision.into;
        const timeMembers = { created_at: new Date(now).toISOString(), expires_at: new Date(time).toISOString() };
        const { id } = await submit(context, ask(context, timeMembers, { default_on_expire: "blue" }));
        const resolved = await doAtInstant(context, time + from * precision.unit, precision.rest, () =>
          resolve(context, id, redAnswer),
        );
        if (resolved === undefined) return context.skip(rule, unmet);
        const message = await readStored(context, id);
        const became = message.status;
        const isIn = resolved.applied && became === "answered";
        const why = `an answer ${distanceInWords(from * precision.unit)} ${isIn ? "counts" : `does not count, the ask is "${became}"`}`;
        context.expect(rule, isIn === isInTime, why, resolved.shown, readAs(message));
      }
    },
  },
];
