import { breaks, type PartyMistake } from "../party-mistakes.ts";
import type { HubConduct } from "./hub.ts";

/** Starts a following cue only once. */
function followOnce(): Partial<HubConduct> {
  let count = 0;
  return { startsNextCue: () => ++count < 2 };
}

/** Hubs that each break one rule. */
export const hubVariants: readonly PartyMistake<HubConduct>[] = [
  ...breaks<HubConduct>("CONV-CUE-001", {
    "": [
      "sends go without a standby",
      (correctConduct) => ({ nextPhase: (phase) => (phase === "warning" ? "go" : correctConduct.nextPhase(phase)) }),
    ],
  }),
  ...breaks<HubConduct>("CONV-CUE-002", {
    "": [
      "sends a standby before the last agent has acknowledged the warning",
      { requiredAnswers: (count, phase) => (phase === "warning" ? count - 1 : count) },
    ],
    unready: ["sends go although an agent has reported that it is not ready", { isReady: () => true }],
    once: ["sends go although an agent has withdrawn its readiness", { allowsWithdrawal: () => false }],
    warned: [
      "counts a late acknowledgment of the warning as readiness",
      (correctConduct) => ({ isReady: (state, type) => state === "undefined" || correctConduct.isReady(state, type) }),
    ],
    preparing: [
      "sends go while an agent is still preparing",
      (correctConduct) => ({ isReady: (state, type) => state === "preparing" || correctConduct.isReady(state, type) }),
    ],
    understood: [
      "treats an agent that understands a standby as ready",
      (correctConduct) => ({
        isReady: (state, type) => type === "ack.understood" || correctConduct.isReady(state, type),
      }),
    ],
    anybody: ["counts the answer of an agent that is not a target", { isTarget: () => true }],
    "other-cue": ["counts an answer to a different cue", { isAbout: (_, { ids }) => ids.size > 0 }],
    counting: ["counts acknowledgments instead of agents", { answerKey: (_, id) => id }],
    refused: [
      "treats a refusal as an acknowledgment",
      { isAnswer: (type, phase) => phase !== "go" || type === "ack.completed" },
    ],
    impatient: [
      "continues after a minute without the missing acknowledgments",
      { maxWait: (phase) => (phase === "warning" ? 60_000 : undefined) },
    ],
    unasked: [
      "treats an agent that is silent for a minute as ready",
      { maxWait: (phase) => (phase === "standby" ? 60_000 : undefined) },
    ],
  }),
  ...breaks<HubConduct>("CONV-CUE-007", {
    arrived: [
      "treats a cue as complete when its go is acknowledged as received",
      { isAnswer: (type) => type !== "ack.refused" },
    ],
    "": ["does not continue with the next cue", { startsNextCue: () => false }],
    chain: ["starts only one following cue", followOnce],
    early: [
      "continues with the next cue before the last agent has finished",
      { requiredAnswers: (count, phase) => (phase === "go" ? count - 1 : count) },
    ],
  }),
  ...breaks<HubConduct>("CONV-RECV-001", {
    "": ["passes an invalid message on", { handleInvalid: () => ({ isPassedOn: true, error: "none" }) }],
    told: [
      "informs the sender that a message is invalid, and still passes it on",
      { handleInvalid: () => ({ isPassedOn: true, error: "sent" }) },
    ],
    silent: [
      "drops an invalid message without an error",
      { handleInvalid: () => ({ isPassedOn: false, error: "none" }) },
    ],
  }),
  ...breaks<HubConduct>("CONV-ROUTE-001", {
    "": [
      "passes messages of unknown categories to monitoring",
      (correctConduct) => ({ route: (category, specific) => correctConduct.route(category, specific) ?? "monitoring" }),
    ],
    status: [
      "passes status to the task distributor",
      (correctConduct) => ({
        route: (category, specific) => (category === "status" ? "tasks" : correctConduct.route(category, specific)),
      }),
    ],
    failed: [
      "passes failures to escalations",
      (correctConduct) => ({
        route: (category, specific) =>
          specific === "failed" ? "escalations" : correctConduct.route(category, specific),
      }),
    ],
  }),
];
