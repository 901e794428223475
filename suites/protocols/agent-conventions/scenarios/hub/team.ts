import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject, type ScenarioContext, TargetFailure } from "../../../../../schemas/index.ts";
import { type Ask, asking } from "../../../../scenarios/way/asking.ts";
import { hub, isType, message, timeOf } from "../messages.ts";
import type { Exchanged } from "../recorded.ts";

/** The agents that the suite plays. */
export const agents = ["specialist-code", "specialist-test"] as const;

const patience = 5000;
const pause = 10;
/** Milliseconds in which a hub that does not wait for an answer says what it should not say yet. */
const haste = 300;

const phases = ["warning", "standby", "go"] as const;
export type Phase = (typeof phases)[number];

/** What an agent says of a message of a cue: what is asked of it, or that it is not ready, that it will not, that the message has arrived. */
export type Answer = "does" | "unready" | "refuses" | "arrived";

export interface Team {
  ask: Ask;
  /** Messages of the hub to its agents so far. */
  all: JsonObject[];
  /** The same with what was delivered to the hub, in order. */
  exchanged: Exchanged[];
  /** Agents that keep their answers to a phase to themselves. */
  silent: Map<string, Phase>;
  /** Agents that have done their part of a cue. */
  done(cue: string): string[];
  /** Sends what an agent says of the last message of a cue that it was sent. */
  answer(agent: string, cue: string, how?: Answer): Promise<void>;
  deliver(message: JsonObject): Promise<void>;
  /** Goes on until such a message has come; false when none does in five seconds. Agents answer meanwhile. */
  comes(isIt: (message: JsonObject) => boolean): Promise<boolean>;
  /** Goes on for so long that a hub in haste would show. */
  linger(): Promise<void>;
}

/** A message of an agent to the hub. */
export function report(context: ScenarioContext, from: string, type: string, more: JsonObject): JsonObject {
  return message(context, type, { from, to: hub, at: Date.now() }, more);
}

/** Whether a message is a phase of a cue, and for an agent if one is named. */
export function isPhase(
  { message_type: type, cue_id, recipient }: JsonObject,
  cue: string,
  phase: Phase,
  agent?: string,
): boolean {
  const isTheirs = agent === undefined || recipient === agent || recipient === "broadcast";
  return isTheirs && cue_id === cue && type === `coord.${phase}`;
}

/** Agents that answer each message of a cue that is addressed to them or to all, to whoever has sent it. */
export async function teamOf(context: ScenarioContext): Promise<Team> {
  const ask = asking(context, "hub");
  const scale = context.setting.timeScale ?? 1;
  const all: JsonObject[] = [];
  const exchanged: Exchanged[] = [];
  const waiting: { agent: string; said: JsonObject }[] = [];
  const done = new Map<string, string[]>();
  const silent: Team["silent"] = new Map();

  const look = async (): Promise<void> => {
    const { messages } = await ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject) || all.length + messages.length > 2000)
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of some objects');
    all.push(...messages);
    exchanged.push(...messages.map((each) => ({ message: each, isOwn: true })));
    for (const said of messages)
      for (const agent of agents) {
        const phase = phases.find((each) => isPhase(said, String(said.cue_id), each, agent));
        if (phase !== undefined && silent.get(agent) !== phase) waiting.push({ agent, said });
      }
  };
  const deliver = async (message: JsonObject): Promise<void> => {
    exchanged.push({ message, isOwn: false });
    await ask("deliver", { message });
  };
  const say = async (agent: string, said: JsonObject, how: Answer = "does"): Promise<void> => {
    if (isType(said, "coord.go") && how === "does")
      done.set(String(said.cue_id), [...(done.get(String(said.cue_id)) ?? []), agent]);
    await deliver(ackOf(context, agent, said, how));
  };
  const until = async (isOver: () => boolean): Promise<void> => {
    for (;;) {
      await look();
      if (isOver()) return;
      // One answer at a time, so that what the hub says of it shows before the next.
      const next = waiting.shift();
      if (next !== undefined) await say(next.agent, next.said);
      else await sleep(pause, undefined, { signal: context.signal });
    }
  };
  const after = (milliseconds: number): (() => boolean) => {
    const end = performance.now() + milliseconds * scale;
    return () => performance.now() > end;
  };
  await look();
  all.length = 0;
  exchanged.length = 0;
  waiting.length = 0;
  return {
    ...{ ask, all, exchanged, silent, deliver },
    done: (cue) => done.get(cue) ?? [],
    async answer(agent, cue, how) {
      const said = all.findLast((each) => phases.some((phase) => isPhase(each, cue, phase, agent)));
      if (said !== undefined) await say(agent, said, how);
    },
    async comes(isIt) {
      const isLate = after(patience);
      await until(() => all.some(isIt) || isLate());
      return all.some(isIt);
    },
    linger: () => until(after(haste)),
  };
}

/** What an agent answers to a message of a cue; to go, that it has done its part. */
function ackOf(context: ScenarioContext, agent: string, said: JsonObject, how: Answer): JsonObject {
  const { message_id: id = "", sender = hub, cue_id: cue = "" } = said;
  const about = { recipient: sender, acknowledging_message_id: id };
  const named = { coordination_ack: { cue_id: cue } };
  if (how === "refuses") {
    const refused_details = { reason: "Another branch comes first.", can_reconsider: true };
    return report(context, agent, "ack.refused", { ...about, refused_details, ...named });
  }
  if (how === "arrived") return report(context, agent, "ack.received", { ...about, ...named });
  if (isType(said, "coord.warning")) return report(context, agent, "ack.understood", { ...about, ...named });
  const isReady = how === "does";
  const state = { ready_status: isReady ? "ready" : "not_ready", preparation_complete: isReady };
  if (isType(said, "coord.standby"))
    return report(context, agent, "ack.understood", { ...about, coordination_ack: { cue_id: cue, ...state } });
  const completed_details = { result: "success", completion_time: timeOf(Date.now()) };
  return report(context, agent, "ack.completed", { ...about, completed_details, ...named });
}
