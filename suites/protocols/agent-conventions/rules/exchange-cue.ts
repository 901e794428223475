import { type Checker, canonical } from "../../../../schemas/index.ts";
import { member, textAt, textsAt } from "./messages.ts";
import { messagesOf, type TracedMessage } from "./traced-messages.ts";

const documents = ["exchange"] as const;
const phases = ["warning", "standby", "go"];

/** The target agents of a message; undefined if it does not name them. */
function targetsIn({ message }: TracedMessage): string[] | undefined {
  const hasTargets = Array.isArray(member(message, "target_agents"));
  return hasTargets ? textsAt(message, "target_agents").map(({ text }) => text) : undefined;
}

const targetsKey = (targets: readonly string[]): string => canonical([...new Set(targets)].sort());

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
      const previous = cues.get(cue) ?? { phase: -1, targets: undefined };
      const targets = targetsIn(tracedMessage);
      if (phase !== previous.phase && phase !== previous.phase + 1)
        yield {
          at,
          why: `is the ${specific} of ${cue}, ${previous.phase < 0 ? "its first message" : `after its ${phases[previous.phase]}`}`,
        };
      else if (
        targets !== undefined &&
        previous.targets !== undefined &&
        targetsKey(previous.targets) !== targetsKey(targets)
      )
        yield { at: `${at}/target_agents`, why: `differ from those in the ${phases[previous.phase]} of ${cue}` };
      // The specification does not say that a phase without targets has the targets of the previous phase.
      else if (targets === undefined && previous.targets !== undefined)
        yield {
          at,
          level: "SHOULD",
          mustPass: true,
          why: `is the ${specific} of ${cue}, but does not name its targets ${previous.targets.join(", ")}`,
        };
      cues.set(cue, { phase, targets: previous.targets ?? targets });
    }
  },
};

/** One phase of a cue: its messages, and the agents whose answers count. */
interface CuePhase {
  ids: Set<string>;
  answeringAgents: Set<string>;
  /** Agents that refused afterwards. The specification does not say whether this withdraws their answer. */
  refusingAgents: Set<string>;
}

interface ExchangedCue {
  targets: string[];
  warning: CuePhase;
  standby: CuePhase;
}

const makePhase = (): CuePhase => ({ ids: new Set(), answeringAgents: new Set(), refusingAgents: new Set() });

const makeCue = (): ExchangedCue => ({
  targets: [],
  warning: makePhase(),
  standby: makePhase(),
});

/** The phase that all targets must have answered before a phase is sent. */
function requiredPhaseOf(cue: ExchangedCue, phase: string): CuePhase | undefined {
  if (phase === "standby") return cue.warning;
  return phase === "go" ? cue.standby : undefined;
}

const answerChecker: Checker = {
  rule: "CONV-CUE-002",
  documents,
  *check(trace) {
    const cues = new Map<string, ExchangedCue>();
    for (const tracedMessage of messagesOf(trace)) {
      const { at, message, id, category, specific } = tracedMessage;
      if (category === "ack") for (const [name, cue] of cues) recordAnswer(name, cue, tracedMessage);
      const name = textAt(message, "cue_id");
      if (category !== "coord" || name === undefined) continue;
      if (specific === "stop") cues.delete(name);
      if (!phases.includes(specific)) continue;
      const cue = cues.get(name) ?? makeCue();
      cues.set(name, cue);
      const requiredPhase = requiredPhaseOf(cue, specific);
      const silentTargets = cue.targets.filter(
        (target) => requiredPhase?.ids.size && !requiredPhase.answeringAgents.has(target),
      );
      if (silentTargets.length > 0)
        yield {
          at,
          why: `is sent before ${silentTargets.join(", ")} ${specific === "go" ? "is ready" : "has acknowledged the warning"}`,
          ...(silentTargets.every((target) => requiredPhase?.refusingAgents.has(target)) ? { level: "SHOULD" } : {}),
        };
      cue.targets = targetsIn(tracedMessage) ?? cue.targets;
      if (specific === "warning" || specific === "standby") cue[specific].ids.add(id);
    }
  },
};

/** Records an acknowledgment. For a warning, any answer except a refusal counts. For a standby, only `ready` counts, until it is withdrawn. */
function recordAnswer(
  name: string,
  { warning, standby }: ExchangedCue,
  { message, about = "", sender, specific }: TracedMessage,
): void {
  const details = member(message, "coordination_ack");
  const state = textAt(details, "ready_status");
  const isNamed = textAt(details, "cue_id") === name;
  if (specific !== "refused" && (isNamed || warning.ids.has(about))) warning.answeringAgents.add(sender);
  if (standby.ids.size === 0 || !(isNamed || standby.ids.has(about))) return;
  if (specific === "refused") {
    if (standby.answeringAgents.delete(sender)) standby.refusingAgents.add(sender);
  } else if (state !== undefined) {
    standby.refusingAgents.delete(sender);
    if (state === "ready") standby.answeringAgents.add(sender);
    else standby.answeringAgents.delete(sender);
  }
}

export const exchangeCueCheckers: readonly Checker[] = [phaseChecker, answerChecker];
