import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { isObject } from "../../../../schemas/index.ts";
import { fromAgent, notify } from "../../ahcp/scenarios/messages.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { read, submit } from "../../ahcp/scenarios/steps.ts";
import { presenceOf, publishedFreshness } from "./person.ts";
import { connect, publishedStream } from "./stream-steps.ts";
import { addressOf, draining, liveSessions, messageTo, publishedInbox, register } from "./talk.ts";

/** Moves the hub's clock until an agent no longer counts as online. */
async function passFreshness(context: ScenarioContext): Promise<void> {
  await context.pass((await publishedFreshness(context)) * 1000 + 2000);
}

const presenceFollows: Scenario = {
  name: "presence-follows",
  says: "an agent is present once it drains or waits, for as long as the hub publishes, and keeps the time at which it was seen",
  rules: ["MA2H-PRS-002", "MA2H-PRS-003"],
  needs: ["person", "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedFreshness(context);
    const { a } = context.agents;
    const { id } = await submit(context, notify(context));
    const acts: [string, string, () => Promise<unknown>][] = [
      ["MA2H-PRS-002", "a drain", () => draining(context, "a")],
      ["MA2H-PRS-003", "a read that waits", () => read(context, id, "a", { query: "?wait=1", waitMs: 1000 })],
    ];
    const streams = await publishedStream(context).catch(() => undefined);
    if (streams !== undefined) {
      const { id: session } = await register(context);
      acts.push(["MA2H-PRS-003", "a connection to its stream", async () => (await connect(context, session)).cut()]);
    }
    for (const [rule, name, act] of acts) {
      await passFreshness(context);
      const now = await context.now();
      await act();
      const live = await presenceOf(context, a);
      context.expect(rule, live.state === "online", `after ${name} the agent is ${live.state}`);
      const isNear = Math.abs(Date.parse(String(live.last_seen)) - now) <= 30_000;
      context.expect("MA2H-PRS-002", live.state !== "online" || isNear, `it was seen at ${live.last_seen}`);
      await passFreshness(context);
      const gone = await presenceOf(context, a);
      context.expect("MA2H-PRS-002", gone.state === "offline", `when its time is over the agent is ${gone.state}`);
      const isKept = gone.state !== "offline" || gone.last_seen === live.last_seen;
      context.expect("MA2H-PRS-002", isKept, `last_seen moves from ${live.last_seen} to ${gone.last_seen}`);
    }
  },
};

const presenceIsHidden: Scenario = {
  name: "presence-hidden",
  says: "no agent learns the presence of another one, and no request without a credential does",
  rules: ["MA2H-PRS-004"],
  needs: ["person", "second-credential"],
  withinMs: 30_000,
  async play(context) {
    await publishedFreshness(context);
    await draining(context, "a");
    const path = `/v1/agents/${encodeURIComponent(context.agents.a)}/presence`;
    for (const as of ["b", "nobody"] as const) {
      const reply = await context.send({ method: "GET", path, as });
      const { state, last_seen } = isObject(reply.json) ? reply.json : {};
      const isTold = state === "online" || state === "offline" || last_seen !== undefined;
      const who = as === "b" ? "another agent" : "a request without a credential";
      context.expect("MA2H-PRS-004", !isTold, `${who} learns that the agent is ${state}`, reply);
    }
  },
};

const presenceWithoutSession: Scenario = {
  name: "presence-split",
  says: "an agent that drains without a session is present and no destination that is online; mail and a restart make nothing present",
  rules: ["MA2H-PRS-006", "MA2H-PRS-007"],
  needs: ["person", "clock", "second-credential"],
  withinMs: 60_000,
  async play(context) {
    await publishedFreshness(context);
    await publishedInbox(context);
    await draining(context, "a");
    await passFreshness(context);
    const before = await presenceOf(context, context.agents.a);
    const mail = messageTo(context, "notify", addressOf(context, "a"));
    await submit(context, fromAgent(context.agents.b ?? "", mail), "b");
    if (context.has("restart")) await restart(context);
    else context.skip("MA2H-PRS-007", "no hook restarts the hub");
    const after = await presenceOf(context, context.agents.a);
    const isStill = after.state !== "online" && after.last_seen === before.last_seen;
    context.expect("MA2H-PRS-007", isStill, `after mail and a restart the agent is ${after.state}`);
    if ((await liveSessions(context, "a")).length > 0)
      return context.skip("MA2H-PRS-006", "the agent still has a live session");
    await draining(context, "a");
    const { state } = await presenceOf(context, context.agents.a);
    const { reply } = await submit(context, messageTo(context, "notify", addressOf(context, "a")));
    const { destination } = isObject(reply.json) ? reply.json : {};
    const shown = isObject(destination) ? destination.state : undefined;
    context.expect("MA2H-PRS-006", state === "online", `after a drain without session the agent is ${state}`);
    context.expect("MA2H-PRS-006", shown !== "online", "an agent without a session is an online destination");
  },
};

export const presence: readonly Scenario[] = [presenceFollows, presenceIsHidden, presenceWithoutSession];
