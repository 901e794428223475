import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { conditionHolds } from "./evaluate.ts";
import { textAt } from "./parts.ts";

const documents = ["consent"];

/** Whether a document requires consent to a call, and the rule that decides it. */
interface ConsentDemand {
  asks: boolean;
  rule: string;
}

const demandCheckers: Checker[] = ["AGF-APPR-002", "AGF-APPR-003", "AGF-APPR-004", "AGF-MATCH-008"].map((rule) => ({
  rule,
  documents,
  *check(consent) {
    const demand = demandOf(consent);
    if (demand?.rule !== rule || isGoverned(consent)) return;
    yield* checkAsked(consent, demand.asks, demand.asks ? "its approval demands it" : "no approval demands it");
  },
}));

const unionChecker: Checker = {
  rule: "AGF-APPR-006",
  documents,
  *check(consent) {
    if (isGoverned(consent)) yield* checkAsked(consent, true, "a governance policy demands it");
  },
};

function* checkAsked(consent: Json, shouldAsk: boolean, reason: string): Iterable<Breach> {
  const wasAsked = pointer.at("/asked", consent);
  if (typeof wasAsked === "boolean" && wasAsked !== shouldAsk)
    yield { at: "/asked", why: `is ${wasAsked}, although ${reason}` };
}

const messageChecker: Checker = {
  rule: "AGF-APPR-005",
  documents,
  *check(consent) {
    const shownMessage = textAt(consent, "/message");
    const expectedMessage = fillTemplate(consent);
    if (shownMessage !== undefined && expectedMessage !== undefined && !shownMessage.includes(expectedMessage))
      yield { at: "/message", why: `is ${JSON.stringify(shownMessage)}, not ${JSON.stringify(expectedMessage)}` };
  },
};

/** JSON Pointer to the approval that applies: the entry's own, or else the inherited one. */
function approvalAt(consent: Json): string | undefined {
  return ["/own", "/inherited"].find((at) => pointer.has(at, consent));
}

/** Whether consent is required; undefined if the specification does not decide it. */
function demandOf(consent: Json): ConsentDemand | undefined {
  const at = approvalAt(consent);
  if (at === undefined) return { asks: false, rule: "AGF-APPR-002" };
  const demand = demandAt(consent, at);
  // It is not specified whether the condition of an entry adds to the inherited one or replaces it.
  const isUnspecified =
    demand?.asks === false &&
    at === "/own" &&
    pointer.has("/own/condition", consent) &&
    pointer.has("/inherited", consent) &&
    demandAt(consent, "/inherited")?.asks !== false;
  return isUnspecified ? undefined : demand;
}

function demandAt(consent: Json, at: string): ConsentDemand | undefined {
  const approval = pointer.at(at, consent);
  if (typeof approval === "boolean") return { asks: approval, rule: "AGF-APPR-002" };
  if (!isObject(approval)) return undefined;
  if (!Object.hasOwn(approval, "condition")) return { asks: true, rule: "AGF-APPR-003" };
  const args = pointer.at("/arguments", consent) ?? {};
  const holds = conditionHolds(consent, `${at}/condition`, args, "unasked");
  if (holds !== undefined) return { asks: holds, rule: "AGF-APPR-004" };
  // The condition cannot be decided because an argument is missing or of the wrong type. In all other undecided cases the specification is unclear.
  const isGap = conditionHolds(consent, `${at}/condition`, args, "advised") !== undefined;
  return isGap ? { asks: true, rule: "AGF-MATCH-008" } : undefined;
}

function isGoverned(consent: Json): boolean {
  const policies = pointer.at("/governance", consent);
  return Array.isArray(policies) && policies.includes(true);
}

/** The filled template; undefined without a template, or if the specification does not define how an argument is written. */
function fillTemplate(consent: Json): string | undefined {
  const at = approvalAt(consent);
  const template = at === undefined ? undefined : textAt(consent, `${at}/message_template`);
  // No rule requires a runtime to show a template without placeholders.
  if (!template?.includes("{{tool_args.") || demandOf(consent)?.asks !== true) return undefined;
  const text = template.replace(/\{\{tool_args\.([a-zA-Z_][a-zA-Z0-9_]*)\}\}/g, (placeholder, name: string) => {
    const value = pointer.at(`/arguments/${name}`, consent);
    return typeof value === "string" || Number.isSafeInteger(value) ? String(value) : placeholder;
  });
  // The specification leaves two cases open: triple braces, and characters that an HTML page would escape.
  return text.includes("{{") || template.includes("{{{") || /[<>&"']/.test(text) ? undefined : text;
}

/** Checks the request for consent to a call. */
export const consentCheckers: readonly Checker[] = [...demandCheckers, unionChecker, messageChecker];
