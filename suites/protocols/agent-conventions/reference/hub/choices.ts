import { isObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import type { HubConduct } from "./hub.ts";

/** The permitted differences of a hub from the reference. */
export const hubChoices: readonly PartyDifference<HubConduct>[] = [
  {
    name: "by-the-table",
    kind: "freedom",
    freedoms: ["ack-route"],
    says: "refuses acknowledgments, since the routing table does not contain them",
    conduct: (correctConduct) => ({
      route: (category, specific) => (category === "ack" ? undefined : correctConduct.route(category, specific)),
    }),
  },
  {
    name: "writes-errors",
    kind: "freedom",
    freedoms: ["hub-errors"],
    says: "reports an invalid message to its sender instead of raising an error",
    conduct: { handleInvalid: () => ({ isPassedOn: false, error: "sent" }) },
  },
  {
    name: "one-by-one",
    kind: "freedom",
    freedoms: ["cue-recipients"],
    says: "sends a separate message to each target of a cue",
    conduct: { cueRecipients: (targets) => targets },
  },
  {
    name: "answers-by-message",
    kind: "freedom",
    factor: "answers",
    freedoms: ["cue-answers"],
    says: "matches an acknowledgment to a cue by the message that it names",
    moots: ["breaks-CONV-CUE-002-warned"],
    conduct: { isAbout: ({ acknowledging_message_id: id }, { ids }) => ids.has(String(id).toLowerCase()) },
  },
  {
    name: "answers-by-cue",
    kind: "freedom",
    factor: "answers",
    freedoms: ["cue-answers"],
    says: "matches an acknowledgment to a cue by the cue that it names",
    conduct: { isAbout: ({ coordination_ack: ack }, { cue }) => isObject(ack) && ack.cue_id === cue },
  },
  {
    name: "bare-orchestrator",
    kind: "freedom",
    freedoms: ["orchestrator-name"],
    says: "sends as `orchestrator`, without a suffix",
    conduct: { orchestrator: () => "orchestrator" },
  },
  {
    name: "hub-tells-its-status",
    kind: "freedom",
    freedoms: ["status-reports"],
    says: "broadcasts that it is ready when it starts",
    conduct: {
      initialMessages: () => [
        { recipient: "broadcast", sender: "hub-main", message_type: "status.ready", status: "ready" },
      ],
    },
  },
  {
    name: "whole-details",
    kind: "freedom",
    freedoms: ["cue-details"],
    says: "includes the optional details of each phase",
    conduct: {
      details(phase) {
        if (phase === "warning") return { warning_details: { preparation_required: ["Read the plan."] } };
        if (phase === "standby") return { standby_details: { ready_check: ["The tests pass."] } };
        return { go_details: { execution_type: "immediate", synchronization: "simultaneous" } };
      },
    },
  },
  {
    name: "repeats-warnings",
    kind: "freedom",
    freedoms: ["cue-001-repeated"],
    says: "repeats a phase to agents that have not answered within two seconds",
    conduct: { repeatsPhase: (phase) => phase !== "go" },
  },
  {
    name: "hub-ids-in-capitals",
    kind: "freedom",
    freedoms: ["uuid-case"],
    says: "writes its ids in upper case",
    conduct: (correctConduct) => ({
      finishMessage: (message) =>
        correctConduct.finishMessage({ ...message, message_id: String(message.message_id).toUpperCase() }),
    }),
  },
  {
    name: "hub-whole-seconds",
    kind: "freedom",
    freedoms: ["time-fraction"],
    says: "writes times in whole seconds",
    conduct: (correctConduct) => ({
      finishMessage: (message) =>
        correctConduct.finishMessage({ ...message, timestamp: String(message.timestamp).replace(/\.\d+Z$/, "Z") }),
    }),
  },
  ...[100, 1000, 3000].map(
    (after): PartyDifference<HubConduct> => ({
      name: `hub-says-after-${after}ms`,
      kind: "tempo",
      factor: "outbound",
      freedoms: [],
      says: `delivers its messages to its agents after ${after} ms`,
      conduct: { deliveryDelay: () => after },
    }),
  ),
];
