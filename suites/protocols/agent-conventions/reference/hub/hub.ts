import { randomUUID } from "node:crypto";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { Timers } from "../timers.ts";
import type { Validity } from "../validity.ts";

/** The decisions of a hub. A variant makes one of them wrongly, and a choice makes one differently, as the rules permit. */
export interface HubConduct {
  /** The destination of messages of a category; undefined for an unknown category. */
  route(category: string, specific: string): string | undefined;
  /** Whether an invalid message is passed on, and how its sender learns about the error. */
  handleInvalid(): { isPassedOn: boolean; error: "raised" | "sent" | "none" };
  /** Whether a completed cue starts the cue in its auto_follow. */
  startsNextCue(): boolean;
  /** How many of `count` agents must answer before the next phase. */
  requiredAnswers(count: number, phase: string): number;
  /** Whether this ready_status, in an acknowledgment of this type, permits the go. */
  isReady(state: string, type: string): boolean;
  /** Whether a ready agent may withdraw its readiness. */
  allowsWithdrawal(): boolean;
  /** Whether a message of this type is an answer to a phase. */
  isAnswer(type: string, phase: string): boolean;
  /** Whether the hub waits for an agent's answer. */
  isTarget(agent: string, targets: readonly string[]): boolean;
  /** Whether an acknowledgment refers to the current phase of a cue. */
  isAbout(ack: JsonObject, phase: { cue: string; ids: ReadonlySet<string> }): boolean;
  /** The messages that the hub sends when it starts. */
  initialMessages(): readonly JsonObject[];
  /** Additional members of the messages of a phase. */
  details(phase: string): JsonObject;
  /** The agent id of the orchestrator. */
  orchestrator(): string;
  /** Whether a phase is repeated to agents that have not answered. */
  repeatsPhase(phase: string): boolean;
  /** Milliseconds until the agents receive the hub's messages. */
  deliveryDelay(): number;
  /** A key for an answer: answers with the same key count once. */
  answerKey(agent: string, id: string): string;
  /** The next phase. */
  nextPhase(phase: HubPhase): HubPhase;
  /** The final form of a message. */
  finishMessage(message: JsonObject): JsonObject;
  /** The recipients of a phase of a cue, each with a separate message. */
  cueRecipients(targets: readonly string[]): readonly string[];
  /** Milliseconds after which the hub continues without the missing answers; undefined if it waits for them. */
  maxWait(phase: HubPhase): number | undefined;
}

const routes: Readonly<Record<string, string>> = {
  escalation: "escalations",
  status: "monitoring",
  task: "tasks",
  coord: "cues",
  ack: "sender",
};

/** The decisions that the rules require. */
export const correctHubConduct: HubConduct = {
  route: (category) => (Object.hasOwn(routes, category) ? routes[category] : undefined),
  handleInvalid: () => ({ isPassedOn: false, error: "raised" }),
  startsNextCue: () => true,
  requiredAnswers: (count) => count,
  isReady: (state) => state === "ready",
  allowsWithdrawal: () => true,
  isAnswer: (type, phase) => (phase === "go" ? type === "ack.completed" : type !== "ack.refused"),
  answerKey: (agent) => agent,
  nextPhase: (phase) => phaseAfter[phase],
  finishMessage: (message) => message,
  isAbout: ({ acknowledging_message_id: id, coordination_ack: ack }, { cue, ids }) =>
    ids.has(String(id).toLowerCase()) || (isObject(ack) && ack.cue_id === cue),
  isTarget: (agent, targets) => targets.includes(agent),
  initialMessages: () => [],
  details: () => ({}),
  orchestrator: () => "orchestrator-main",
  repeatsPhase: () => false,
  deliveryDelay: () => 0,
  cueRecipients: () => ["broadcast"],
  maxWait: () => undefined,
};

export type HubPhase = "warning" | "standby" | "go" | "done";
const phaseAfter: Record<HubPhase, HubPhase> = { warning: "standby", standby: "go", go: "done", done: "done" };

/** The time after which a hub may repeat a phase, in milliseconds. */
const repetitionDelayMs = 2000;

interface HubCue {
  targets: string[];
  nextCue: string | undefined;
  phase: HubPhase;
  /** Agents that have answered the message of this phase. */
  answeringAgents: Set<string>;
  /** Ids of the messages of this phase, in lower case. */
  ids: Set<string>;
}

/** A hub with its orchestrator. */
export class Hub {
  readonly #timers = new Timers();
  #outbox: { message: JsonObject; dueAt: number }[] = [];
  readonly #cues = new Map<string, HubCue>();
  readonly #conduct: HubConduct;
  readonly #validity: Validity;

  constructor(conduct: HubConduct, validity: Validity) {
    this.#conduct = conduct;
    this.#validity = validity;
    for (const message of conduct.initialMessages()) this.#send(message);
  }

  /** Answers a hook. */
  ask(hook: string, input: JsonObject): JsonObject {
    this.#timers.runDue();
    if (hook === "deliver") return this.#deliver(isObject(input.message) ? input.message : {});
    if (hook === "assign") return this.#assign(input);
    if (hook === "clock") {
      this.#timers.advance(Number(input.advanceMs ?? 0));
      return { now: this.#now() };
    }
    if (hook !== "outbox") return { skipped: `there is no hook ${hook}` };
    const firstPending = this.#outbox.findIndex(({ dueAt }) => dueAt > this.#timers.now());
    const delivered = this.#outbox.splice(0, firstPending < 0 ? this.#outbox.length : firstPending);
    return { messages: delivered.map(({ message }) => message) };
  }

  #now(): string {
    return new Date(this.#timers.now()).toISOString();
  }

  #deliver(message: JsonObject): JsonObject {
    const [category = "", specific = ""] = String(message.message_type).split(".");
    const destination = this.#conduct.route(category, specific);
    const isKnown = Object.hasOwn(routes, category);
    if (destination === undefined && !isKnown) return { refused: `no agent is registered for ${message.message_type}` };
    if (!isKnown) return { to: destination as string };
    const why = this.#validity(message)?.why;
    if (why !== undefined) {
      const { isPassedOn, error } = this.#conduct.handleInvalid();
      if (error === "raised") return { refused: why };
      if (error === "sent") this.#reportInvalid(message, why);
      if (!isPassedOn) return {};
    }
    if (category === "ack") this.#recordAnswer(message);
    return destination === undefined
      ? { refused: `the table has no destination for ${message.message_type}` }
      : { to: destination };
  }

  #assign({ cues, begin }: JsonObject): JsonObject {
    for (const cue of (Array.isArray(cues) ? cues : []).filter(isObject)) {
      const targets = (Array.isArray(cue.target_agents) ? cue.target_agents : []).map(String);
      const nextCue = cue.auto_follow === undefined ? undefined : String(cue.auto_follow);
      this.#cues.set(String(cue.cue_id), {
        targets,
        nextCue,
        phase: "warning",
        answeringAgents: new Set(),
        ids: new Set(),
      });
    }
    this.#sendPhase(String(begin));
    return {};
  }

  /** Records an answer to the current phase of a cue, and starts the next phase when all answers have arrived. */
  #recordAnswer(message: JsonObject): void {
    for (const [name, cue] of this.#cues) {
      const agent = String(message.sender);
      if (cue.phase === "done" || cue.ids.size === 0 || !this.#conduct.isTarget(agent, cue.targets)) continue;
      if (!this.#conduct.isAbout(message, { cue: name, ids: cue.ids })) continue;
      if (!this.#conduct.isAnswer(String(message.message_type), cue.phase)) continue;
      const { ready_status: state } = isObject(message.coordination_ack) ? message.coordination_ack : {};
      if (cue.phase === "standby" && !this.#conduct.isReady(String(state), String(message.message_type))) {
        if (state !== undefined && this.#conduct.allowsWithdrawal()) cue.answeringAgents.delete(agent);
        continue;
      }
      cue.answeringAgents.add(this.#conduct.answerKey(agent, String(message.message_id)));
      if (cue.answeringAgents.size < this.#conduct.requiredAnswers(cue.targets.length, cue.phase)) continue;
      this.#startNextPhase(name, cue);
      return;
    }
  }

  #startNextPhase(name: string, cue: HubCue): void {
    cue.phase = this.#conduct.nextPhase(cue.phase);
    cue.answeringAgents.clear();
    cue.ids.clear();
    if (cue.phase !== "done") this.#sendPhase(name);
    else if (cue.nextCue !== undefined && this.#conduct.startsNextCue()) this.#sendPhase(cue.nextCue);
  }

  /** Reports an invalid message to its sender. */
  #reportInvalid({ sender: recipient = "broadcast", message_type: type = "" }: JsonObject, description: string): void {
    this.#send({
      recipient,
      message_type: "escalation.error",
      severity: "HIGH",
      category: "validation",
      description,
      suggested_action: "Send a message that is valid by its schema.",
      can_retry: true,
      requires_human: false,
      context: { operation: `validation of ${type}`, expected: "a valid message", actual: description },
    });
  }

  #send(input: JsonObject): JsonObject {
    const base = { message_id: randomUUID(), timestamp: this.#now(), sender: this.#conduct.orchestrator() };
    const message = this.#conduct.finishMessage({ ...base, ...input });
    this.#outbox.push({ message, dueAt: this.#timers.now() + this.#conduct.deliveryDelay() });
    return message;
  }

  #sendPhase(id: string): void {
    const cue = this.#cues.get(id);
    if (cue === undefined) return;
    const { phase } = cue;
    for (const recipient of this.#conduct.cueRecipients(cue.targets)) this.#sendPhaseTo(id, cue, recipient);
    const maxWait = this.#conduct.maxWait(phase);
    if (maxWait !== undefined)
      this.#timers.scheduleAfter(maxWait, () => {
        if (cue.phase === phase && cue.ids.size > 0) this.#startNextPhase(id, cue);
      });
    if (!this.#conduct.repeatsPhase(phase)) return;
    this.#timers.scheduleAfter(repetitionDelayMs, () => {
      if (cue.phase !== phase || cue.ids.size === 0) return;
      for (const target of cue.targets) if (!cue.answeringAgents.has(target)) this.#sendPhaseTo(id, cue, target);
    });
  }

  #sendPhaseTo(id: string, cue: HubCue, recipient: string): void {
    const { message_id: sentId } = this.#send({
      recipient,
      message_type: `coord.${cue.phase}`,
      cue_id: id,
      target_agents: cue.targets,
      ...(cue.nextCue === undefined ? {} : { auto_follow: cue.nextCue }),
      ...this.#conduct.details(cue.phase),
    });
    cue.ids.add(String(sentId).toLowerCase());
  }
}
