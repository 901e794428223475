import { isObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import type { HubConduct } from "./hub.ts";

/** The permitted differences between a hub and the reference. */
export const hubChoices: readonly PartyDifference<HubConduct>[] = [
  {
    name: "by-the-table",
    kind: "freedom",
    freedoms: ["ack-route"],
    says: "refuses to route acknowledgments by a table that lacks them",
    conduct: (rightConduct) => ({
      route: (category, specific) => (category === "ack" ? undefined : rightConduct.route(category, specific)),
    }),
  },
  {
    name: "writes-errors",
    kind: "freedom",
    freedoms: ["hub-errors"],
    says: "writes to the sender of an invalid message rather than raise an error",
    conduct: { invalid: () => ({ isHandedOn: false, error: "sent" }) },
  },
  {
    name: "one-by-one",
    kind: "freedom",
    freedoms: ["cue-recipients"],
    says: "sends each target of a cue a message of its own",
    conduct: { recipients: (targets) => targets },
  },
  {
    name: "answers-by-message",
    kind: "freedom",
    factor: "answers",
    freedoms: ["cue-answers"],
    says: "goes by the message that an acknowledgment names",
    moots: ["breaks-CONV-CUE-002-warned"],
    conduct: { isAbout: ({ acknowledging_message_id: id }, { ids }) => ids.has(String(id).toLowerCase()) },
  },
  {
    name: "answers-by-cue",
    kind: "freedom",
    factor: "answers",
    freedoms: ["cue-answers"],
    says: "goes by the cue that an acknowledgment names",
    conduct: { isAbout: ({ coordination_ack: ack }, { cue }) => isObject(ack) && ack.cue_id === cue },
  },
  {
    name: "bare-orchestrator",
    kind: "freedom",
    freedoms: ["orchestrator-name"],
    says: "calls the orchestrator by the single word",
    conduct: { orchestrator: () => "orchestrator" },
  },
  {
    name: "hub-tells-its-status",
    kind: "freedom",
    freedoms: ["status-reports"],
    says: "informs all that it is ready when it is started",
    conduct: {
      says: () => [{ recipient: "broadcast", sender: "hub-main", message_type: "status.ready", status: "ready" }],
    },
  },
  {
    name: "whole-details",
    kind: "freedom",
    freedoms: ["cue-details"],
    says: "gives the details of each phase",
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
    says: "says a phase once more to those who have not answered in two seconds",
    conduct: { repeats: (phase) => phase !== "go" },
  },
  {
    name: "hub-ids-in-capitals",
    kind: "freedom",
    freedoms: ["uuid-case"],
    says: "writes its ids in capitals",
    conduct: (rightConduct) => ({
      finishMessage: (message) =>
        rightConduct.finishMessage({ ...message, message_id: String(message.message_id).toUpperCase() }),
    }),
  },
  {
    name: "hub-whole-seconds",
    kind: "freedom",
    freedoms: ["time-fraction"],
    says: "stamps its messages by the second",
    conduct: (rightConduct) => ({
      finishMessage: (message) =>
        rightConduct.finishMessage({ ...message, timestamp: String(message.timestamp).replace(/\.\d+Z$/, "Z") }),
    }),
  },
  ...[100, 1000, 3000].map(
    (after): PartyDifference<HubConduct> => ({
      name: `hub-says-after-${after}ms`,
      kind: "tempo",
      factor: "outbound",
      freedoms: [],
      says: `has its messages come to its agents ${after} ms after they were made`,
      conduct: { reaches: () => after },
    }),
  ),
];
