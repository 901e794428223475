import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { conditionHolds } from "./evaluate.ts";
import { textAt } from "./parts.ts";

const documents = ["consent"];

/** A document's requirement of consent to a call, with its rule. */
interface ConsentDemand {
  asks: boolean;
  rule: string;
}

const checkers: Checker[] = ["AGF-APPR-002", "AGF-APPR-003", "AGF-APPR-004", "AGF-MATCH-008"].map((rule) => ({
  rule,
  documents,
  *check(consent) {
    const demand = demandOf(consent);
    if (demand?.rule !== rule || isGoverned(consent)) return;
    yield* findDifferentConsent(
      consent,
      demand.asks,
      demand.asks ? "its approval demands it" : "no approval demands it",
    );
  },
}));

const unionChecker: Checker = {
  rule: "AGF-APPR-006",
  documents,
  *check(consent) {
    if (isGoverned(consent)) yield* findDifferentConsent(consent, true, "a governance policy demands it");
  },
};

function* findDifferentConsent(consent: Json, asks: boolean, because: string): Iterable<Breach> {
  const wasAsked = pointer.at("/asked", consent);
  if (typeof wasAsked === "boolean" && wasAsked !== asks)
    yield { at: "/asked", why: `is ${wasAsked}, although ${because}` };
}

const messageChecker: Checker = {
  rule: "AGF-APPR-005",
  documents,
  *check(consent) {
    const shownMessage = textAt(consent, "/message");
    const expectedMessage = fillConsent(consent);
    if (shownMessage !== undefined && expectedMessage !== undefined && !shownMessage.includes(expectedMessage))
      yield { at: "/message", why: `is ${JSON.stringify(shownMessage)}, and not ${JSON.stringify(expectedMessage)}` };
  },
};

/** The approval that applies: the entry's own, otherwise the one around it. */
function approvalAt(consent: Json): string | undefined {
  return ["/own", "/inherited"].find((at) => pointer.has(at, consent));
}

/** Whether consent is required; undefined if the specification does not decide it. */
function demandOf(consent: Json): ConsentDemand | undefined {
  const at = approvalAt(consent);
  if (at === undefined) return { asks: false, rule: "AGF-APPR-002" };
  const demand = demandAt(consent, at);
  // It is not specified whether the condition of an entry adds to the inherited one or replaces it.
  const isUnsaid =
    demand?.asks === false &&
    at === "/own" &&
    pointer.has("/own/condition", consent) &&
    pointer.has("/inherited", consent) &&
    demandAt(consent, "/inherited")?.asks !== false;
  return isUnsaid ? undefined : demand;
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

/** The message from the template; undefined without one, or if the form of an argument is not specified. */
function fillConsent(consent: Json): string | undefined {
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

/** Consent to a call. */
export const consentCheckers: readonly Checker[] = [...checkers, unionChecker, messageChecker];
