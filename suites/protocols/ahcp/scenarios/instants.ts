import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { red, resolve, statusOf, submit } from "./steps.ts";

/** Where an answer comes, in milliseconds from the deadline, and what it must come to. */
const cases = [
  { from: -500, rule: "AHCP-EXP-003", status: "answered", when: "half a second before its deadline" },
  { from: 0, rule: "AHCP-EXP-003", status: "answered", when: "at the very instant of its deadline" },
  { from: 50, rule: "AHCP-EXP-004", status: undefined, when: "50 ms after its deadline" },
] as const;

async function stands(context: ScenarioContext, time: number): Promise<boolean> {
  return (await context.now()) === time;
}

/** Does something while the target's clock stands at a time; undefined when it does not stand still, so that nothing is shown. */
async function atInstant<T>(context: ScenarioContext, time: number, act: () => Promise<T>): Promise<T | undefined> {
  await context.hook("clock", { at: new Date(time).toISOString(), stopped: true });
  try {
    await sleep(15);
    if (!(await stands(context, time))) return undefined;
    const result = await act();
    return (await stands(context, time)) ? result : undefined;
  } finally {
    await context.hook("clock", { stopped: false });
  }
}

export const instants: readonly Scenario[] = [
  {
    name: "expiry-instant",
    says: "a deadline is kept to the instant, which itself is in time",
    rules: ["AHCP-EXP-003", "AHCP-EXP-004"],
    needs: ["resolve", "clock"],
    withinMs: 60_000,
    async play(context) {
      for (const { from, rule, status, when } of cases) {
        const now = await context.now();
        // Late in its second, so that whoever counts in whole seconds is off by most of one.
        const time = Math.ceil((now + 600_000) / 1000) * 1000 + 900;
        const times = { created_at: new Date(now).toISOString(), expires_at: new Date(time).toISOString() };
        const { id } = await submit(context, ask(context, times, { default_on_expire: "blue" }));
        const told = await atInstant(context, time + from, () => resolve(context, id, red));
        if (told === undefined)
          return context.skip(rule, 'the hook "clock" does not stop the clock at an instant, to the millisecond');
        const became = await statusOf(context, id);
        const isIn = told.applied && became === "answered";
        const why = `an answer ${when} ${isIn ? "counts" : `does not count, the ask is "${became}"`}`;
        context.expect(rule, isIn === (status === "answered"), why);
      }
    },
  },
];
