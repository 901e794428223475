import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { type Ask, createAsk } from "../../../../running/scenarios/way/asking.ts";
import { boundOf } from "../bounds.ts";
import { hasClock } from "../clock.ts";
import { type Exchanged, exchangeOf } from "../exchanges.ts";
import { drawItems, hub, isType, message, timeOf } from "../messages.ts";

/** The agents that the suite plays. */
export const agents = ["specialist-code", "specialist-test"] as const;

const pauseMs = 10;
/** How often the outbox is read before the clock is moved. */
const lookCount = 8;
/** The time in milliseconds within which a hub that does not wait for an answer sends its message too early. */
const hasteMs = 300;

const phases = ["warning", "standby", "go"] as const;
export type Phase = (typeof phases)[number];

/** An agent's answer to a message of a cue: it does as asked, is not ready, or is preparing; it refuses (or refuses and says in the same message that it is ready); or it only says that the message has arrived. */
export type TeamAnswer = "does" | "unready" | "preparing" | "refuses" | "refuses-ready" | "arrived";

export interface Team {
  ask: Ask;
  /** Whether the hub's clock can be moved. */
  hasClock: boolean;
  /** Messages of the hub to its agents so far. */
  all: JsonObject[];
  /** The same messages and the messages to the hub, in order. */
  exchanged: Exchanged[];
  /** Agents that withhold their answers to a phase. */
  silent: Map<string, Phase>;
  /** Agents that have completed their part of a cue. */
  agentsDone(cue: string): string[];
  /** Sends an agent's answer to the last message of a cue that it got. */
  answer(agent: string, cue: string, answerKind?: TeamAnswer): Promise<void>;
  /** The same for one message, regardless of its recipient. */
  answerTo(agent: string, message: JsonObject, answerKind?: TeamAnswer): Promise<void>;
  deliver(message: JsonObject): Promise<void>;
  /** Continues until a matching message arrives; false if none does within the bound `message`, nor within `moved-cue` of a moved clock. Agents answer meanwhile. */
  comes(isIt: (message: JsonObject) => boolean): Promise<boolean>;
  /** Continues for three minutes of the moved clock. */
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

/** Agents that answer each message of a cue that is addressed to them or to all. */
export async function teamOf(context: ScenarioContext): Promise<Team> {
  const ask = createAsk(context, "hub");
  const scale = context.setting.timeScale ?? 1;
  const farthest = boundOf(context, "moved-cue");
  const all: JsonObject[] = [];
  const exchanged: Exchanged[] = exchangeOf(context);
  const pendingAnswers: { agent: string; message: JsonObject }[] = [];
  const completedAgents = new Map<string, string[]>();
  const silent: Team["silent"] = new Map();

  const watch = async (): Promise<void> => {
    const { messages } = await ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject))
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of some objects');
    all.push(...messages);
    exchanged.push(...messages.map((message) => ({ message: message, isOwn: true })));
    for (const said of messages)
      for (const agent of agents) {
        const phase = phases.find((each) => isPhase(said, String(said.cue_id), each, agent));
        if (phase !== undefined && silent.get(agent) !== phase) pendingAnswers.push({ agent, message: said });
      }
  };
  const deliver = async (message: JsonObject): Promise<void> => {
    exchanged.push({ message, isOwn: false });
    await ask("deliver", { message });
  };
  const say = async (agent: string, said: JsonObject, answerKind: TeamAnswer = "does"): Promise<void> => {
    if (isType(said, "coord.go") && answerKind === "does")
      completedAgents.set(String(said.cue_id), [...(completedAgents.get(String(said.cue_id)) ?? []), agent]);
    await deliver(ackOf(context, agent, said, answerKind));
  };
  const clock = await hasClock(ask);
  let passedMs = 0;
  /** The slowest delay of an awaited message, by the moved clock and in real time. */
  const lag = { moved: 0, real: 0 };
  const pass = async (milliseconds: number): Promise<void> => {
    passedMs += milliseconds;
    await ask("clock", { advanceMs: milliseconds });
  };
  const passUntil = async (condition: () => boolean, farthest: number): Promise<void> => {
    const end = passedMs + farthest;
    for (let look = 0; ; look++) {
      await watch();
      if (condition()) return;
      // One answer at a time, so that the hub's reaction shows before the next.
      const next = pendingAnswers.shift();
      if (next !== undefined) {
        await say(next.agent, next.message);
        look = 0;
      } else if (clock && look >= lookCount && passedMs < end) await pass(500);
      else await sleep(pauseMs, undefined, { signal: context.signal });
    }
  };
  const after = (milliseconds: number): (() => boolean) => {
    const end = performance.now() + milliseconds * scale;
    return () => performance.now() > end;
  };
  const isFirst = exchanged.length === 0;
  await watch();
  all.length = 0;
  if (isFirst) exchanged.length = 0;
  pendingAnswers.length = 0;
  return {
    ask,
    hasClock: clock,
    all,
    exchanged,
    silent,
    deliver,
    agentsDone: (cue) => completedAgents.get(cue) ?? [],
    async answer(agent, cue, answerKind) {
      const said = all.findLast((each) => phases.some((phase) => isPhase(each, cue, phase, agent)));
      if (said !== undefined) await say(agent, said, answerKind);
    },
    async answerTo(agent, message, answerKind) {
      await say(agent, message, answerKind);
    },
    async comes(isIt) {
      const [startedAt, movedMs] = [performance.now(), passedMs];
      const isLate = after(boundOf(context, "message"));
      const hasArrived = (): boolean => all.some(isIt);
      await passUntil(() => hasArrived() || (isLate() && (!clock || passedMs - movedMs >= farthest)), farthest);
      if (!hasArrived()) return false;
      lag.moved = Math.max(lag.moved, passedMs - movedMs);
      lag.real = Math.max(lag.real, performance.now() - startedAt);
      return true;
    },
    async outlast() {
      for (let minutes = 0; minutes < 3; minutes += 0.25) {
        await pass(15_000);
        await passUntil(after(pauseMs), 0);
      }
    },
    async linger() {
      if (clock) await pass(1000 + 2 * lag.moved);
      const condition = after(Math.max(hasteMs, Math.min(boundOf(context, "silence"), (2 * lag.real) / scale)));
      await passUntil(condition, 0);
    },
  };
}

/** An agent's answer to a message of a cue; the answer to go says that its part is complete. */
function ackOf(context: ScenarioContext, agent: string, said: JsonObject, answerKind: TeamAnswer): JsonObject {
  const { message_id: id = "", sender = hub, cue_id: cue = "" } = said;
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
  if (isType(said, "coord.warning")) return report(context, agent, level, { ...about, ...ackMembers });
  const isReady = answerKind === "does";
  const state = {
    ready_status: isReady ? "ready" : answerKind === "unready" ? "not_ready" : answerKind,
    preparation_complete: isReady,
  };
  if (isType(said, "coord.standby"))
    return report(context, agent, level, { ...about, coordination_ack: { cue_id: cue, ...state } });
  const completed_details = { result: "success", completion_time: timeOf(Date.now()) };
  return report(context, agent, "ack.completed", { ...about, completed_details, ...ackMembers });
}
