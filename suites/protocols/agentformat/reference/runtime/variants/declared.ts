import type { JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions } from "../decisions.ts";
import { memberObject, objects } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Runtimes that misread declarations of a document: its interface, its action space and its governance policies. */
export const declaredVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-IFACE-004", {
    "": ["does not check the input", { checks: (subject) => subject === "output" }],
    output: ["does not check the output", { checks: (subject) => subject === "input" }],
  }),
  ...breaks("AGF-COMPAT-002", {
    "": ["skips a step that is not enabled", { isEnabled: ({ enabled }) => enabled !== false }],
  }),
  ...breaks("AGF-ACT-002", {
    "": ["runs a document with a repeated alias", { reasonToDecline: () => undefined }],
    cased: [
      "declines a document with two aliases in a list that differ only in case",
      {
        reasonToDecline(document) {
          const lists = Object.values(memberObject(document, "action_space")).map(objects);
          const isRepeated = lists.some((list) => {
            const aliases = list.map(({ alias }) => String(alias).toLowerCase());
            return new Set(aliases).size < aliases.length;
          });
          return isRepeated ? "an alias is repeated" : correctDecisions.reasonToDecline(document);
        },
      },
    ],
    across: [
      "declines a document with the same alias in two lists",
      {
        reasonToDecline(document) {
          const entries = Object.values(memberObject(document, "action_space")).flatMap(objects);
          const aliases = entries.map(({ alias }) => alias);
          return new Set(aliases).size < aliases.length
            ? "an alias is repeated"
            : correctDecisions.reasonToDecline(document);
        },
      },
    ],
    servers: [
      "checks only agents and tools for repeated aliases",
      {
        reasonToDecline(document) {
          const { mcp_servers: _, remote_agents: __, ...checkedLists } = (document.action_space ?? {}) as JsonObject;
          return correctDecisions.reasonToDecline({ ...document, action_space: checkedLists });
        },
      },
    ],
  }),
  ...breaks("AGF-ACT-008", {
    "": ["lets the model call every tool of a server", { exposedNames: (availableNames) => availableNames }],
    none: ["does not let the model call any tool of a server", { exposedNames: () => [] }],
    bundled: [
      "checks only the name of the first tool call of an answer",
      { isChecked: (subject, callIndex) => subject !== "name" || callIndex === 0 },
    ],
    prefix: [
      "accepts a name that starts with an allowed one",
      {
        exposedNames: (availableNames, allowedNames) =>
          availableNames.filter(
            (name) => allowedNames === undefined || allowedNames.some((allowed) => name.startsWith(allowed)),
          ),
      },
    ],
  }),
  ...breaks("AGF-GOV-002", {
    "": ["runs without a required policy", { needsPolicy: () => false }],
  }),
];
