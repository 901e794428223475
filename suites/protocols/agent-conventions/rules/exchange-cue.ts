import { type Checker, canonical } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { messagesOf, type TracedMessage } from "./traced-messages.ts";

const documents = ["exchange"] as const;
const phases = ["warning", "standby", "go"];

/** The participants, if a message names them. */
function targetsIn({ message }: TracedMessage): string[] | undefined {
  const isGiven = Array.isArray(member(message, "target_agents"));
  return isGiven ? textsAt(message, "target_agents").map(({ text }) => text) : undefined;
}

const sameTargets = (targets: readonly string[]): string => canonical([...new Set(targets)].sort());

/** A phase may be sent to each target separately, so it may be repeated. A stopped cue may start again. */
const phaseChecker: Checker = {
  rule: "CONV-CUE-001",
  documents,
  *check(trace) {
    const cues = new Map<string, { phase: number; targets: string[] | undefined }>();
    for (const tracedMessage of messagesOf(trace)) {
      const { at, message, category, specific } = tracedMessage;
      const cue = textAt(message, "cue_id");
      if (category !== "coord" || cue === undefined) continue;
      if (specific === "stop") cues.delete(cue);
      const phase = phases.indexOf(specific);
      if (phase < 0) continue;
      const before = cues.get(cue) ?? { phase: -1, targets: undefined };
      const targets = targetsIn(tracedMessage);
      if (phase !== before.phase && phase !== before.phase + 1)
        yield {
          at,
          why: `is the ${specific} of ${cue}, ${before.phase < 0 ? "its first message" : `after its ${phases[before.phase]}`}`,
        };
      else if (
        targets !== undefined &&
        before.targets !== undefined &&
        sameTargets(before.targets) !== sameTargets(targets)
      )
        yield { at: `${at}/target_agents`, why: `differ from those in the ${phases[before.phase]} of ${cue}` };
      // No text says that a phase without targets is for the targets of the previous phase.
      else if (targets === undefined && before.targets !== undefined)
        yield {
          at,
          level: "SHOULD",
          mustPass: true,
          why: `is the ${specific} of ${cue}, and does not name its targets ${before.targets.join(", ")}`,
        };
      cues.set(cue, { phase, targets: before.targets ?? targets });
    }
  },
};

/** One phase of a cue: its messages, and the agents that gave an answer that counts. */
interface CuePhase {
  ids: Set<string>;
  by: Set<string>;
  /** The agents that refused afterwards. Whether this withdraws the answer is not specified. */
  refusingAgents: Set<string>;
}

interface ExchangedCue {
  targets: string[];
  warning: CuePhase;
  standby: CuePhase;
}

const newPhase = (): CuePhase => ({ ids: new Set(), by: new Set(), refusingAgents: new Set() });

const newCue = (): ExchangedCue => ({
  targets: [],
  warning: newPhase(),
  standby: newPhase(),
});

const answerChecker: Checker = {
  rule: "CONV-CUE-002",
  documents,
  *check(trace) {
    const cues = new Map<string, ExchangedCue>();
    for (const tracedMessage of messagesOf(trace)) {
      const { at, message, id, category, specific } = tracedMessage;
      if (category === "ack") for (const [name, cue] of cues) answer(name, cue, tracedMessage);
      const name = textAt(message, "cue_id");
      if (category !== "coord" || name === undefined) continue;
      if (specific === "stop") cues.delete(name);
      if (!phases.includes(specific)) continue;
      const cue = cues.get(name) ?? newCue();
      cues.set(name, cue);
      const before = specific === "standby" ? cue.warning : specific === "go" ? cue.standby : undefined;
      const silent = cue.targets.filter((target) => before?.ids.size && !before.by.has(target));
      if (silent.length > 0)
        yield {
          at,
          why: `comes before ${silent.join(", ")} ${specific === "go" ? "is ready" : "has acknowledged the warning"}`,
          ...(silent.every((target) => before?.refusingAgents.has(target)) ? { level: "SHOULD" } : {}),
        };
      cue.targets = targetsIn(tracedMessage) ?? cue.targets;
      if (specific === "warning" || specific === "standby") cue[specific].ids.add(id);
    }
  },
};

/** Records an acknowledgment. For a warning, any answer except a refusal counts. For a standby, only `ready` counts, until it is withdrawn. */
function answer(
  name: string,
  { warning, standby }: ExchangedCue,
  { message, about = "", sender, specific }: TracedMessage,
): void {
  const details = member(message, "coordination_ack");
  const state = textAt(details, "ready_status");
  const isNamed = textAt(details, "cue_id") === name;
  if (specific !== "refused" && (isNamed || warning.ids.has(about))) warning.by.add(sender);
  if (standby.ids.size === 0 || !(isNamed || standby.ids.has(about))) return;
  if (specific === "refused") {
    if (standby.by.delete(sender)) standby.refusingAgents.add(sender);
  } else if (state !== undefined) {
    standby.refusingAgents.delete(sender);
    if (state === "ready") standby.by.add(sender);
    else standby.by.delete(sender);
  }
}

export const exchangeCueCheckers: readonly Checker[] = [phaseChecker, answerChecker];
