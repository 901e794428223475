import { randomUUID } from "node:crypto";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Validity } from "../validity.ts";

/** What a rule binds. A variant decides one of them wrongly. */
export interface HubConduct {
  /** Where messages of a category go; undefined for a category that fits nothing. */
  route(category: string, specific: string): string | undefined;
  /** What an invalid message comes to. */
  invalid(): { isHandedOn: boolean; error: "raised" | "sent" | "none" };
  /** Whether the cue begins that a complete one names. */
  follows(): boolean;
  /** How many answers of so many agents to a phase the next one waits for. */
  waitsFor(count: number, phase: string): number;
  /** Whether an agent with this ready_status lets the go come. */
  isReady(state: string): boolean;
  /** Whether a message counts as an answer to a phase that so many agents have answered. */
  counts(type: string, phase: string): boolean;
  /** How an answer is remembered: answers with one name are one. */
  answerOf(agent: string, id: string): string;
  /** What comes after a phase. */
  after(phase: Phase): Phase;
  /** How a message is in the end. */
  sent(message: JsonObject): JsonObject;
  /** To whom a message of a cue goes, one for each. */
  recipients(targets: readonly string[]): readonly string[];
}

const routes: Readonly<Record<string, string>> = {
  escalation: "escalations",
  status: "monitoring",
  task: "tasks",
  coord: "cues",
  ack: "sender",
};

/** What the rules ask for. */
export const right: HubConduct = {
  route: (category) => (Object.hasOwn(routes, category) ? routes[category] : undefined),
  invalid: () => ({ isHandedOn: false, error: "raised" }),
  follows: () => true,
  waitsFor: (count) => count,
  isReady: (state) => state === "ready",
  counts: (type, phase) => (phase === "go" ? type === "ack.completed" : type !== "ack.refused"),
  answerOf: (agent) => agent,
  after: (phase) => next[phase],
  sent: (message) => message,
  recipients: () => ["broadcast"],
};

export type Phase = "warning" | "standby" | "go" | "done";
const next: Record<Phase, Phase> = { warning: "standby", standby: "go", go: "done", done: "done" };

interface Cue {
  targets: string[];
  follow: string | undefined;
  phase: Phase;
  /** Agents that have answered the message of this phase. */
  answered: Set<string>;
}

/** A hub with the orchestrator behind it. */
export class Hub {
  #sent: JsonObject[] = [];
  readonly #cues = new Map<string, Cue>();
  readonly #conduct: HubConduct;
  readonly #validity: Validity;

  constructor(conduct: HubConduct, validity: Validity) {
    this.#conduct = conduct;
    this.#validity = validity;
  }

  /** Answers a hook. */
  ask(hook: string, given: JsonObject): JsonObject {
    if (hook === "deliver") return this.#deliver(isObject(given.message) ? given.message : {});
    if (hook === "assign") return this.#assign(given);
    if (hook !== "outbox") return { skipped: `there is no hook ${hook}` };
    const messages = this.#sent;
    this.#sent = [];
    return { messages };
  }

  #deliver(message: JsonObject): JsonObject {
    const [category = "", specific = ""] = String(message.message_type).split(".");
    const to = this.#conduct.route(category, specific);
    if (to === undefined) return { refused: `nobody is there for ${message.message_type}` };
    if (!Object.hasOwn(routes, category)) return { to };
    const why = this.#validity(message);
    if (why !== undefined) {
      const { isHandedOn, error } = this.#conduct.invalid();
      if (error === "raised") return { refused: why };
      if (error === "sent") this.#complain(message, why);
      if (!isHandedOn) return {};
    }
    if (category === "ack" && isObject(message.coordination_ack)) this.#answered(message.coordination_ack, message);
    return { to };
  }

  #assign({ cues, begin }: JsonObject): JsonObject {
    for (const cue of (Array.isArray(cues) ? cues : []).filter(isObject)) {
      const targets = (Array.isArray(cue.target_agents) ? cue.target_agents : []).map(String);
      const follow = cue.auto_follow === undefined ? undefined : String(cue.auto_follow);
      this.#cues.set(String(cue.cue_id), { targets, follow, phase: "warning", answered: new Set() });
    }
    this.#say(String(begin));
    return {};
  }

  #answered(ack: JsonObject, message: JsonObject): void {
    const [id, agent] = [String(ack.cue_id), String(message.sender)];
    const cue = this.#cues.get(id);
    if (cue === undefined || !cue.targets.includes(agent)) return;
    if (!this.#conduct.counts(String(message.message_type), cue.phase)) return;
    if (cue.phase === "standby" && !this.#conduct.isReady(String(ack.ready_status))) return;
    cue.answered.add(this.#conduct.answerOf(agent, String(message.message_id)));
    if (cue.answered.size < this.#conduct.waitsFor(cue.targets.length, cue.phase)) return;
    cue.phase = this.#conduct.after(cue.phase);
    cue.answered.clear();
    if (cue.phase !== "done") this.#say(id);
    else if (cue.follow !== undefined && this.#conduct.follows()) this.#say(cue.follow);
  }

  /** Tells the sender of a message what is wrong with it. */
  #complain({ sender: recipient = "broadcast", message_type: type = "" }: JsonObject, description: string): void {
    this.#send({
      ...{ message_id: randomUUID(), timestamp: new Date().toISOString(), sender: "orchestrator-main", recipient },
      ...{ message_type: "escalation.error", severity: "HIGH", category: "validation", description },
      context: { operation: `validation of ${type}` },
    });
  }

  #send(message: JsonObject): void {
    this.#sent.push(this.#conduct.sent(message));
  }

  #say(id: string): void {
    const cue = this.#cues.get(id);
    if (cue === undefined) return;
    for (const recipient of this.#conduct.recipients(cue.targets))
      this.#send({
        ...{ message_id: randomUUID(), timestamp: new Date().toISOString(), sender: "orchestrator-main" },
        ...{ recipient, message_type: `coord.${cue.phase}`, cue_id: id, target_agents: cue.targets },
        ...(cue.follow === undefined ? {} : { auto_follow: cue.follow }),
      });
  }
}
