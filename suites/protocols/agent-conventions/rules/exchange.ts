import { recorded } from "../../../../generators/index.ts";
import { type Checker, canonical, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { categoryOf, member, specificOf, textAt, textsAt } from "./messages.ts";

const documents = ["exchange"] as const;

/** A recorded message with its place, and what it says of itself. */
interface Said {
  at: string;
  message: JsonObject;
  id: string;
  sender: string;
  category: string;
  specific: string;
}

function said(trace: Json): Said[] {
  return recorded(trace).sent.map(({ at, message }) => ({
    at,
    message,
    id: textAt(message, "message_id") ?? "",
    sender: textAt(message, "sender") ?? "",
    category: categoryOf(message),
    specific: specificOf(message),
  }));
}

const newIds: Checker = {
  rule: "CONV-BASE-014",
  documents,
  *check(trace) {
    const seen = new Set<string>();
    for (const { at, id, sender } of said(trace)) {
      const key = `${sender} ${id.toLowerCase()}`;
      if (id !== "" && seen.has(key))
        yield { at: `${at}/message_id`, why: `is ${id}, which ${sender} has used before` };
      seen.add(key);
    }
  },
};

const toSender: Checker = {
  rule: "CONV-ACK-006",
  documents,
  *check(trace) {
    const senders = new Map<string, string>();
    for (const { at, message, id, sender, category } of said(trace)) {
      const about = textAt(message, "acknowledging_message_id");
      if (category === "ack" && about !== undefined) {
        const to = senders.get(about);
        if (about === id) yield { at: `${at}/acknowledging_message_id`, why: "is the acknowledgment itself" };
        else if (to !== undefined && textAt(message, "recipient") !== to)
          yield {
            at: `${at}/recipient`,
            why: `is ${textAt(message, "recipient")}, and ${to} sent what is acknowledged`,
          };
      }
      senders.set(id, sender);
    }
  },
};

const levels = ["received", "understood", "completed"];

const forward: Checker = {
  rule: "CONV-ACK-007",
  documents,
  *check(trace) {
    const reached = new Map<string, { level: number; isRefused: boolean }>();
    for (const { at, message, sender, category, specific } of said(trace)) {
      const about = textAt(message, "acknowledging_message_id");
      if (category !== "ack" || about === undefined) continue;
      const key = `${sender} ${about}`;
      const before = reached.get(key) ?? { level: -1, isRefused: false };
      const level = levels.indexOf(specific);
      if (before.isRefused) yield { at, why: "follows upon a refusal that was final" };
      else if (level >= 0 && level < before.level)
        yield { at, why: `falls back to ${specific} after ${levels[before.level]}` };
      const canReconsider = member(member(message, "refused_details"), "can_reconsider") === true;
      reached.set(key, {
        level: Math.max(level, before.level),
        isRefused: before.isRefused || (specific === "refused" && !canReconsider),
      });
    }
  },
};

const phases = ["warning", "standby", "go"];

const inPhases: Checker = {
  rule: "CONV-CUE-001",
  documents,
  *check(trace) {
    const cues = new Map<string, { phase: number; targets: string }>();
    for (const { at, message, category, specific } of said(trace)) {
      const cue = textAt(message, "cue_id");
      const phase = phases.indexOf(specific);
      if (category !== "coord" || cue === undefined || phase < 0) continue;
      const before = cues.get(cue);
      const targets = canonical(
        textsAt(message, "target_agents")
          .map(({ text }) => text)
          .sort(),
      );
      if (phase !== (before?.phase ?? -1) + 1)
        yield {
          at,
          why: `is the ${specific} of ${cue}, ${before === undefined ? "its first message" : `after its ${phases[before.phase]}`}`,
        };
      else if (before !== undefined && before.targets !== targets)
        yield { at: `${at}/target_agents`, why: `are others than in the ${phases[before.phase]} of ${cue}` };
      cues.set(cue, { phase, targets: before?.targets ?? targets });
    }
  },
};

/** Who has acknowledged a phase of a cue, or declared itself ready for it. */
interface Cue {
  warning?: { id: string; targets: string[]; by: Set<string> };
  standby?: { id: string; targets: string[]; by: Set<string> };
}

const afterAnswers: Checker = {
  rule: "CONV-CUE-002",
  documents,
  *check(trace) {
    const cues = new Map<string, Cue>();
    for (const { at, message, id, sender, category, specific } of said(trace)) {
      if (category === "ack") answer(cues, message, sender, specific);
      const name = textAt(message, "cue_id");
      if (category !== "coord" || name === undefined) continue;
      const cue = cues.get(name) ?? {};
      cues.set(name, cue);
      const before = specific === "standby" ? cue.warning : specific === "go" ? cue.standby : undefined;
      const silent = before?.targets.filter((target) => !before.by.has(target)) ?? [];
      if (silent.length > 0)
        yield {
          at,
          why: `comes before ${silent.join(", ")} ${specific === "go" ? "is ready" : "has acknowledged the warning"}`,
        };
      const targets = textsAt(message, "target_agents").map(({ text }) => text);
      if (specific === "warning" || specific === "standby") cue[specific] = { id, targets, by: new Set() };
    }
  },
};

/** Takes note of an acknowledgment: of a warning any but a refusal counts, of a standby one that says `ready`, until it is taken back. */
function answer(cues: ReadonlyMap<string, Cue>, message: JsonObject, sender: string, specific: string): void {
  const about = textAt(message, "acknowledging_message_id");
  const details = member(message, "coordination_ack");
  const state = textAt(details, "ready_status");
  for (const [name, { warning, standby }] of cues) {
    const isNamed = textAt(details, "cue_id") === name;
    if (specific === "refused") continue;
    if (warning !== undefined && (about === warning.id || isNamed)) warning.by.add(sender);
    if (standby === undefined || !(about === standby.id || isNamed) || state === undefined) continue;
    if (state === "ready") standby.by.add(sender);
    else standby.by.delete(sender);
  }
}

/** What each task depends on, by the assignments so far. */
function needsOf(message: JsonObject): string[] {
  return textsAt(member(message, "task"), "dependencies").map(({ text }) => text);
}

/** The task at which a message shows somebody at work. */
function workOn({ message, category, specific }: Said): string | undefined {
  if (category === "status" && specific === "busy") return textAt(member(message, "context"), "current_task");
  if (category === "task" && (specific === "update" || specific === "complete")) return textAt(message, "task_id");
  return undefined;
}

function* dependent(
  trace: Json,
  isBlocked: (id: string, states: ReadonlyMap<string, string>) => boolean,
): Generator<{ at: string; task: string; on: string }> {
  const needs = new Map<string, string[]>();
  const states = new Map<string, string>();
  for (const each of said(trace)) {
    const { message, category, specific, at } = each;
    const id = textAt(message, "task_id");
    if (category === "task" && specific === "assignment" && id !== undefined) needs.set(id, needsOf(message));
    const task = workOn(each);
    const on = task === undefined ? undefined : needs.get(task)?.find((need) => isBlocked(need, states));
    if (task !== undefined && on !== undefined) yield { at, task, on };
    if (category === "task" && id !== undefined && (specific === "complete" || specific === "failed"))
      states.set(id, specific);
  }
}

const waits: Checker = {
  rule: "CONV-DEP-001",
  documents,
  *check(trace) {
    // A failed task is the matter of CONV-DEP-003.
    for (const { at, task, on } of dependent(trace, (need, states) => !states.has(need)))
      yield { at, why: `shows ${task} begun before ${on} is complete` };
  },
};

const staysBlocked: Checker = {
  rule: "CONV-DEP-003",
  documents,
  *check(trace) {
    for (const { at, task, on } of dependent(trace, (need, states) => states.get(need) === "failed"))
      yield { at, why: `shows ${task} begun although ${on} has failed` };
  },
};

const oneTierUp: Checker = {
  rule: "CONV-JID-002",
  documents,
  *check(trace) {
    const tiers = new Map<string, number>();
    for (const { at, message, category } of said(trace)) {
      const tier = member(message, "escalation_tier");
      const context = member(message, "context");
      if (category !== "escalation" || typeof tier !== "number") continue;
      const problem = canonical([textAt(context, "task_id") ?? null, textAt(context, "operation") ?? null]);
      const before = tiers.get(problem);
      if (before !== undefined && (tier < before || tier > before + 1))
        yield { at: `${at}/escalation_tier`, why: `is ${tier} after ${before}` };
      tiers.set(problem, tier);
    }
  },
};

const onlyNews: Checker = {
  rule: "CONV-ROUTE-003",
  documents,
  *check(trace) {
    const last = new Map<string, string>();
    for (const { at, message, sender, category } of said(trace)) {
      if (category !== "status") continue;
      const state = canonical([member(message, "status") ?? null, member(message, "context") ?? null]);
      if (last.get(sender) === state) yield { at, why: `repeats what ${sender} has said of itself` };
      last.set(sender, state);
    }
  },
};

export const exchangeCheckers: readonly Checker[] = [
  newIds,
  toSender,
  forward,
  inPhases,
  afterAnswers,
  waits,
  staysBlocked,
  oneTierUp,
  onlyNews,
];
