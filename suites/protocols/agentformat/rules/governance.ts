import type { Checker, RuleFamily } from "../../../../schemas/index.ts";
import { governanceCases } from "./governance.cases.ts";
import { itemsAt, textAt } from "./parts.ts";

const list = "/constraints/governance_policies";

const form: Checker = {
  rule: "AGF-GOV-006",
  documents: ["agent"],
  *check(agent) {
    for (const { at } of itemsAt(agent, list)) {
      const name = textAt(agent, `${at}/policy_ref`);
      if (name !== undefined && name.split(".").filter((part) => part !== "").length < 3)
        yield { at: `${at}/policy_ref`, why: `is "${name}", and not of the form ORG.TEAM.POLICY` };
    }
  },
};

const once: Checker = {
  rule: "AGF-GOV-007",
  documents: ["agent"],
  *check(agent) {
    const seen = new Set<string>();
    for (const { at } of itemsAt(agent, list)) {
      const name = textAt(agent, `${at}/policy_ref`);
      if (name === undefined) continue;
      if (seen.has(name)) yield { at: `${at}/policy_ref`, why: `is "${name}", which is referenced before` };
      seen.add(name);
    }
  },
};

/** References to governance policies. */
export const governance: RuleFamily = { name: "governance", checkers: [form, once], cases: governanceCases };
