import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { right } from "../right.ts";
import { answers, type ProducerVariant } from "./variant.ts";

const rejected = (code: string) => (): JsonObject => ({
  ...{ type: "subscription.rejected", reason_code: code },
  reason_message: "It was not to be.",
});

const wishes = ({ capabilities }: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

/** Handshakes, and what comes of the terms. */
export const termVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-HS-004",
    says: "does not answer a request that it has no language for",
    policy: answers(
      (request, { reason_code: code }) =>
        code === "capabilities_incompatible" && wishes(request).languages !== undefined,
      (answer) => (String(answer.reason_message).startsWith("There is no text") ? undefined : answer),
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
    policy: answers((_, { reason_message: message }) => String(message).includes("prefix"), rejected("unknown")),
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
];
