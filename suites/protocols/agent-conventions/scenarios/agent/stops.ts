import { type JsonObject, needing, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { inShort, isSameId, isType, isWork, timeOf } from "../messages.ts";
import { judgePace, ready, unready } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

/** Milliseconds before a piece of work is due at which an agent is stopped. */
const soon = 1500;

export const stops: readonly Scenario[] = [
  {
    name: "agent-stops",
    side,
    says: "a stop ends the work at once",
    rules: ["CONV-CUE-006"],
    needs: [],
    withinMs: 60_000,
    waits: 5000,
    async play(context) {
      const rule = "CONV-CUE-006";
      const agent = await agentOf(context);
      await judgePace(context, agent);
      const { task } = await agent.begin({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      const first = await agent.comes((each) => isWork(each, task));
      if (first === undefined)
        return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
      const before = [first, ...(await agent.outbox()).filter((each) => isWork(each, task))];
      const stopped = await agent.moment();
      const stop = await agent.stopping();
      await agent.deliver(stop);
      const upon = await agent.outbox();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const after = [...upon, ...(await agent.outbox())].filter((each) => isWork(each, task));
      // Steady work is never complete, and its next piece is due a beat after the one before.
      const complete = after.find((each) => isType(each, "task.complete"));
      const early = closeTo([...before, ...after], 0.8 * agent.beat - 1000).find((each) => after.includes(each));
      const answer = complete ?? early;
      if (answer !== undefined) context.expect(rule, false, `an immediate stop is answered by ${inShort(answer)}`);
      const on = after.filter(stopped.isLater);
      context.expect(rule, on.length === 0, `after an immediate stop ${on.length} messages of progress come`);
      if (after.length > 0 && on.length === 0 && answer === undefined)
        context.skip(rule, `${after.length} messages of progress came after the stop, and may have been on their way`);
      const tried = (await agent.workedIfTold())?.attempts.filter(
        (each) => each.task_id === task && stopped.isLater(each),
      );
      context.expect(rule, (tried ?? []).length === 0, `after an immediate stop work is tried ${tried?.length} times`);
      if (agent.hasClock) await stopsAtOnce(context, agent, rule);
      await stopsCue(context, agent, rule);
      await stopsScheduled(context, agent, rule);
    },
  },
  {
    name: "agent-stops-gracefully",
    side,
    says: "a graceful stop ends the work as well, if later",
    rules: ["CONV-CUE-006"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-CUE-006";
      const agent = await agentOf(context);
      if (!agent.hasClock)
        return context.skip(rule, 'no text says by when, which the hook "clock" would let pass', needing("clock"));
      await judgePace(context, agent);
      const { task } = await agent.begin({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      if ((await agent.comes((each) => isWork(each, task))) === undefined)
        return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
      await agent.deliver(await agent.stopping("graceful"));
      const shutdown = boundOf(context, "moved-message");
      for (let passed = 0; passed < shutdown; passed += agent.beat) await agent.pass(agent.beat);
      await agent.settle();
      await agent.outbox();
      const over = await agent.moment();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const on = (await agent.outbox()).filter((each) => isWork(each, task) && over.isLater(each));
      const why = `${shutdown / 1000} s after a graceful stop ${on.length} messages of progress come`;
      context.expect(rule, on.length === 0, why);
    },
  },
];

/** A stop shortly before the next piece of work is due. A stopped agent may accept no more tasks. */
async function stopsAtOnce(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const { task } = await agent.begin({ work: "steady" });
  const isOfTask = (each: JsonObject): boolean => isWork(each, task);
  await agent.pass(agent.beat);
  const first = await agent.comes(isOfTask);
  if (first === undefined)
    return context.skip(
      rule,
      `whether a stop ends work that is due soon is not shown: no progress of a second task comes`,
    );
  const said = [first, ...(await agent.outbox()).filter(isOfTask)];
  const due = Math.max(...said.map(({ timestamp }) => Date.parse(String(timestamp)))) + agent.beat;
  const wait = due - (await agent.now()) - soon;
  if (!(wait >= 0))
    return context.skip(rule, "whether a stop ends work that is due soon is not shown: progress comes too late");
  await agent.pass(wait);
  await agent.deliver(await agent.stopping());
  // Messages from before the arrival of the stop are not a result of it.
  const stopped = await agent.moment();
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const on = (await agent.outbox()).filter((each) => isOfTask(each) && stopped.isLater(each));
  const why = `work that is due ${soon / 1000} s after an immediate stop is done, and ${on.length} messages of progress come`;
  context.expect(rule, on.length === 0, why);
}

/** Work that goes on for ever is not done because it is stopped. A stopped agent may accept no more cues. */
async function stopsCue(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await ready(context, agent);
  if (!cue.isReady) return context.skip(rule, `the effect of a stop on a cue does not show: ${unready}`);
  const go = await cue.say("go", { go_details: { execution_type: "immediate" } });
  await agent.pass(agent.beat);
  await agent.settle();
  const isDone = (each: JsonObject): boolean =>
    isType(each, "ack.completed") && isSameId(each.acknowledging_message_id, go.message_id);
  const isEarly = (await agent.outbox()).some(isDone);
  await agent.deliver(await agent.stopping());
  await agent.settle();
  const isSaid = (await agent.outbox()).some(isDone);
  context.expect(rule, isEarly || !isSaid, "a cue is called complete after a stop has ended its work");
}

/** Scheduled work is not yet an operation, but it has no reason to begin after its cue was stopped. */
async function stopsScheduled(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await ready(context, agent);
  if (!cue.isReady) return;
  const time = Math.ceil(((await agent.now()) + 4 * agent.beat + 1000) / 1000) * 1000;
  await cue.say("go", { go_details: { execution_type: "scheduled", scheduled_time: timeOf(time) } });
  await cue.say("stop", { stop_details: { urgency: "immediate" } });
  if ((await agent.now()) >= time) return;
  await agent.pass(Math.max(0, time - (await agent.now())) + 1000 + 2 * agent.lag());
  await agent.settle();
  const tried = (await agent.workedIfTold())?.attempts.filter(({ cue_id: id }) => id === cue.cue) ?? [];
  context.expect(rule, tried.length === 0, "work on a cue that was stopped ahead of its time begins", "SHOULD");
}

/** Messages that were made less than so many milliseconds after the one before; copies count once. */
function closeTo(messages: readonly JsonObject[], milliseconds: number): JsonObject[] {
  const timeOf = ({ timestamp }: JsonObject): number => Date.parse(String(timestamp));
  const once = [...new Map(messages.map((each) => [String(each.message_id), each])).values()];
  const inTurn = once.sort((a, b) => timeOf(a) - timeOf(b));
  return inTurn.filter(
    (each, index) => index > 0 && timeOf(each) - timeOf(inTurn[index - 1] as JsonObject) < milliseconds,
  );
}
