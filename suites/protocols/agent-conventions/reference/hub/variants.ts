import type { Variant } from "../variant.ts";
import type { HubConduct } from "./hub.ts";

export const hubVariants: readonly Variant<HubConduct>[] = [
  {
    rule: "CONV-ROUTE-001",
    says: "hands what fits nothing to monitoring",
    conduct: (right) => ({ route: (category, specific) => right.route(category, specific) ?? "monitoring" }),
  },
  {
    rule: "CONV-ROUTE-001",
    name: "status",
    says: "hands status to the task distributor",
    conduct: (right) => ({
      route: (category, specific) => (category === "status" ? "tasks" : right.route(category, specific)),
    }),
  },
  {
    rule: "CONV-ROUTE-001",
    name: "failed",
    says: "hands what has failed to escalations",
    conduct: (right) => ({
      route: (category, specific) => (specific === "failed" ? "escalations" : right.route(category, specific)),
    }),
  },
  {
    rule: "CONV-RECV-001",
    says: "hands an invalid message on",
    conduct: { invalid: () => ({ isHandedOn: true, error: "none" }) },
  },
  {
    rule: "CONV-RECV-001",
    name: "told",
    says: "tells the sender that a message is invalid, and hands it on all the same",
    conduct: { invalid: () => ({ isHandedOn: true, error: "sent" }) },
  },
  {
    rule: "CONV-RECV-001",
    name: "silent",
    says: "drops an invalid message without an error",
    conduct: { invalid: () => ({ isHandedOn: false, error: "none" }) },
  },
  {
    rule: "CONV-CUE-002",
    says: "sends a standby before the last agent has acknowledged the warning",
    conduct: { waitsFor: (count, phase) => (phase === "warning" ? count - 1 : count) },
  },
  {
    rule: "CONV-CUE-002",
    name: "unready",
    says: "goes although an agent has said that it is not ready",
    conduct: { isReady: () => true },
  },
  {
    rule: "CONV-CUE-002",
    name: "once",
    says: "goes although an agent has taken back that it is ready",
    conduct: { takesBack: () => false },
  },
  {
    rule: "CONV-CUE-002",
    name: "warned",
    says: "takes an acknowledgment of the warning that comes late for readiness",
    conduct: (right) => ({ isReady: (state, type) => state === "undefined" || right.isReady(state, type) }),
  },
  {
    rule: "CONV-CUE-002",
    name: "preparing",
    says: "goes while an agent prepares",
    conduct: (right) => ({ isReady: (state, type) => state === "preparing" || right.isReady(state, type) }),
  },
  {
    rule: "CONV-CUE-002",
    name: "understood",
    says: "takes an agent that understands a standby for ready",
    conduct: (right) => ({
      isReady: (state, type) => type === "ack.understood" || right.isReady(state, type),
    }),
  },
  {
    rule: "CONV-CUE-002",
    name: "anybody",
    says: "counts the answer of an agent that is not a target",
    conduct: { isTarget: () => true },
  },
  {
    rule: "CONV-CUE-002",
    name: "counting",
    says: "counts acknowledgments in place of agents",
    conduct: { answerOf: (_, id) => id },
  },
  {
    rule: "CONV-CUE-002",
    name: "refused",
    says: "takes a refusal for an acknowledgment",
    conduct: { counts: (type, phase) => phase !== "go" || type === "ack.completed" },
  },
  {
    rule: "CONV-CUE-002",
    name: "impatient",
    says: "goes on after a minute without the acknowledgments that are missing",
    conduct: { waitsAtMost: (phase) => (phase === "warning" ? 60_000 : undefined) },
  },
  {
    rule: "CONV-CUE-002",
    name: "unasked",
    says: "takes an agent that says nothing for a minute for ready",
    conduct: { waitsAtMost: (phase) => (phase === "standby" ? 60_000 : undefined) },
  },
  {
    rule: "CONV-CUE-001",
    says: "goes without a standby",
    conduct: (right) => ({ after: (phase) => (phase === "warning" ? "go" : right.after(phase)) }),
  },
  {
    rule: "CONV-CUE-007",
    name: "arrived",
    says: "takes a cue for complete when its go has arrived",
    conduct: { counts: (type) => type !== "ack.refused" },
  },
  { rule: "CONV-CUE-007", says: "does not go on to the next cue", conduct: { follows: () => false } },
  {
    rule: "CONV-CUE-007",
    name: "early",
    says: "goes on to the next cue before the last agent has done its part",
    conduct: { waitsFor: (count, phase) => (phase === "go" ? count - 1 : count) },
  },
];
