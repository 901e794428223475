import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions } from "../decisions.ts";
import { get, memberObject, objects } from "../order.ts";
import type { BehaviourChoice } from "./choice.ts";

/** Documents that a runtime may refuse. */
export const documentChoices: readonly BehaviourChoice[] = [
  {
    name: "refuses-reserved-aliases",
    factor: "refuses",
    freedoms: ["act-011"],
    says: "declines a document with an alias that is a reserved word",
    decisions: {
      reasonToDecline: (document) =>
        objects(memberObject(document, "action_space").local_agents).some(({ alias }) =>
          ["parent", "last", "first", "merge"].includes(String(alias)),
        )
          ? "an alias is a reserved word"
          : correctDecisions.reasonToDecline(document),
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
          : correctDecisions.reasonToDecline(document),
    },
  },
  {
    name: "refuses-odd-strategies",
    factor: "refuses",
    freedoms: ["strategy-elsewhere"],
    says: "declines the strategies first and merge outside a parallel policy",
    decisions: {
      reasonToDecline(document) {
        const policy = memberObject(document, "execution_policy");
        const outputFrom = get(memberObject(policy, "config"), "output_from");
        const strategy = typeof outputFrom === "string" ? outputFrom : get(outputFrom, "strategy");
        const isDeclined = policy.id !== "agf.parallel" && (strategy === "first" || strategy === "merge");
        return isDeclined ? `${strategy} is not defined for this policy` : correctDecisions.reasonToDecline(document);
      },
    },
  },
];

const promptText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Settings and prompts that a runtime sends to its model. */
export const modelChoices: readonly BehaviourChoice[] = [
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
      settings: (config, unsupported) => ({
        ...correctDecisions.settings(config, unsupported),
        model: "house-1",
        temperature: 0.5,
      }),
    },
  },
  {
    name: "leaves-out-what-models-lack",
    factor: "settings",
    freedoms: ["top-k"],
    says: "omits settings that the model does not support",
    decisions: {
      settings: (config, unsupported) =>
        Object.fromEntries(
          Object.entries(correctDecisions.settings(config, unsupported)).filter(
            ([name]) => !unsupported.includes(name),
          ),
        ),
    },
  },
  {
    name: "writes-prompts",
    freedoms: [],
    says: "turns an input without a template into sentences",
    decisions: {
      prompt(template, input) {
        if (template !== undefined) return correctDecisions.prompt(template, input);
        const lines = Object.entries((input ?? {}) as JsonObject).map(
          ([name, value]) => `${name} is ${promptText(value)}`,
        );
        return ["Here is the request.", ...lines].join("\n");
      },
    },
  },
];
