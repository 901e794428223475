import type { Json } from "../../../../../../schemas/index.ts";
import { correctDecisions, type Decisions } from "../decisions.ts";
import { get } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Keeps one list of consents for all runs. */
function keepConsents(): Partial<Decisions> {
  const grantedNames = new Set<string>();
  return {
    initialConsents: () => grantedNames,
    remembersConsent: (approval, subject) => approval === true && subject === "tool",
  };
}

/** Runtimes that ask for consent when they should not, or the reverse. */
export const consentVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-APPR-002", {
    "": [
      "ignores the approval of a server",
      { asksForConsent: (ownApproval, _, args) => correctDecisions.asksForConsent(ownApproval, undefined, args) },
    ],
    // Another rule covers an approval that is an object.
    agents: [
      "ignores the approval of sub-agents",
      {
        asksForAgentConsent: (approval, input) =>
          approval !== true && correctDecisions.asksForAgentConsent(approval, input),
      },
    ],
    once: ["asks for consent to a tool only once in a run", { remembersConsent: () => true }],
    runs: ["keeps a consent for later runs", keepConsents],
    bundled: [
      "asks for consent only to the first tool call of an answer",
      { isChecked: (subject, callIndex) => subject !== "consent" || callIndex === 0 },
    ],
  }),
  ...breaks("AGF-APPR-003", {
    "": [
      "treats an approval without a condition as none",
      {
        asksForConsent: (ownApproval, inheritedApproval, args) => {
          const approval = ownApproval ?? inheritedApproval;
          const isBare = typeof approval === "object" && get(approval, "condition") === undefined;
          return !isBare && correctDecisions.asksForConsent(ownApproval, inheritedApproval, args);
        },
      },
    ],
    agents: [
      "treats an approval of a sub-agent without a condition as none",
      { asksForAgentConsent: (approval) => approval === true },
    ],
  }),
  ...breaks("AGF-APPR-004", {
    "": [
      "asks regardless of the condition",
      {
        asksForConsent: (ownApproval, inheritedApproval, args) =>
          typeof (ownApproval ?? inheritedApproval) === "object" ||
          correctDecisions.asksForConsent(ownApproval, inheritedApproval, args),
      },
    ],
    around: [
      "asks regardless of the condition of a server",
      {
        asksForConsent: (ownApproval, inheritedApproval, args) =>
          (ownApproval === undefined && get(inheritedApproval, "condition") !== undefined) ||
          correctDecisions.asksForConsent(ownApproval, inheritedApproval, args),
      },
    ],
  }),
  ...breaks("AGF-APPR-005", {
    "": [
      "leaves the placeholders of a message unfilled",
      { consentMessage: (template, name, args) => template ?? correctDecisions.consentMessage(template, name, args) },
    ],
    once: [
      "fills only the first placeholder with a name",
      {
        consentMessage: (template, name, args) =>
          template === undefined
            ? correctDecisions.consentMessage(template, name, args)
            : Object.entries(args).reduce(
                (text, [argument, value]) => text.replace(`{{tool_args.${argument}}}`, () => String(value as Json)),
                template,
              ),
      },
    ],
  }),
  ...breaks("AGF-APPR-007", {
    "": ["makes a refused call", { isCallMade: () => true }],
    bundled: [
      "makes a refused call after another one in the same answer",
      { isCallMade: (isGranted, callIndex) => isGranted || callIndex > 0 },
    ],
  }),
];
