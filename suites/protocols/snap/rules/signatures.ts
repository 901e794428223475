import type { Checker } from "../../../../schemas/index.ts";
import { diagnosis } from "./diagnosis.ts";
import { messageDocuments, messagesIn } from "./places.ts";

/** The rules about signatures. A wrong signature violates exactly one of them. */
const rules: readonly string[] = [
  "SNAP-SIG-001",
  "SNAP-SIG-002",
  "SNAP-SIG-003",
  "SNAP-SIG-004",
  "SNAP-SIG-005",
  "SNAP-SIG-006",
  "SNAP-SIG-007",
  "SNAP-A2S-002",
];

export const signaturesCheckers: readonly Checker[] = rules.map((rule) => ({
  rule,
  documents: messageDocuments,
  *check(instance, document) {
    for (const { value, at } of messagesIn(instance, document)) {
      const fault = diagnosis(value);
      if (fault?.rule === rule) yield { at: `${at}/sig`, why: fault.why };
    }
  },
}));
