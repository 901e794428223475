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
  /** Whether it has a clock that the suite can advance. */
  hasClock: boolean;
  /** All messages to and from the agent in the run, in order. */
  exchanged: Exchanged[];
  /** Milliseconds between two pieces of steady work: long if the clock can be advanced, short if the suite must wait in real time. */
  beat: number;
  /** Lets milliseconds pass for the agent, by its clock or in real time. */
  pass(milliseconds: number): Promise<void>;
  /** The longest delay of an awaited message so far, in milliseconds. */
  lag(): number;
  /** Waits for a moment of real time, without advancing the agent's clock. */
  pause(): Promise<void>;
  /** Waits until the agent would have handled the last message, given its longest delay so far. */
  settle(): Promise<void>;
  now(): Promise<number>;
  /** Makes a message to the agent; by default, the orchestrator is the sender. */
  message(type: string, members: JsonObject, envelope?: { from?: string; to?: string }): Promise<JsonObject>;
  deliver(message: JsonObject): Promise<void>;
  /** The messages that have reached the hub since the last call. */
  outbox(): Promise<JsonObject[]>;
  /** Waits for a matching message to the hub; undefined if none arrives within the bounds `message` and, with a clock, `moved-message`. */
  waitForMessage(matches: (message: JsonObject) => boolean): Promise<JsonObject | undefined>;
  /** Waits for a matching message within these milliseconds of real time; a clock is advanced by the same time. */
  waitWithin(matches: (message: JsonObject) => boolean, milliseconds: number): Promise<JsonObject | undefined>;
  /** Whether a condition becomes true within the bound `message` or, with a clock, within five beats. */
  becomesTrue(condition: () => Promise<boolean>): Promise<boolean>;
  /** The agent's handled messages and attempts. */
  reportWork(): Promise<WorkReport>;
  /** Like `reportWork`, but undefined if the agent does not support the hook. */
  reportWorkIfSupported(): Promise<WorkReport | undefined>;
  /** A test for timestamps after the present moment of the agent's clock, which allows for its longest delay so far. */
  moment(otherLag?: number): Promise<Moment>;
  /** Makes a message that stops the agent; by default, the orchestrator is the sender. */
  makeStop(urgency?: "immediate" | "graceful", from?: string): Promise<JsonObject>;
  /** Assigns a task to the agent, and tells its harness how the work proceeds. */
  assignWork(work: JsonObject, task?: JsonObject): Promise<{ task: string; message: JsonObject }>;
}

export interface Moment {
  /** Whether a message or an attempt was made after this moment. */
  isLater(dated: JsonObject): boolean;
}

/** The work that an agent reports with the hook `worked`. */
export interface WorkReport {
  handledIds: string[];
  attempts: JsonObject[];
}

const pauseMs = 10;
/** How often the outbox is read before the clock is advanced, so that an agent with timers can act. */
const readsBeforeAdvance = 8;

/** How often the clock is advanced, by a quarter of a beat each time, while the suite waits for a condition. */
const clockSteps = 20;

/** Starts the agent of a scenario, and drops messages from another run. */
export async function agentOf(context: ScenarioContext): Promise<AgentPlay> {
  const askHook = createAsk(context, "agent");
  const ask: Ask = (hook, input) => {
    if (hook === "assign") noteWork(context, input);
    return askHook(hook, input);
  };
  const play = new Play(context, { ask, hasClock: await hasClock(ask) });
  // Messages from before the first scenario belong to another run, and are not judged.
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
  readonly #maxWaitMs: number;
  readonly #maxMovedMs: number;
  /** The longest delay, in milliseconds of the agent's clock if it has one. */
  #lag = 0;
  /** The longest delay in milliseconds of real time. */
  #realLag = 0;
  /** How far the agent's clock is ahead of real time, as far as its messages show. */
  #skew = Number.NEGATIVE_INFINITY;
  /** The latest timestamp of its messages. */
  #latestTime = Number.NEGATIVE_INFINITY;
  /** Messages that were read together with an awaited one, and come after it. */
  #unread: JsonObject[] = [];

  constructor(context: ScenarioContext, { ask, hasClock }: { ask: Ask; hasClock: boolean }) {
    const { id } = context.setting.options ?? {};
    this.id = typeof id === "string" ? id : "specialist-code";
    this.ask = ask;
    this.hasClock = hasClock;
    this.exchanged = exchangeOf(context);
    this.beat = hasClock ? 10_000 : 200;
    this.#context = context;
    this.#scale = context.setting.timeScale ?? 1;
    this.#maxWaitMs = boundOf(context, "message");
    this.#maxMovedMs = boundOf(context, "moved-message");
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
    throw new TargetFailure("errored", "hook", 'the hook "clock" does not return the time as {"now": RFC 3339}');
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
    const messages = [...this.#unread, ...(await this.#fetch())];
    this.#unread = [];
    return messages;
  }

  async waitForMessage(matches: (message: JsonObject) => boolean): Promise<JsonObject | undefined> {
    const startedAt = performance.now();
    let passedMs = 0;
    for (let look = 0; ; look++) {
      const batch = await this.outbox();
      const index = batch.findIndex(matches);
      const realMs = performance.now() - startedAt;
      if (index >= 0) {
        this.#unread = batch.slice(index + 1);
        this.#recordLag(passedMs + realMs, realMs);
        return batch[index];
      }
      const canAdvance = this.hasClock && passedMs < this.#maxMovedMs;
      if (realMs > this.#maxWaitMs * this.#scale && !canAdvance) return undefined;
      // Advances the clock in small steps at first, since the agent's timers follow it.
      const step = passedMs < this.#maxWaitMs ? 500 : this.#maxWaitMs;
      if (canAdvance && look >= readsBeforeAdvance) {
        await this.pass(step);
        passedMs += step;
      } else await this.#pause();
    }
  }

  async waitWithin(matches: (message: JsonObject) => boolean, milliseconds: number): Promise<JsonObject | undefined> {
    const [startedAt, step] = [performance.now(), milliseconds / 10];
    for (let passedMs = 0; ; ) {
      const batch = await this.outbox();
      const index = batch.findIndex(matches);
      if (index >= 0) {
        this.#unread = batch.slice(index + 1);
        return batch[index];
      }
      this.#unread = batch;
      const realMs = performance.now() - startedAt;
      const canAdvance = this.hasClock && passedMs < milliseconds;
      if (realMs > milliseconds * this.#scale && !canAdvance) return undefined;
      if (canAdvance && realMs >= passedMs * this.#scale) {
        await this.pass(step);
        passedMs += step;
      }
      await this.#pause();
    }
  }

  async becomesTrue(condition: () => Promise<boolean>): Promise<boolean> {
    const startedAt = performance.now();
    const stepMs = this.beat / 4;
    const maxTries = this.hasClock ? clockSteps : (this.#maxWaitMs / stepMs) * this.#scale;
    for (let attempt = 0; attempt <= maxTries || performance.now() - startedAt < 1000 * this.#scale; attempt++) {
      if (attempt > clockSteps && this.hasClock) await this.#pause();
      if (await condition()) {
        const realMs = performance.now() - startedAt;
        const movedMs = this.hasClock ? Math.min(attempt, clockSteps) * stepMs : 0;
        this.#recordLag(movedMs + realMs, realMs);
        return true;
      }
      if (!this.hasClock || attempt < clockSteps) await this.pass(stepMs);
    }
    return false;
  }

  async reportWork(): Promise<WorkReport> {
    const { handled: handledIds, attempts } = await this.ask("worked", {});
    if (!Array.isArray(handledIds) || !Array.isArray(attempts))
      throw new TargetFailure("errored", "hook", 'the hook "worked" does not return {"handled": […], "attempts": […]}');
    return { handledIds: handledIds.map(String), attempts: attempts.filter(isObject) };
  }

  async reportWorkIfSupported(): Promise<WorkReport | undefined> {
    try {
      return await this.reportWork();
    } catch (error) {
      if (error instanceof TargetSkip) return undefined;
      throw error;
    }
  }

  async moment(otherLag = 0): Promise<Moment> {
    this.#unread.push(...(await this.#fetch()));
    const latestEarlierTime = Math.max((await this.now()) + 2 * Math.max(this.#lag, otherLag), this.#latestTime);
    const earlierMessages = new Set(this.#unread);
    return {
      // If a timestamp cannot be read, the order of arrival decides.
      isLater: (dated) =>
        !earlierMessages.has(dated) && !(Date.parse(String(dated.at ?? dated.timestamp)) <= latestEarlierTime),
    };
  }

  makeStop(urgency: "immediate" | "graceful" = "immediate", from = orchestrator): Promise<JsonObject> {
    const stop_details = { reason: "The branch is frozen.", urgency };
    const stopMessage = { cue_id: freshCue(this.#context), target_agents: [this.id], stop_details };
    // Both recipients are correct, so the scenarios use both.
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
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not return {"messages": […]} with objects');
    this.exchanged.push(...messages.map((message) => ({ message, isOwn: true })));
    for (const message of messages) {
      const time = timestampOf(message);
      this.#skew = Math.max(this.#skew, time - Date.now());
      this.#latestTime = Math.max(this.#latestTime, time);
    }
    return messages;
  }

  #recordLag(lag: number, real: number): void {
    this.#lag = Math.max(this.#lag, lag);
    this.#realLag = Math.max(this.#realLag, real);
  }

  async #pause(): Promise<void> {
    await sleep(pauseMs, undefined, { signal: this.#context.signal });
  }
}

/** The time of a message in milliseconds since 1970; minus infinity if it cannot be read. */
function timestampOf({ timestamp }: JsonObject): number {
  const time = Date.parse(String(timestamp));
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}
