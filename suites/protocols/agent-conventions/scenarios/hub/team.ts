import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { type Ask, createAsk } from "../../../../running/scenarios/way/asking.ts";
import { boundOf } from "../bounds.ts";
import { hasClock } from "../clock.ts";
import { type Exchanged, exchangeOf } from "../exchanges.ts";
import { drawItems, hub, isType, message, timeOf } from "../messages.ts";

/** The agents that the suite plays. */
export const agents = ["specialist-code", "specialist-test"] as const;

/** The pause between two reads of the outbox. */
const pauseMs = 10;
/** How often the outbox is read before the clock is advanced. */
const readsBeforeAdvance = 8;
/** The shortest time, in milliseconds, to wait for a message that the hub must not send yet. */
const minSilenceMs = 300;

/** The phases of a cue, in order. */
const phases = ["warning", "standby", "go"] as const;
export type Phase = (typeof phases)[number];

/**
 * An agent's answer to a message of a cue: it complies, is not ready or is preparing; it refuses, perhaps with ready_status
 * ready; or it only confirms the arrival.
 */
export type TeamAnswer = "does" | "unready" | "preparing" | "refuses" | "refuses-ready" | "arrived";

/** The agents of a scenario with a hub, played by the suite. */
export interface Team {
  ask: Ask;
  /** Whether the hub has a clock that the suite can advance. */
  hasClock: boolean;
  /** The hub's messages to its agents so far. */
  messages: JsonObject[];
  /** All messages from and to the hub, in order. */
  exchanged: Exchanged[];
  /** The phase that an agent does not answer by itself, by agent. */
  withheld: Map<string, Phase>;
  /** The agents that have completed their part of a cue. */
  completedAgents(cue: string): string[];
  /** Sends an agent's answer to the last message of a cue that it received. */
  answer(agent: string, cue: string, answerKind?: TeamAnswer): Promise<void>;
  /** Sends an agent's answer to one message, regardless of its recipient. */
  answerTo(agent: string, message: JsonObject, answerKind?: TeamAnswer): Promise<void>;
  deliver(message: JsonObject): Promise<void>;
  /**
   * Waits for a matching message, while the agents answer. Returns false if none arrives within the bounds `message` and, with a
   * clock, `moved-cue`.
   */
  waitFor(matches: (message: JsonObject) => boolean): Promise<boolean>;
  /** Advances the clock by three minutes, while the agents answer. */
  passThreeMinutes(): Promise<void>;
  /** Waits long enough to notice a message that the hub must not send, given its longest delay so far. */
  settle(): Promise<void>;
}

/** A message from an agent to the hub. */
export function report(context: ScenarioContext, from: string, type: string, members: JsonObject): JsonObject {
  return message(context, type, { from, to: hub, at: Date.now() }, members);
}

/** Whether a message belongs to a phase of a cue and, if an agent is given, is addressed to it. */
export function isPhase(
  { message_type: type, cue_id, recipient }: JsonObject,
  cue: string,
  phase: Phase,
  agent?: string,
): boolean {
  const isAddressed = agent === undefined || recipient === agent || recipient === "broadcast";
  return isAddressed && cue_id === cue && type === `coord.${phase}`;
}

/** Starts a team, and drops messages from before. Its agents answer each message of a cue that is addressed to them or to all. */
export async function teamOf(context: ScenarioContext): Promise<Team> {
  const ask = createAsk(context, "hub");
  const team = new CueTeam(context, ask, await hasClock(ask));
  await team.dropEarlierMessages();
  return team;
}

class CueTeam implements Team {
  readonly ask: Ask;
  readonly hasClock: boolean;
  readonly messages: JsonObject[] = [];
  readonly exchanged: Exchanged[];
  readonly withheld: Team["withheld"] = new Map();

  readonly #context: ScenarioContext;
  readonly #scale: number;
  /** The bound `moved-cue`. */
  readonly #maxMovedMs: number;
  readonly #pendingAnswers: { agent: string; message: JsonObject }[] = [];
  /** The agents that have completed their part, by cue. */
  readonly #completedByCue = new Map<string, string[]>();
  /** How far the clock has been advanced, in milliseconds. */
  #movedMs = 0;
  /** The longest delay of an awaited message, in milliseconds of the advanced clock and of real time. */
  readonly #slowestDelay = { moved: 0, real: 0 };

  constructor(context: ScenarioContext, ask: Ask, hasClock: boolean) {
    this.ask = ask;
    this.hasClock = hasClock;
    this.exchanged = exchangeOf(context);
    this.#context = context;
    this.#scale = context.setting.timeScale ?? 1;
    this.#maxMovedMs = boundOf(context, "moved-cue");
  }

  /** Drops earlier messages. Those of another run are not judged; those of earlier scenarios already were. */
  async dropEarlierMessages(): Promise<void> {
    const isFirst = this.exchanged.length === 0;
    await this.#readOutbox();
    this.messages.length = 0;
    if (isFirst) this.exchanged.length = 0;
    this.#pendingAnswers.length = 0;
  }

  completedAgents(cue: string): string[] {
    return this.#completedByCue.get(cue) ?? [];
  }

  async answer(agent: string, cue: string, answerKind?: TeamAnswer): Promise<void> {
    const received = this.messages.findLast((message) => phases.some((phase) => isPhase(message, cue, phase, agent)));
    if (received !== undefined) await this.answerTo(agent, received, answerKind);
  }

  async answerTo(agent: string, received: JsonObject, answerKind: TeamAnswer = "does"): Promise<void> {
    const cue = String(received.cue_id);
    if (isType(received, "coord.go") && answerKind === "does")
      this.#completedByCue.set(cue, [...this.completedAgents(cue), agent]);
    await this.deliver(ackOf(this.#context, agent, received, answerKind));
  }

  async deliver(message: JsonObject): Promise<void> {
    this.exchanged.push({ message, isOwn: false });
    await this.ask("deliver", { message });
  }

  async waitFor(matches: (message: JsonObject) => boolean): Promise<boolean> {
    const [startedAt, startedMs] = [performance.now(), this.#movedMs];
    const movedMs = (): number => this.#movedMs - startedMs;
    const isLate = this.#elapsed(boundOf(this.#context, "message"));
    const hasArrived = (): boolean => this.messages.some(matches);
    const isOver = (): boolean => isLate() && (!this.hasClock || movedMs() >= this.#maxMovedMs);
    await this.#answerUntil(() => hasArrived() || isOver(), this.#maxMovedMs);
    if (!hasArrived()) return false;
    this.#slowestDelay.moved = Math.max(this.#slowestDelay.moved, movedMs());
    this.#slowestDelay.real = Math.max(this.#slowestDelay.real, performance.now() - startedAt);
    return true;
  }

  async passThreeMinutes(): Promise<void> {
    for (let minutes = 0; minutes < 3; minutes += 0.25) {
      await this.#advanceClock(15_000);
      await this.#answerUntil(this.#elapsed(pauseMs), 0);
    }
  }

  async settle(): Promise<void> {
    if (this.hasClock) await this.#advanceClock(1000 + 2 * this.#slowestDelay.moved);
    const silence = Math.min(boundOf(this.#context, "silence"), (2 * this.#slowestDelay.real) / this.#scale);
    await this.#answerUntil(this.#elapsed(Math.max(minSilenceMs, silence)), 0);
  }

  /** Reads the hub's new messages, and records which answers they need. */
  async #readOutbox(): Promise<void> {
    const { messages } = await this.ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not return {"messages": […]} with objects');
    this.messages.push(...messages);
    this.exchanged.push(...messages.map((message) => ({ message, isOwn: true })));
    for (const message of messages)
      for (const agent of agents) {
        const phase = phases.find((candidate) => isPhase(message, String(message.cue_id), candidate, agent));
        if (phase !== undefined && this.withheld.get(agent) !== phase) this.#pendingAnswers.push({ agent, message });
      }
  }

  /** Advances the clock. */
  async #advanceClock(milliseconds: number): Promise<void> {
    this.#movedMs += milliseconds;
    await this.ask("clock", { advanceMs: milliseconds });
  }

  /** Answers the hub until a condition is true. Advances the clock by up to `maxAdvanceMs` while the hub is idle. */
  async #answerUntil(condition: () => boolean, maxAdvanceMs: number): Promise<void> {
    const end = this.#movedMs + maxAdvanceMs;
    for (let look = 0; ; look++) {
      await this.#readOutbox();
      if (condition()) return;
      // Sends one answer at a time, so that the hub's reaction to it is seen before the next.
      const nextAnswer = this.#pendingAnswers.shift();
      if (nextAnswer !== undefined) {
        await this.answerTo(nextAnswer.agent, nextAnswer.message);
        look = 0;
      } else if (this.hasClock && look >= readsBeforeAdvance && this.#movedMs < end) await this.#advanceClock(500);
      else await sleep(pauseMs, undefined, { signal: this.#context.signal });
    }
  }

  /** A condition that becomes true after these milliseconds of real time, multiplied by `timeScale`. */
  #elapsed(milliseconds: number): () => boolean {
    const end = performance.now() + milliseconds * this.#scale;
    return () => performance.now() > end;
  }
}

/** An agent's answer to a message of a cue. The answer to a go reports its part as complete. */
function ackOf(context: ScenarioContext, agent: string, received: JsonObject, answerKind: TeamAnswer): JsonObject {
  const { message_id: id = "", sender = hub, cue_id: cue = "" } = received;
  const reference = { recipient: sender, acknowledging_message_id: id };
  const ackMembers = { coordination_ack: { cue_id: cue } };
  if (answerKind === "refuses" || answerKind === "refuses-ready") {
    const refused_details = { reason: "Another branch comes first.", can_reconsider: true };
    const coordination_ack = { cue_id: cue, ...(answerKind === "refuses" ? {} : { ready_status: "ready" }) };
    return report(context, agent, "ack.refused", { ...reference, refused_details, coordination_ack });
  }
  if (answerKind === "arrived") return report(context, agent, "ack.received", { ...reference, ...ackMembers });
  // Draws the level, since a hub may mistake ack.understood for readiness.
  const [level = "ack.understood"] =
    answerKind === "unready" ? [] : drawItems(context, ["ack.understood", "ack.received"]);
  if (isType(received, "coord.warning")) return report(context, agent, level, { ...reference, ...ackMembers });
  const isReady = answerKind === "does";
  const unreadyStatus = answerKind === "unready" ? "not_ready" : answerKind;
  const readiness = {
    ready_status: isReady ? "ready" : unreadyStatus,
    preparation_complete: isReady,
  };
  if (isType(received, "coord.standby"))
    return report(context, agent, level, { ...reference, coordination_ack: { cue_id: cue, ...readiness } });
  const completed_details = { result: "success", completion_time: timeOf(Date.now()) };
  return report(context, agent, "ack.completed", { ...reference, completed_details, ...ackMembers });
}
