import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { sharedPrefix } from "../handshake.ts";
import type { Policy } from "../model.ts";
import { right } from "../right.ts";
import { answers, type ProducerVariant } from "./variant.ts";

const rejected = (code: string) => (): JsonObject => ({
  ...{ type: "subscription.rejected", reason_code: code },
  reason_message: "It was not to be.",
});

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

const wishes = ({ capabilities }: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

const hasCollision = (request: JsonObject): boolean => sharedPrefix(wishes(request).supported_extensions) !== undefined;

/** Grants something of what was asked for otherwise. */
function grants(name: string, value: (wish: Json) => Json): Partial<Policy> {
  return answers(
    (request, { type }) => type === "subscription.accepted" && wishes(request)[name] !== undefined,
    (answer) => {
      const { honored_capabilities: honored } = answer;
      const granted = isObject(honored) ? honored : {};
      return { ...answer, honored_capabilities: { ...granted, [name]: value(granted[name] ?? null) } };
    },
  );
}
const andAlso =
  (more: string) =>
  (list: Json): Json => [...(Array.isArray(list) ? list : []), more];

/** Handshakes, and what comes of the terms. */
export const termVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-HS-005",
    says: "grants twice the rate that was asked for",
    policy: grants("max_events_per_second", (rate) => Number(rate) * 2),
  },
  { rule: "AAEP-HS-006", says: "grants a language of its own", policy: grants("languages", andAlso("fr-FR")) },
  {
    rule: "AAEP-HS-007",
    says: "grants a boundary of its own",
    policy: grants("coalesce_boundaries", andAlso("word")),
  },
  {
    rule: "AAEP-HS-008",
    says: "grants filters that keep nothing out",
    policy: grants("event_filters", () => ({ include: ["aaep:agent.*"], exclude: [] })),
  },
  {
    rule: "AAEP-HS-009",
    says: "grants replies that were not asked for",
    policy: grants("supports_clarification_reply", () => true),
  },
  {
    rule: "AAEP-HS-010",
    says: "accepts at a version above the one that was asked for",
    policy: answers(
      ({ aaep_version: asked }, { type }) => type === "subscription.accepted" && asked === "1.0.0",
      (answer) => ({ ...answer, aaep_version: "2.0.0" }),
    ),
  },
  {
    rule: "AAEP-HS-016",
    says: "gives all subscriptions of a subscriber one id",
    policy: {
      handshake({ subscriber_id: name }, answer, { subscriptions }) {
        const first = [...subscriptions.values()].find(({ subscriber }) => subscriber === name);
        return first === undefined || answer.type !== "subscription.accepted"
          ? answer
          : { ...answer, subscription_id: first.id };
      },
    },
  },
  { rule: "AAEP-BP-001", says: "holds nothing back", policy: { isThrottled: () => false } },
  {
    rule: "AAEP-HS-004",
    says: "does not answer a request that it has no language for",
    policy: answers(
      (request, { reason_code: code }) =>
        code === "capabilities_incompatible" && wishes(request).languages !== undefined && !hasCollision(request),
      () => undefined,
    ),
  },
  {
    rule: "AAEP-HS-011",
    says: "gives another reason for rejecting a version",
    policy: answers((_, { reason_code: code }) => code === "version_unsupported", rejected("unknown")),
  },
  {
    rule: "AAEP-HS-012",
    says: "gives another reason for rejecting a demand for signatures",
    policy: answers((_, { reason_code: code }) => code === "manifest_signature_required", rejected("unknown")),
  },
  {
    rule: "AAEP-HS-013",
    says: "rejects a request without capabilities",
    policy: {
      handshake: (request, answer) =>
        Object.keys(wishes(request)).length === 0 ? rejected("capabilities_incompatible")() : answer,
    },
  },
  {
    rule: "AAEP-EXT-008",
    says: "rejects capabilities that it does not know",
    policy: answers(
      (request) => Object.entries(wishes(request)).some(([name, each]) => name !== "event_filters" && isObject(each)),
      rejected("capabilities_incompatible"),
    ),
  },
  {
    rule: "AAEP-EXT-010",
    says: "gives another reason for rejecting two extensions with one prefix",
    policy: answers(
      (request, { type }) => type === "subscription.rejected" && hasCollision(request),
      rejected("unknown"),
    ),
  },
  {
    rule: "AAEP-HS-017",
    says: "works at the lowest level",
    policy: {
      handshake: (_, answer) =>
        isObject(answer.honored_capabilities) && answer.honored_capabilities.supported_conformance_levels !== undefined
          ? { ...answer, honored_capabilities: { ...answer.honored_capabilities, supported_conformance_levels: [1] } }
          : answer,
    },
  },
  {
    rule: "AAEP-HS-018",
    name: "silent",
    says: "does not answer a change of terms",
    policy: { renegotiation: () => undefined },
  },
  {
    rule: "AAEP-HS-018",
    name: "renamed",
    says: "answers a change of terms under another id",
    policy: { renegotiation: (answer) => ({ ...answer, subscription_id: `${answer.subscription_id}x` }) },
  },
  {
    rule: "AAEP-HS-019",
    says: "forgets what a change of terms leaves out",
    policy: { renegotiated: (_, change) => change },
  },
  { rule: "AAEP-HS-020", says: "grants new terms and keeps to the old ones", policy: { obeysChange: false } },
  { rule: "AAEP-BP-002", says: "lets critical events wait for the rate", policy: { isThrottled: () => true } },
  { rule: "AAEP-BP-003", says: "drops chunks over the rate", policy: { joins: false } },
  {
    rule: "AAEP-BP-006",
    says: "keeps background events from those who prefer few words",
    policy: {
      passes: (subscription, event, isWanted) =>
        right.passes(subscription, event, isWanted) &&
        (subscription.capabilities.preferred_verbosity !== "terse" || event.urgency !== "background"),
    },
  },
  {
    rule: "AAEP-BP-010",
    says: "serves all at the rate of the slowest",
    policy: {
      rate(_, all) {
        const rates = all.flatMap(({ terms, outlet }) => (outlet === undefined ? [] : (terms.rate ?? [])));
        return rates.length === 0 ? undefined : Math.min(...rates);
      },
    },
  },
  {
    rule: "AAEP-I18N-005",
    says: "drops what is in no language that is wanted",
    policy: {
      passes(subscription, event, isWanted) {
        const hints = isObject(event.localization_hints) ? event.localization_hints : {};
        const isWord = subscription.terms.languages.some((each) =>
          each.startsWith(String(hints.primary_language).slice(0, 2)),
        );
        return right.passes(subscription, event, isWanted) && isWord;
      },
    },
  },
  { rule: "AAEP-I18N-012", says: "speaks its first language to all", policy: { language: (_, own) => own[0] ?? "en" } },
  { rule: "AAEP-SEC-002", says: "lets strangers subscribe", policy: { letsIn: true } },
  {
    rule: "AAEP-SEC-003",
    name: "reading",
    says: "lets anybody read the stream of a subscription whose id it knows",
    policy: { mayRead: () => true },
  },
  {
    rule: "AAEP-SEC-003",
    name: "changing",
    says: "lets any sender that knows the id of a subscription close it, or change its terms",
    policy: { mayChange: () => true },
  },
  {
    rule: "AAEP-SEC-003",
    name: "answering",
    says: "lets other subscribers answer under the id of a subscription that they know",
    policy: { respects: (each) => each !== "owner" },
  },
  {
    rule: "AAEP-MAN-002",
    says: "does not say in its manifest which events it emits",
    policy: { manifest: (manifest) => without(manifest, "event_types_emitted") },
  },
  {
    rule: "AAEP-MAN-004",
    says: "publishes the manifest of another agent",
    policy: { manifest: (manifest) => ({ ...manifest, agent_id: "harbour-bell" }) },
  },
];
