import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { type Ask, asking } from "../../../../scenarios/way/asking.ts";
import { freshCue, freshTask, message, orchestrator } from "../messages.ts";
import type { Exchanged } from "../recorded.ts";

/** An agent that is played with. */
export interface AgentPlay {
  id: string;
  ask: Ask;
  /** What was delivered to it, and what has come from it, in order. */
  exchanged: Exchanged[];
  /** Milliseconds between two pieces of steady work: many where the clock can be moved, few where they must be waited for. */
  beat: number;
  /** Lets so many milliseconds pass for the agent. */
  pass(milliseconds: number): Promise<void>;
  now(): Promise<number>;
  /** A message to the agent, from the orchestrator unless the envelope says otherwise. */
  message(type: string, more: JsonObject, envelope?: { from?: string; to?: string }): Promise<JsonObject>;
  deliver(message: JsonObject): Promise<void>;
  /** What has come to the hub since this was last asked. */
  outbox(): Promise<JsonObject[]>;
  /** The first message that comes to the hub and is such a one; undefined when none does in five seconds. */
  comes(isIt: (message: JsonObject) => boolean): Promise<JsonObject | undefined>;
  /** What the agent has handled and worked on. */
  worked(): Promise<{ handled: string[]; attempts: JsonObject[] }>;
  /** A message that tells the agent to stop at once. */
  stopping(): Promise<JsonObject>;
  /** Hands the agent a task, of which it is said how the work on it goes. */
  begin(work: JsonObject, task?: JsonObject): Promise<{ task: string; message: JsonObject }>;
}

const patience = 5000;
const pause = 10;
/** Messages of one scenario that are read. */
const usually = 2000;

/** Meets the agent; of what it says so many messages are read. */
export async function agentOf(context: ScenarioContext, most: number = usually): Promise<AgentPlay> {
  const ask = asking(context, "agent");
  const { id: given } = context.setting.options ?? {};
  const id = typeof given === "string" ? given : "specialist-code";
  const scale = context.setting.timeScale ?? 1;
  const clock = await clockOf(ask);
  const beat = clock ? 10_000 : 200;
  const exchanged: Exchanged[] = [];
  let read = 0;
  /** What came together with something that was waited for, and after it. */
  let held: JsonObject[] = [];

  const play: AgentPlay = {
    id,
    ask,
    exchanged,
    beat,
    async pass(milliseconds) {
      if (clock) await ask("clock", { advanceMs: milliseconds });
      else await context.wait(milliseconds / scale);
    },
    async now() {
      const { now } = clock ? await ask("clock", {}) : { now: new Date().toISOString() };
      const time = Date.parse(String(now));
      if (Number.isFinite(time)) return time;
      throw new TargetFailure("errored", "hook", 'the hook "clock" does not tell the time as {"now": RFC 3339}');
    },
    async message(type, more, { from = orchestrator, to = id } = {}) {
      return message(context, type, { from, to, at: await play.now() }, more);
    },
    async deliver(delivered) {
      exchanged.push({ message: delivered, isOwn: false });
      await ask("deliver", { message: delivered });
    },
    async outbox() {
      const { messages } = await ask("outbox", {});
      if (!Array.isArray(messages) || !messages.every(isObject))
        throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of objects');
      read += messages.length;
      if (read > most) throw new TargetFailure("errored", "hook", `the agent has sent more than ${most} messages`);
      exchanged.push(...messages.map((each) => ({ message: each, isOwn: true })));
      const all = [...held, ...messages];
      held = [];
      return all;
    },
    async comes(isIt) {
      const end = performance.now() + patience * scale;
      for (;;) {
        const batch = await play.outbox();
        const index = batch.findIndex(isIt);
        if (index >= 0) held = batch.slice(index + 1);
        if (index >= 0 || performance.now() > end) return batch[index];
        await sleep(pause, undefined, { signal: context.signal });
      }
    },
    async worked() {
      const { handled, attempts } = await ask("worked", {});
      if (!Array.isArray(handled) || !Array.isArray(attempts))
        throw new TargetFailure("errored", "hook", 'the hook "worked" does not give {"handled": […], "attempts": […]}');
      return { handled: handled.map(String), attempts: attempts.filter(isObject) };
    },
    stopping() {
      const stop_details = { reason: "The branch is frozen.", urgency: "immediate" };
      return play.message("coord.stop", { cue_id: freshCue(context), target_agents: [id], stop_details });
    },
    async begin(work, more = {}) {
      const task = freshTask(context);
      await ask("assign", { task_id: task, everyMs: beat, ...work });
      const assignment = await play.message("task.assignment", {
        task_id: task,
        task: { description: "Change the parser.", priority: "medium", ...more },
      });
      await play.deliver(assignment);
      return { task, message: assignment };
    },
  };
  // What earlier scenarios left does not belong to this one.
  await play.outbox();
  exchanged.length = 0;
  return play;
}

async function clockOf(ask: Ask): Promise<boolean> {
  try {
    await ask("clock", {});
    return true;
  } catch (error) {
    if (error instanceof TargetSkip) return false;
    throw error;
  }
}
