import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type JsonObject,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { type Ask, createAsk } from "../../../../running/scenarios/way/asking.ts";
import { boundOf } from "../bounds.ts";
import { hasClock } from "../clock.ts";
import { type Exchanged, exchangeOf, noteWork } from "../exchanges.ts";
import { freshCue, freshTask, message, orchestrator } from "../messages.ts";

/** The agent under test in a scenario. */
export interface AgentPlay {
  id: string;
  ask: Ask;
  /** Whether its clock can be moved. */
  hasClock: boolean;
  /** The messages to it and from it, in order, in all scenarios of the run. */
  exchanged: Exchanged[];
  /** Milliseconds between two pieces of steady work: many if the clock can be moved, few if the test must wait for them. */
  beat: number;
  /** Lets the given number of milliseconds pass for the agent. */
  pass(milliseconds: number): Promise<void>;
  /** The longest delay of the agent so far, in milliseconds, for an awaited message. */
  lag(): number;
  /** Lets a moment of real time pass, without moving the agent's clock. */
  pause(): Promise<void>;
  /** Waits until the agent would have handled the last message, given its slowest delay so far. */
  settle(): Promise<void>;
  now(): Promise<number>;
  /** A message to the agent, from the orchestrator unless the envelope says otherwise. */
  message(type: string, members: JsonObject, envelope?: { from?: string; to?: string }): Promise<JsonObject>;
  deliver(message: JsonObject): Promise<void>;
  /** The messages that have come to the hub since the last call. */
  outbox(): Promise<JsonObject[]>;
  /** The first wanted message to the hub; undefined if none comes within the bound `message`, or within `moved-message` of a movable clock. */
  waitForMessage(isIt: (message: JsonObject) => boolean): Promise<JsonObject | undefined>;
  /** The first matching message that arrives within the given milliseconds of real time. A movable clock is moved by the same time. */
  comesWithin(isIt: (message: JsonObject) => boolean, milliseconds: number): Promise<JsonObject | undefined>;
  /** Whether a condition becomes true within the bound `message`, or within five beats of a moved clock. */
  becomesTrue(condition: () => Promise<boolean>): Promise<boolean>;
  /** The agent's handled messages and attempts. */
  reportWork(): Promise<WorkReport>;
  /** The same, but undefined if the agent does not report them. */
  workedIfTold(): Promise<WorkReport | undefined>;
  /** The current time of the agent's clock, with a test for later timestamps that allows for the slowest delay of the agent so far. */
  moment(otherLag?: number): Promise<Moment>;
  /** A message that stops the agent, at once or after a shutdown; from the orchestrator unless another sender is named. */
  stopping(urgency?: "immediate" | "graceful", from?: string): Promise<JsonObject>;
  /** Gives the agent a task, with a description of its work. */
  assignWork(work: JsonObject, task?: JsonObject): Promise<{ task: string; message: JsonObject }>;
}

export interface Moment {
  isLater(dated: JsonObject): boolean;
}

export interface WorkReport {
  handledIds: string[];
  attempts: JsonObject[];
}

const pauseMs = 10;
/** How often the outbox is read before the clock is moved, for an agent that acts by timers. */
const lookCount = 8;
export async function agentOf(context: ScenarioContext): Promise<AgentPlay> {
  const askHook = createAsk(context, "agent");
  const ask: Ask = (hook, input) => {
    if (hook === "assign") noteWork(context, input);
    return askHook(hook, input);
  };
  const play = new Play(context, { ask, hasClock: await hasClock(ask) });
  // Messages of another run are not judged. Messages of earlier scenarios of this run were judged with those scenarios.
  const isFirst = play.exchanged.length === 0;
  await play.outbox();
  if (isFirst) play.exchanged.length = 0;
  return play;
}

class Play implements AgentPlay {
  readonly id: string;
  readonly ask: Ask;
  readonly hasClock: boolean;
  readonly exchanged: Exchanged[];
  readonly beat: number;

  readonly #context: ScenarioContext;
  readonly #scale: number;
  /** The bounds `message` and `moved-message`. */
  readonly #patience: number;
  readonly #farthest: number;
  /** The slowest delay by the moved clock, or else by the real one. */
  #lag = 0;
  /** The slowest delay in real milliseconds. */
  #realLag = 0;
  /** How far the agent's clock is ahead of the real one, as far as its messages show. */
  #skew = Number.NEGATIVE_INFINITY;
  /** The latest timestamp of its messages. */
  #latest = Number.NEGATIVE_INFINITY;
  /** Messages that arrived together with an awaited one, and after it. */
  #held: JsonObject[] = [];

  constructor(context: ScenarioContext, { ask, hasClock }: { ask: Ask; hasClock: boolean }) {
    const { id } = context.setting.options ?? {};
    this.id = typeof id === "string" ? id : "specialist-code";
    this.ask = ask;
    this.hasClock = hasClock;
    this.exchanged = exchangeOf(context);
    this.beat = hasClock ? 10_000 : 200;
    this.#context = context;
    this.#scale = context.setting.timeScale ?? 1;
    this.#patience = boundOf(context, "message");
    this.#farthest = boundOf(context, "moved-message");
  }

  async pass(milliseconds: number): Promise<void> {
    if (this.hasClock) await this.ask("clock", { advanceMs: milliseconds });
    else await this.#context.wait(milliseconds / this.#scale);
  }

  lag(): number {
    return this.#lag;
  }

  pause(): Promise<void> {
    return this.#context.wait(50 / this.#scale);
  }

  async settle(): Promise<void> {
    await this.pass(Math.max(this.beat, 2 * this.#lag + 100));
    if (this.hasClock && this.#realLag > 30) await this.#context.wait((2 * this.#realLag + 20) / this.#scale);
  }

  async now(): Promise<number> {
    if (!this.hasClock) return Date.now() + (Number.isFinite(this.#skew) ? this.#skew : 0);
    const { now } = await this.ask("clock", {});
    const time = Date.parse(String(now));
    if (Number.isFinite(time)) return time;
    throw new TargetFailure("errored", "hook", 'the hook "clock" does not give the time as {"now": RFC 3339}');
  }

  async message(
    type: string,
    members: JsonObject,
    { from = orchestrator, to = this.id }: { from?: string; to?: string } = {},
  ): Promise<JsonObject> {
    return message(this.#context, type, { from, to, at: await this.now() }, members);
  }

  async deliver(delivered: JsonObject): Promise<void> {
    this.exchanged.push({ message: delivered, isOwn: false });
    await this.ask("deliver", { message: delivered });
  }

  async outbox(): Promise<JsonObject[]> {
    const all = [...this.#held, ...(await this.#fetch())];
    this.#held = [];
    return all;
  }

  async waitForMessage(isIt: (message: JsonObject) => boolean): Promise<JsonObject | undefined> {
    const startedAt = performance.now();
    let passedMs = 0;
    for (let look = 0; ; look++) {
      const batch = await this.outbox();
      const index = batch.findIndex(isIt);
      const real = performance.now() - startedAt;
      if (index >= 0) {
        this.#held = batch.slice(index + 1);
        this.#noteLag(passedMs + real, real);
        return batch[index];
      }
      const canMove = this.hasClock && passedMs < this.#farthest;
      if (real > this.#patience * this.#scale && !canMove) return undefined;
      // An agent may use timers for later actions, and these timers follow the moved clock.
      const step = passedMs < this.#patience ? 500 : this.#patience;
      if (canMove && look >= lookCount) {
        await this.pass(step);
        passedMs += step;
      } else await this.#pause();
    }
  }

  async comesWithin(isIt: (message: JsonObject) => boolean, milliseconds: number): Promise<JsonObject | undefined> {
    const [startedAt, step] = [performance.now(), milliseconds / 10];
    for (let passedMs = 0; ; ) {
      const batch = await this.outbox();
      const index = batch.findIndex(isIt);
      if (index >= 0) {
        this.#held = batch.slice(index + 1);
        return batch[index];
      }
      this.#held = batch;
      const real = performance.now() - startedAt;
      const canMove = this.hasClock && passedMs < milliseconds;
      if (real > milliseconds * this.#scale && !canMove) return undefined;
      if (canMove && real >= passedMs * this.#scale) {
        await this.pass(step);
        passedMs += step;
      }
      await this.#pause();
    }
  }

  async becomesTrue(condition: () => Promise<boolean>): Promise<boolean> {
    const startedAt = performance.now();
    const maxTries = this.hasClock ? 20 : (this.#patience / (this.beat / 4)) * this.#scale;
    for (let attempt = 0; attempt <= maxTries || performance.now() - startedAt < 1000 * this.#scale; attempt++) {
      if (attempt > 20 && this.hasClock) await this.#pause();
      if (await condition()) {
        const real = performance.now() - startedAt;
        this.#noteLag((this.hasClock ? (Math.min(attempt, 20) * this.beat) / 4 : 0) + real, real);
        return true;
      }
      if (!this.hasClock || attempt < 20) await this.pass(this.beat / 4);
    }
    return false;
  }

  async reportWork(): Promise<WorkReport> {
    const { handled: handledIds, attempts } = await this.ask("worked", {});
    if (!Array.isArray(handledIds) || !Array.isArray(attempts))
      throw new TargetFailure("errored", "hook", 'the hook "worked" does not give {"handled": […], "attempts": […]}');
    return { handledIds: handledIds.map(String), attempts: attempts.filter(isObject) };
  }

  async workedIfTold(): Promise<WorkReport | undefined> {
    try {
      return await this.reportWork();
    } catch (error) {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    }
  }

  async moment(otherLag = 0): Promise<Moment> {
    this.#held.push(...(await this.#fetch()));
    const latestBefore = Math.max((await this.now()) + 2 * Math.max(this.#lag, otherLag), this.#latest);
    const before = new Set(this.#held);
    return {
      // If a timestamp cannot be read, the order of arrival decides.
      isLater: (dated) => !before.has(dated) && !(Date.parse(String(dated.at ?? dated.timestamp)) <= latestBefore),
    };
  }

  stopping(urgency: "immediate" | "graceful" = "immediate", from = orchestrator): Promise<JsonObject> {
    const stop_details = { reason: "The branch is frozen.", urgency };
    const stopMessage = { cue_id: freshCue(this.#context), target_agents: [this.id], stop_details };
    // Either recipient is right, so a scenario uses both in turn.
    return this.message("coord.stop", stopMessage, { from, to: urgency === "graceful" ? "broadcast" : this.id });
  }

  async assignWork(work: JsonObject, members: JsonObject = {}): Promise<{ task: string; message: JsonObject }> {
    const task = freshTask(this.#context);
    await this.ask("assign", { task_id: task, everyMs: this.beat, ...work });
    const assignment = await this.message("task.assignment", {
      task_id: task,
      task: { description: "Change the parser.", priority: "medium", ...members },
    });
    await this.deliver(assignment);
    return { task, message: assignment };
  }

  async #fetch(): Promise<JsonObject[]> {
    const { messages } = await this.ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of objects');
    this.exchanged.push(...messages.map((message) => ({ message: message, isOwn: true })));
    for (const message of messages) {
      const time = timeIn(message);
      this.#skew = Math.max(this.#skew, time - Date.now());
      this.#latest = Math.max(this.#latest, time);
    }
    return messages;
  }

  #noteLag(lag: number, real: number): void {
    this.#lag = Math.max(this.#lag, lag);
    this.#realLag = Math.max(this.#realLag, real);
  }

  async #pause(): Promise<void> {
    await sleep(pauseMs, undefined, { signal: this.#context.signal });
  }
}

/** Milliseconds since 1970; minus infinity for a message without a readable time. */
function timeIn({ timestamp }: JsonObject): number {
  const time = Date.parse(String(timestamp));
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}
