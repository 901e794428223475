import type { Json, JsonObject } from "../../../../../../schemas/index.ts";
import { rightDecisions } from "../decisions.ts";
import { get, memberObject, objects } from "../order.ts";
import type { Conduct } from "./choice.ts";

export const consent: readonly Conduct[] = [
  {
    name: "asks-where-either-demands",
    factor: "asks",
    freedoms: ["appr-own-under-inherited"],
    says: "asks for consent if the tool's own condition or its server's matches",
    decisions: {
      asksForConsent(ownApproval, inheritedApproval, args) {
        const isEither = typeof ownApproval === "object" && typeof inheritedApproval === "object";
        const demands = (approval: Json | undefined): boolean =>
          rightDecisions.asksForConsent(approval, undefined, args);
        return isEither
          ? demands(ownApproval) || demands(inheritedApproval)
          : rightDecisions.asksForConsent.call(this, ownApproval, inheritedApproval, args);
      },
    },
  },
  {
    name: "asks-politely",
    freedoms: [],
    says: "adds words of its own to the message of an approval",
    decisions: {
      question: (template, name, args) =>
        `Your consent is needed.\n${rightDecisions.question(template, name, args)}\n(yes/no)`,
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
        return isOpen || rightDecisions.asksForConsent.call(this, ownApproval, inheritedApproval, args);
      },
    },
  },
  {
    name: "matches-nothing-missing",
    freedoms: ["match-008"],
    says: "never lets a test match a missing value",
    decisions: {
      matches: (condition, args, use) => rightDecisions.matches(presentCondition(condition, args), args, use),
    },
  },
];

/** The condition without the groups that test a missing value; without any group left, a condition that never matches. */
function presentCondition(condition: Json, args: JsonObject): Json {
  const groups = objects(Array.isArray(condition) ? condition : [condition]);
  const decidable = groups.filter((group) =>
    Object.keys(memberObject(group, "args_match")).every((name) => name in args),
  );
  return decidable.length === 0 ? { args_match: { "": { gt: 0 } } } : decidable;
}

export const memory: readonly Conduct[] = [
  {
    name: "remembers-strangers",
    factor: "stateless",
    freedoms: ["stateless-memory"],
    says: "gives some memory to a run without a scope",
    decisions: { contextless: () => "anonymous" },
  },
  {
    name: "spells-contexts-out",
    freedoms: [],
    says: "has readable memory contexts",
    decisions: {
      context: (scope) => `scope:${scope}`,
      childContext(parent, strategy, alias) {
        if (parent === undefined || strategy === "none") return undefined;
        return strategy === "isolated" ? `${parent}/agents/${alias}` : parent;
      },
    },
  },
];
