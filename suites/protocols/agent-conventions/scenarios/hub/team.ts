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
/** How often the outbox is read before the clock is moved. */
const lookCount = 8;
/** The time in milliseconds within which a hub that does not wait for an answer sends its message too early. */
const hasteMs = 300;

/** The phases of a cue, in order. */
const phases = ["warning", "standby", "go"] as const;
export type Phase = (typeof phases)[number];

/** An agent's answer to a message of a cue: it does as asked, is not ready, or is preparing; it refuses (or refuses and says in the same message that it is ready); or it only says that the message has arrived. */
export type TeamAnswer = "does" | "unready" | "preparing" | "refuses" | "refuses-ready" | "arrived";

/** The agents of a scenario with a hub, played by the suite. */
export interface Team {
  ask: Ask;
  /** Whether the hub's clock can be moved. */
  hasClock: boolean;
  /** The messages of the hub to its agents so far. */
  all: JsonObject[];
  /** The same messages and the messages to the hub, in order. */
  exchanged: Exchanged[];
  /** The agents that withhold their answers to a phase. */
  silent: Map<string, Phase>;
  /** The agents that have completed their part of a cue. */
  agentsDone(cue: string): string[];
  /** Sends an agent's answer to the last message of a cue that it got. */
  answer(agent: string, cue: string, answerKind?: TeamAnswer): Promise<void>;
  /** Sends an agent's answer to one message, regardless of its recipient. */
  answerTo(agent: string, message: JsonObject, answerKind?: TeamAnswer): Promise<void>;
  deliver(message: JsonObject): Promise<void>;
  /** Continues until a matching message arrives; false if none does within the bound `message`, nor within `moved-cue` of a moved clock. Agents answer meanwhile. */
  comes(isIt: (message: JsonObject) => boolean): Promise<boolean>;
  /** Continues for three minutes by the moved clock. */
  outlast(): Promise<void>;
  /** Waits long enough to notice a hub that does not wait, allowing for the slowest delay of the hub so far. */
  linger(): Promise<void>;
}

/** A message of an agent to the hub. */
export function report(context: ScenarioContext, from: string, type: string, members: JsonObject): JsonObject {
  return message(context, type, { from, to: hub, at: Date.now() }, members);
}

/** Whether a message belongs to a phase of a cue, and is for an agent if one is given. */
export function isPhase(
  { message_type: type, cue_id, recipient }: JsonObject,
  cue: string,
  phase: Phase,
  agent?: string,
): boolean {
  const isTheirs = agent === undefined || recipient === agent || recipient === "broadcast";
  return isTheirs && cue_id === cue && type === `coord.${phase}`;
}

/** Forms the team. Its agents answer each message of a cue that is addressed to them or to all. */
export async function teamOf(context: ScenarioContext): Promise<Team> {
  const ask = createAsk(context, "hub");
  const team = new CueTeam(context, ask, await hasClock(ask));
  await team.dropEarlierMessages();
  return team;
}

class CueTeam implements Team {
  readonly ask: Ask;
  readonly hasClock: boolean;
  readonly all: JsonObject[] = [];
  readonly exchanged: Exchanged[];
  readonly silent: Team["silent"] = new Map();

  readonly #context: ScenarioContext;
  readonly #scale: number;
  /** The bound `moved-cue`. */
  readonly #farthest: number;
  readonly #pendingAnswers: { agent: string; message: JsonObject }[] = [];
  /** The agents that have completed their part, by cue. */
  readonly #completedAgents = new Map<string, string[]>();
  /** How far the clock was moved so far, in milliseconds. */
  #passedMs = 0;
  /** The slowest delay of an awaited message, by the moved clock and in real time. */
  readonly #lag = { moved: 0, real: 0 };

  constructor(context: ScenarioContext, ask: Ask, hasClock: boolean) {
    this.ask = ask;
    this.hasClock = hasClock;
    this.exchanged = exchangeOf(context);
    this.#context = context;
    this.#scale = context.setting.timeScale ?? 1;
    this.#farthest = boundOf(context, "moved-cue");
  }

  /** Drops the messages so far: those of another run are not judged, and those of earlier scenarios of this run were judged with them. */
  async dropEarlierMessages(): Promise<void> {
    const isFirst = this.exchanged.length === 0;
    await this.#readOutbox();
    this.all.length = 0;
    if (isFirst) this.exchanged.length = 0;
    this.#pendingAnswers.length = 0;
  }

  agentsDone(cue: string): string[] {
    return this.#completedAgents.get(cue) ?? [];
  }

  async answer(agent: string, cue: string, answerKind?: TeamAnswer): Promise<void> {
    const received = this.all.findLast((each) => phases.some((phase) => isPhase(each, cue, phase, agent)));
    if (received !== undefined) await this.answerTo(agent, received, answerKind);
  }

  async answerTo(agent: string, received: JsonObject, answerKind: TeamAnswer = "does"): Promise<void> {
    const cue = String(received.cue_id);
    if (isType(received, "coord.go") && answerKind === "does")
      this.#completedAgents.set(cue, [...this.agentsDone(cue), agent]);
    await this.deliver(ackOf(this.#context, agent, received, answerKind));
  }

  async deliver(message: JsonObject): Promise<void> {
    this.exchanged.push({ message, isOwn: false });
    await this.ask("deliver", { message });
  }

  async comes(isIt: (message: JsonObject) => boolean): Promise<boolean> {
    const [startedAt, startedMs] = [performance.now(), this.#passedMs];
    const movedMs = (): number => this.#passedMs - startedMs;
    const isLate = this.#after(boundOf(this.#context, "message"));
    const hasArrived = (): boolean => this.all.some(isIt);
    const isOver = (): boolean => isLate() && (!this.hasClock || movedMs() >= this.#farthest);
    await this.#passUntil(() => hasArrived() || isOver(), this.#farthest);
    if (!hasArrived()) return false;
    this.#lag.moved = Math.max(this.#lag.moved, movedMs());
    this.#lag.real = Math.max(this.#lag.real, performance.now() - startedAt);
    return true;
  }

  async outlast(): Promise<void> {
    for (let minutes = 0; minutes < 3; minutes += 0.25) {
      await this.#pass(15_000);
      await this.#passUntil(this.#after(pauseMs), 0);
    }
  }

  async linger(): Promise<void> {
    if (this.hasClock) await this.#pass(1000 + 2 * this.#lag.moved);
    const silence = Math.min(boundOf(this.#context, "silence"), (2 * this.#lag.real) / this.#scale);
    await this.#passUntil(this.#after(Math.max(hasteMs, silence)), 0);
  }

  /** Reads the new messages of the hub, and notes the answers that they need. */
  async #readOutbox(): Promise<void> {
    const { messages } = await this.ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of some objects');
    this.all.push(...messages);
    this.exchanged.push(...messages.map((message) => ({ message, isOwn: true })));
    for (const message of messages)
      for (const agent of agents) {
        const phase = phases.find((each) => isPhase(message, String(message.cue_id), each, agent));
        if (phase !== undefined && this.silent.get(agent) !== phase) this.#pendingAnswers.push({ agent, message });
      }
  }

  /** Moves the clock by these milliseconds. */
  async #pass(milliseconds: number): Promise<void> {
    this.#passedMs += milliseconds;
    await this.ask("clock", { advanceMs: milliseconds });
  }

  /** Answers the hub until a condition is true, and moves an idle clock by up to `farthest` milliseconds. */
  async #passUntil(condition: () => boolean, farthest: number): Promise<void> {
    const end = this.#passedMs + farthest;
    for (let look = 0; ; look++) {
      await this.#readOutbox();
      if (condition()) return;
      // One answer at a time, so that the hub's reaction shows before the next.
      const next = this.#pendingAnswers.shift();
      if (next !== undefined) {
        await this.answerTo(next.agent, next.message);
        look = 0;
      } else if (this.hasClock && look >= lookCount && this.#passedMs < end) await this.#pass(500);
      else await sleep(pauseMs, undefined, { signal: this.#context.signal });
    }
  }

  /** A condition that becomes true after these real milliseconds, by the setting's scale. */
  #after(milliseconds: number): () => boolean {
    const end = performance.now() + milliseconds * this.#scale;
    return () => performance.now() > end;
  }
}

/** An agent's answer to a message of a cue; the answer to go says that its part is complete. */
function ackOf(context: ScenarioContext, agent: string, received: JsonObject, answerKind: TeamAnswer): JsonObject {
  const { message_id: id = "", sender = hub, cue_id: cue = "" } = received;
  const about = { recipient: sender, acknowledging_message_id: id };
  const ackMembers = { coordination_ack: { cue_id: cue } };
  if (answerKind === "refuses" || answerKind === "refuses-ready") {
    const refused_details = { reason: "Another branch comes first.", can_reconsider: true };
    const coordination_ack = { cue_id: cue, ...(answerKind === "refuses" ? {} : { ready_status: "ready" }) };
    return report(context, agent, "ack.refused", { ...about, refused_details, coordination_ack });
  }
  if (answerKind === "arrived") return report(context, agent, "ack.received", { ...about, ...ackMembers });
  // An agent's understanding of a standby is easily mistaken for readiness.
  const [level = "ack.understood"] =
    answerKind === "unready" ? [] : drawItems(context, ["ack.understood", "ack.received"]);
  if (isType(received, "coord.warning")) return report(context, agent, level, { ...about, ...ackMembers });
  const isReady = answerKind === "does";
  const state = {
    ready_status: isReady ? "ready" : answerKind === "unready" ? "not_ready" : answerKind,
    preparation_complete: isReady,
  };
  if (isType(received, "coord.standby"))
    return report(context, agent, level, { ...about, coordination_ack: { cue_id: cue, ...state } });
  const completed_details = { result: "success", completion_time: timeOf(Date.now()) };
  return report(context, agent, "ack.completed", { ...about, completed_details, ...ackMembers });
}
