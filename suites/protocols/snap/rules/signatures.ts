import type { Checker, RuleFamily } from "../../../../schemas/index.ts";
import { diagnosis } from "./diagnosis.ts";
import { familyOf } from "./family.ts";
import { messageDocuments, messagesIn } from "./places.ts";
import { signatureCases } from "./signatures.cases.ts";

/** The rules that a signature may break; a wrong one breaks one of them. */
const rules: readonly string[] = [
  ...["SNAP-SIG-001", "SNAP-SIG-002", "SNAP-SIG-003", "SNAP-SIG-004", "SNAP-SIG-005", "SNAP-SIG-006", "SNAP-SIG-007"],
  "SNAP-A2S-002",
];

const checkers: readonly Checker[] = rules.map((rule) => ({
  rule,
  documents: messageDocuments,
  *check(instance, document) {
    for (const { value, at } of messagesIn(instance, document)) {
      const found = diagnosis(value);
      if (found?.rule === rule) yield { at: `${at}/sig`, why: found.why };
    }
  },
}));

export const signatures: RuleFamily = familyOf("signatures", checkers, signatureCases, { seals: true });
