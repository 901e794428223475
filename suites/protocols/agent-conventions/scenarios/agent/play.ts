import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { type Ask, asking } from "../../../../running/scenarios/way/asking.ts";
import { boundOf } from "../bounds.ts";
import { hasClock } from "../clock.ts";
import { type Exchanged, exchangeOf, noteWork } from "../exchanges.ts";
import { freshCue, freshTask, message, orchestrator } from "../messages.ts";

/** An agent that is played with. */
export interface AgentPlay {
  id: string;
  ask: Ask;
  /** Whether its clock can be moved. */
  hasClock: boolean;
  /** What was delivered to it, and what has come from it, in order, in all scenarios of the run. */
  exchanged: Exchanged[];
  /** Milliseconds between two pieces of steady work: many where the clock can be moved, few where they must be waited for. */
  beat: number;
  /** Lets so many milliseconds pass for the agent. */
  pass(milliseconds: number): Promise<void>;
  /** Milliseconds that the agent has taken at most until something that was waited for came. */
  lag(): number;
  /** Lets a moment of real time pass, and none of the clock that is moved. */
  rest(): Promise<void>;
  /** Lets so much time pass that the agent, as slow as it has been so far, would have done what it does upon the last message. */
  settle(): Promise<void>;
  now(): Promise<number>;
  /** A message to the agent, from the orchestrator unless the envelope says otherwise. */
  message(type: string, more: JsonObject, envelope?: { from?: string; to?: string }): Promise<JsonObject>;
  deliver(message: JsonObject): Promise<void>;
  /** What has come to the hub since this was last asked. */
  outbox(): Promise<JsonObject[]>;
  /** The first message that comes to the hub and is such a one; undefined when none does within the bound `message`, nor within `moved-message` of a clock that is moved. */
  comes(isIt: (message: JsonObject) => boolean): Promise<JsonObject | undefined>;
  /** Such a message, if it comes within so many milliseconds of real time, in which a clock that is moved goes on by as much. */
  comesWithin(isIt: (message: JsonObject) => boolean, milliseconds: number): Promise<JsonObject | undefined>;
  /** Whether something holds, now or within the bound `message`, or five beats of a clock that is moved. */
  holds(isSo: () => Promise<boolean>): Promise<boolean>;
  /** What the agent has handled and worked on. */
  worked(): Promise<Worked>;
  /** The same; undefined for an agent that does not tell. */
  workedIfTold(): Promise<Worked | undefined>;
  /** This moment by the agent's clock, and whether it stamped something later, for as slow an agent as it has been. */
  moment(otherLag?: number): Promise<Moment>;
  /** A message that tells the agent to stop, at once or when it has shut down. */
  stopping(urgency?: "immediate" | "graceful"): Promise<JsonObject>;
  /** Hands the agent a task, of which it is said how the work on it goes. */
  begin(work: JsonObject, task?: JsonObject): Promise<{ task: string; message: JsonObject }>;
}

export interface Moment {
  isLater(stamped: JsonObject): boolean;
}

export interface Worked {
  handled: string[];
  attempts: JsonObject[];
}

const pause = 10;
/** Looks at the outbox until the clock is moved, for an agent that acts by timers. */
const looks = 8;
/** Messages of one scenario that are read. */
const usually = 10_000;

/** Meets the agent; of what it says so many messages are read. */
export async function agentOf(context: ScenarioContext, most: number = usually): Promise<AgentPlay> {
  const asked = asking(context, "agent");
  const ask: Ask = (hook, given) => {
    if (hook === "assign") noteWork(context, given);
    return asked(hook, given);
  };
  const { id: given } = context.setting.options ?? {};
  const id = typeof given === "string" ? given : "specialist-code";
  const scale = context.setting.timeScale ?? 1;
  const [patience, farthest] = [boundOf(context, "message"), boundOf(context, "moved-message")];
  const clock = await hasClock(ask);
  const beat = clock ? 10_000 : 200;
  const exchanged: Exchanged[] = exchangeOf(context);
  let read = 0;
  /** By the clock that is moved, or else by ours. */
  let lag = 0;
  /** Real milliseconds of the same. */
  let realLag = 0;
  /** How far the agent's clock is ahead of ours, as far as its messages show. */
  let skew = Number.NEGATIVE_INFINITY;
  /** The latest time that one of its messages has. */
  let latest = Number.NEGATIVE_INFINITY;
  /** What came together with something that was waited for, and after it. */
  let held: JsonObject[] = [];

  const fetched = async (): Promise<JsonObject[]> => {
    const { messages } = await ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of objects');
    read += messages.length;
    if (read > most) throw new TargetFailure("errored", "hook", `the agent has sent more than ${most} messages`);
    exchanged.push(...messages.map((each) => ({ message: each, isOwn: true })));
    for (const each of messages) {
      const time = timeIn(each);
      skew = Math.max(skew, time - Date.now());
      latest = Math.max(latest, time);
    }
    return messages;
  };

  const play: AgentPlay = {
    id,
    ask,
    hasClock: clock,
    exchanged,
    beat,
    async pass(milliseconds) {
      if (clock) await ask("clock", { advanceMs: milliseconds });
      else await context.wait(milliseconds / scale);
    },
    lag: () => lag,
    rest: () => context.wait(50 / scale),
    async settle() {
      await play.pass(Math.max(beat, 2 * lag + 100));
      if (clock && realLag > 30) await context.wait((2 * realLag + 20) / scale);
    },
    async now() {
      if (!clock) return Date.now() + (Number.isFinite(skew) ? skew : 0);
      const { now } = await ask("clock", {});
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
      const all = [...held, ...(await fetched())];
      held = [];
      return all;
    },
    async comes(isIt) {
      const begun = performance.now();
      let passed = 0;
      for (let look = 0; ; look++) {
        const batch = await play.outbox();
        const index = batch.findIndex(isIt);
        const real = performance.now() - begun;
        if (index >= 0) {
          held = batch.slice(index + 1);
          lag = Math.max(lag, passed + real);
          realLag = Math.max(realLag, real);
          return batch[index];
        }
        if (real > patience * scale && (!clock || passed >= farthest)) return undefined;
        // What an agent does later it may do by timers, which run by the clock that is moved.
        const step = passed < patience ? 500 : patience;
        if (clock && look >= looks && passed < farthest) {
          await play.pass(step);
          passed += step;
        } else await sleep(pause, undefined, { signal: context.signal });
      }
    },
    async comesWithin(isIt, milliseconds) {
      const [begun, step] = [performance.now(), milliseconds / 10];
      for (let passed = 0; ; ) {
        const batch = await play.outbox();
        const index = batch.findIndex(isIt);
        if (index >= 0) {
          held = batch.slice(index + 1);
          return batch[index];
        }
        held = batch;
        const real = performance.now() - begun;
        if (real > milliseconds * scale && (!clock || passed >= milliseconds)) return undefined;
        if (clock && passed < milliseconds && real >= passed * scale) {
          await play.pass(step);
          passed += step;
        }
        await sleep(pause, undefined, { signal: context.signal });
      }
    },
    async holds(isSo) {
      const begun = performance.now();
      for (
        let tries = 0;
        tries <= (clock ? 20 : (patience / (beat / 4)) * scale) || performance.now() - begun < 1000 * scale;
        tries++
      ) {
        if (tries > 20 && clock) await sleep(pause, undefined, { signal: context.signal });
        if (await isSo()) {
          const real = performance.now() - begun;
          lag = Math.max(lag, (clock ? (Math.min(tries, 20) * beat) / 4 : 0) + real);
          realLag = Math.max(realLag, real);
          return true;
        }
        if (!clock || tries < 20) await play.pass(beat / 4);
      }
      return false;
    },
    async worked() {
      const { handled, attempts } = await ask("worked", {});
      if (!Array.isArray(handled) || !Array.isArray(attempts))
        throw new TargetFailure("errored", "hook", 'the hook "worked" does not give {"handled": […], "attempts": […]}');
      return { handled: handled.map(String), attempts: attempts.filter(isObject) };
    },
    async workedIfTold() {
      try {
        return await play.worked();
      } catch (error) {
        if (error instanceof TargetSkip) return undefined;
        throw error;
      }
    },
    async moment(otherLag = 0) {
      held.push(...(await fetched()));
      const bound = Math.max((await play.now()) + 2 * Math.max(lag, otherLag), latest);
      const before = new Set(held);
      return {
        // Without a time that can be read, the order decides.
        isLater: (stamped) => !before.has(stamped) && !(Date.parse(String(stamped.at ?? stamped.timestamp)) <= bound),
      };
    },
    stopping(urgency = "immediate") {
      const stop_details = { reason: "The branch is frozen.", urgency };
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
  // What another run has left is not judged; what earlier scenarios of this one have left is judged with theirs.
  const isFirst = exchanged.length === 0;
  await play.outbox();
  if (isFirst) exchanged.length = 0;
  return play;
}

/** Milliseconds since 1970; minus infinity for a message without a time that can be read. */
function timeIn({ timestamp }: JsonObject): number {
  const time = Date.parse(String(timestamp));
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}
