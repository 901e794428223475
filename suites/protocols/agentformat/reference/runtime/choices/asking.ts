import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions } from "../decisions.ts";
import { get, memberObject, objects } from "../order.ts";
import type { BehaviourChoice } from "./choice.ts";

export const consentChoices: readonly BehaviourChoice[] = [
  {
    name: "asks-where-either-demands",
    factor: "asks",
    freedoms: ["appr-own-under-inherited"],
    says: "asks for consent if the tool's own condition or its server's matches",
    decisions: {
      asksForConsent(ownApproval, inheritedApproval, args) {
        const areBothConditional = typeof ownApproval === "object" && typeof inheritedApproval === "object";
        const demands = (approval: Json | undefined): boolean =>
          correctDecisions.asksForConsent(approval, undefined, args);
        return areBothConditional
          ? demands(ownApproval) || demands(inheritedApproval)
          : correctDecisions.asksForConsent.call(this, ownApproval, inheritedApproval, args);
      },
    },
  },
  {
    name: "asks-politely",
    freedoms: [],
    says: "adds text to the message of an approval",
    decisions: {
      consentMessage: (template, name, args) =>
        `Your consent is needed.\n${correctDecisions.consentMessage(template, name, args)}\n(yes/no)`,
    },
  },
  {
    name: "asks-when-in-doubt",
    factor: "asks",
    freedoms: ["match-008"],
    says: "asks for consent if an argument is missing or of another type",
    decisions: {
      asksForConsent(ownApproval, inheritedApproval, args) {
        const condition = get(ownApproval ?? inheritedApproval, "condition");
        const groups = condition === undefined ? [] : objects(Array.isArray(condition) ? condition : [condition]);
        const names = groups.flatMap((group) => Object.keys(memberObject(group, "args_match")));
        const isOpen = names.some((name) => args[name] === undefined);
        return isOpen || correctDecisions.asksForConsent.call(this, ownApproval, inheritedApproval, args);
      },
    },
  },
  {
    name: "matches-nothing-missing",
    freedoms: ["match-008"],
    says: "never lets a test match a missing value",
    decisions: {
      matches: (condition, args, use) => correctDecisions.matches(decidableCondition(condition, args), args, use),
    },
  },
];

/** The condition without the groups that test a missing value; a condition that never matches if no group is left. */
function decidableCondition(condition: Json, args: JsonObject): Json {
  const groups = objects(Array.isArray(condition) ? condition : [condition]);
  const decidableGroups = groups.filter((group) =>
    Object.keys(memberObject(group, "args_match")).every((name) => name in args),
  );
  return decidableGroups.length === 0 ? { args_match: { "": { gt: 0 } } } : decidableGroups;
}

export const memoryChoices: readonly BehaviourChoice[] = [
  {
    name: "remembers-strangers",
    factor: "stateless",
    freedoms: ["stateless-memory"],
    says: "assigns a memory context to a run without a scope",
    decisions: { contextless: () => "anonymous" },
  },
  {
    name: "spells-contexts-out",
    freedoms: [],
    says: "uses readable ids for memory contexts",
    decisions: {
      context: (scope) => `scope:${scope}`,
      childContext(parent, strategy, alias) {
        if (parent === undefined || strategy === "none") return undefined;
        return strategy === "isolated" ? `${parent}/agents/${alias}` : parent;
      },
    },
  },
];
