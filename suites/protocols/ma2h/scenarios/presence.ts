import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";
import { isObject } from "../../../../schemas/index.ts";
import { fromAgent, notify } from "../../ahcp/scenarios/messages.ts";
import { restart } from "../../ahcp/scenarios/restarting.ts";
import { read, submit } from "../../ahcp/scenarios/steps.ts";
import { presenceOf, publishedFreshness } from "./person.ts";
import { connect, publishedStream } from "./stream-steps.ts";
import { addressOf, liveSessions, messageTo, publishedInbox, register, requestDrain } from "./talk.ts";

/** Moves the hub's clock until an agent no longer counts as online. */
async function passFreshness(context: ScenarioContext): Promise<void> {
  await context.pass((await publishedFreshness(context)) * 1000 + 2000);
}

const presenceFollows: Scenario = {
  name: "presence-follows",
  says: "an agent is online after it drains or waits, for as long as the hub publishes, and keeps the time when it was seen",
  rules: ["MA2H-PRS-002", "MA2H-PRS-003"],
  needs: ["person", "clock"],
  withinMs: 60_000,
  async play(context) {
    await publishedFreshness(context);
    const { a } = context.agents;
    const { id } = await submit(context, notify(context));
    const acts: [rule: string, name: string, act: () => Promise<unknown>][] = [
      ["MA2H-PRS-002", "a drain", () => requestDrain(context, "a")],
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
      const fresh = await presenceOf(context, a);
      context.expect(rule, fresh.state === "online", `after ${name} the agent is ${fresh.state}`);
      const isNear = Math.abs(Date.parse(String(fresh.last_seen)) - now) <= 30_000;
      context.expect("MA2H-PRS-002", fresh.state !== "online" || isNear, `it was seen at ${fresh.last_seen}`);
      await passFreshness(context);
      const stale = await presenceOf(context, a);
      context.expect("MA2H-PRS-002", stale.state === "offline", `after that time the agent is ${stale.state}`);
      const isSameTime = stale.state !== "offline" || stale.last_seen === fresh.last_seen;
      context.expect("MA2H-PRS-002", isSameTime, `last_seen changes from ${fresh.last_seen} to ${stale.last_seen}`);
    }
  },
};

const presenceIsHidden: Scenario = {
  name: "presence-hidden",
  says: "neither another agent nor a request without a credential learns the presence of an agent",
  rules: ["MA2H-PRS-004"],
  needs: ["person", "second-credential"],
  withinMs: 30_000,
  async play(context) {
    await publishedFreshness(context);
    await requestDrain(context, "a");
    const path = `/v1/agents/${encodeURIComponent(context.agents.a)}/presence`;
    for (const as of ["b", "nobody"] as const) {
      const reply = await context.send({ method: "GET", path, as });
      const { state, last_seen } = isObject(reply.json) ? reply.json : {};
      const isDisclosed = state === "online" || state === "offline" || last_seen !== undefined;
      const reader = as === "b" ? "another agent" : "a request without a credential";
      context.expect("MA2H-PRS-004", !isDisclosed, `${reader} learns that the agent is ${state}`, reply);
    }
  },
};

const presenceWithoutSession: Scenario = {
  name: "presence-split",
  says: "an agent that drains without a session is present, but not an online destination; mail and a restart do not make it present",
  rules: ["MA2H-PRS-006", "MA2H-PRS-007"],
  needs: ["person", "clock", "second-credential"],
  withinMs: 60_000,
  async play(context) {
    await publishedFreshness(context);
    await publishedInbox(context);
    await requestDrain(context, "a");
    await passFreshness(context);
    const before = await presenceOf(context, context.agents.a);
    const mail = messageTo(context, "notify", addressOf(context, "a"));
    await submit(context, fromAgent(context.agents.b ?? "", mail), "b");
    if (context.has("restart")) await restart(context);
    else context.skip("MA2H-PRS-007", "no hook restarts the hub");
    const after = await presenceOf(context, context.agents.a);
    const isUnchanged = after.state !== "online" && after.last_seen === before.last_seen;
    context.expect("MA2H-PRS-007", isUnchanged, `after mail and a restart the agent is ${after.state}`);
    if ((await liveSessions(context, "a")).length > 0)
      return context.skip("MA2H-PRS-006", "the agent still has a live session");
    await requestDrain(context, "a");
    const { state } = await presenceOf(context, context.agents.a);
    const { reply } = await submit(context, messageTo(context, "notify", addressOf(context, "a")));
    const { destination } = isObject(reply.json) ? reply.json : {};
    const destinationState = isObject(destination) ? destination.state : undefined;
    context.expect("MA2H-PRS-006", state === "online", `after a drain without session the agent is ${state}`);
    context.expect(
      "MA2H-PRS-006",
      destinationState !== "online",
      "an agent without a session is an online destination",
    );
  },
};

export const presence: readonly Scenario[] = [presenceFollows, presenceIsHidden, presenceWithoutSession];
