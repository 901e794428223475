import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { rightDecisions } from "../decisions.ts";
import { get, memberObject, objects } from "../order.ts";
import type { Conduct } from "./choice.ts";

/** Documents that a runtime may refuse. */
export const documents: readonly Conduct[] = [
  {
    name: "refuses-reserved-aliases",
    factor: "refuses",
    freedoms: ["act-011"],
    says: "declines a document with an alias that is a word of the path language",
    decisions: {
      reasonToDecline: (document) =>
        objects(memberObject(document, "action_space").local_agents).some(({ alias }) =>
          ["parent", "last", "first", "merge"].includes(String(alias)),
        )
          ? "an alias is a word of the language"
          : rightDecisions.reasonToDecline(document),
    },
  },
  {
    name: "refuses-empty-tests",
    factor: "refuses",
    freedoms: ["match-010"],
    says: "declines a document with a group without args_match, or an empty operator",
    decisions: {
      reasonToDecline: (document) =>
        /"(?:in|not_in)":\[\]|"(?:when|condition|exit_condition)":\{\}/.test(JSON.stringify(document))
          ? "a test is empty"
          : rightDecisions.reasonToDecline(document),
    },
  },
  {
    name: "refuses-odd-strategies",
    factor: "refuses",
    freedoms: ["strategy-elsewhere"],
    says: "declines first and merge outside of a parallel policy",
    decisions: {
      reasonToDecline(document) {
        const policy = memberObject(document, "execution_policy");
        const from = get(memberObject(policy, "config"), "output_from");
        const strategy = typeof from === "string" ? from : get(from, "strategy");
        const isDeclined = policy.id !== "agf.parallel" && (strategy === "first" || strategy === "merge");
        return isDeclined ? `${strategy} means nothing here` : rightDecisions.reasonToDecline(document);
      },
    },
  },
];

const promptText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Settings and prompts that a runtime sends to its model. */
export const models: readonly Conduct[] = [
  {
    name: "sends-model-alone",
    factor: "settings",
    freedoms: ["top-k"],
    says: "sends no settings to the model",
    decisions: { settings: ({ model = "small-1" }) => ({ model }) },
  },
  {
    name: "overrides-hints",
    factor: "settings",
    freedoms: [],
    says: "uses its own model and temperature",
    decisions: {
      settings: (config, lacks) => ({ ...rightDecisions.settings(config, lacks), model: "house-1", temperature: 0.5 }),
    },
  },
  {
    name: "leaves-out-what-models-lack",
    factor: "settings",
    freedoms: ["top-k"],
    says: "omits a setting that the model does not know",
    decisions: {
      settings: (config, lacks) =>
        Object.fromEntries(
          Object.entries(rightDecisions.settings(config, lacks)).filter(([name]) => !lacks.includes(name)),
        ),
    },
  },
  {
    name: "writes-prompts",
    freedoms: [],
    says: "turns an input without a template into sentences",
    decisions: {
      prompt(template, input) {
        if (template !== undefined) return rightDecisions.prompt(template, input);
        const lines = Object.entries((input ?? {}) as JsonObject).map(
          ([name, value]) => `${name} is ${promptText(value)}`,
        );
        return ["Here is the request.", ...lines].join("\n");
      },
    },
  },
];
