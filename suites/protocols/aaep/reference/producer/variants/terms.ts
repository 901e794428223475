import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { sharedPrefix } from "../handshake.ts";
import type { ProducerPolicy } from "../model.ts";
import { rightPolicy } from "../right.ts";
import { events, sentBy, withoutMember } from "./changes.ts";
import { answers, breaks, type ProducerVariant } from "./variant.ts";

const rejectWith = (code: string) => (): JsonObject => ({
  type: "subscription.rejected",
  reason_code: code,
  reason_message: "It was not to be.",
});

const wishesOf = ({ capabilities }: JsonObject): JsonObject => (isObject(capabilities) ? capabilities : {});

const hasCollision = (request: JsonObject): boolean =>
  sharedPrefix(wishesOf(request).supported_extensions) !== undefined;

/** Grants another value for one requested member. */
function grantInstead(name: string, value: (wish: Json) => Json): Partial<ProducerPolicy> {
  return answers(
    (request, { type }) => type === "subscription.accepted" && wishesOf(request)[name] !== undefined,
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

/** Handshakes, and the effects of the terms. */
export const terms: readonly ProducerVariant[] = [
  ...breaks("AAEP-HS-004", {
    "": [
      "does not answer a request that it has no language for",
      answers(
        (request, { reason_code: code }) =>
          code === "capabilities_incompatible" && wishesOf(request).languages !== undefined && !hasCollision(request),
        () => undefined,
      ),
    ],
  }),
  ...breaks("AAEP-HS-005", {
    "": ["grants twice the rate that was asked for", grantInstead("max_events_per_second", (rate) => Number(rate) * 2)],
  }),
  ...breaks("AAEP-HS-006", {
    "": ["grants a language of its own", grantInstead("languages", andAlso("fr-FR"))],
  }),
  ...breaks("AAEP-HS-007", {
    "": ["grants a boundary of its own", grantInstead("coalesce_boundaries", andAlso("word"))],
  }),
  ...breaks("AAEP-HS-008", {
    "": [
      "grants filters that keep nothing out",
      grantInstead("event_filters", () => ({ include: ["aaep:agent.*"], exclude: [] })),
    ],
  }),
  ...breaks("AAEP-HS-009", {
    "": ["grants replies that were not asked for", grantInstead("supports_clarification_reply", () => true)],
  }),
  ...breaks("AAEP-HS-010", {
    "": [
      "accepts at a higher version than the requested one",
      answers(
        ({ aaep_version: asked }, { type }) => type === "subscription.accepted" && asked === "1.0.0",
        (answer) => ({ ...answer, aaep_version: "2.0.0" }),
      ),
    ],
  }),
  ...breaks("AAEP-HS-011", {
    "": [
      "gives another reason for rejecting a version",
      answers((_, { reason_code: code }) => code === "version_unsupported", rejectWith("unknown")),
    ],
  }),
  ...breaks("AAEP-HS-012", {
    "": [
      "gives another reason for rejecting a demand for signatures",
      answers((_, { reason_code: code }) => code === "manifest_signature_required", rejectWith("unknown")),
    ],
  }),
  ...breaks("AAEP-HS-013", {
    "": [
      "rejects a request without capabilities",
      {
        handshake: (request, answer) =>
          Object.keys(wishesOf(request)).length === 0 ? rejectWith("capabilities_incompatible")() : answer,
      },
    ],
  }),
  ...breaks("AAEP-HS-016", {
    "": [
      "gives all subscriptions of a subscriber one id",
      {
        handshake({ subscriber_id: name }, answer, { subscriptions }) {
          const first = [...subscriptions.values()].find(({ subscriber }) => subscriber === name);
          return first === undefined || answer.type !== "subscription.accepted"
            ? answer
            : { ...answer, subscription_id: first.id };
        },
      },
    ],
  }),
  ...breaks("AAEP-HS-017", {
    "": [
      "works at the lowest level",
      {
        handshake: (_, answer) =>
          isObject(answer.honored_capabilities) &&
          answer.honored_capabilities.supported_conformance_levels !== undefined
            ? { ...answer, honored_capabilities: { ...answer.honored_capabilities, supported_conformance_levels: [1] } }
            : answer,
      },
    ],
  }),
  ...breaks("AAEP-HS-018", {
    silent: ["does not answer a change of terms", { renegotiation: () => undefined }],
    renamed: [
      "answers a change of terms under another id",
      { renegotiation: (answer) => ({ ...answer, subscription_id: `${answer.subscription_id}x` }) },
    ],
  }),
  ...breaks("AAEP-HS-019", {
    "": ["forgets terms that a change does not name", { renegotiated: (_, change) => change }],
  }),
  ...breaks("AAEP-HS-020", {
    "": ["grants new terms, and continues under the old ones", { obeysChange: false }],
  }),
  ...breaks("AAEP-HS-022", {
    "": ["goes on to send events on a subscription that was closed", { sendsOn: true }],
    all: ["ends all subscriptions when one is closed", { closesAll: true }],
  }),
  ...breaks("AAEP-HS-023", {
    "": ["keeps waiting for a subscriber with a lost connection", { defaultsOn: (leaving) => leaving !== "loss" }],
  }),
  ...breaks("AAEP-BP-001", {
    "": ["holds nothing back", { isThrottled: () => false }],
    doubled: ["sends at more than twice the rate", { rate: ({ terms }) => terms.rate && terms.rate * 2.4 }],
  }),
  ...breaks("AAEP-BP-002", {
    "": ["lets critical events wait for the rate", { isThrottled: () => true }],
  }),
  ...breaks("AAEP-BP-003", {
    "": ["drops chunks beyond the rate", { joins: false }],
  }),
  ...breaks("AAEP-BP-005", {
    "": [
      "sends events that no filter names",
      {
        passes: (subscription, event, isWanted) =>
          rightPolicy.passes(subscription, event, isWanted || subscription.terms.exclude.length === 0),
      },
    ],
  }),
  ...breaks("AAEP-BP-006", {
    "": [
      "keeps background events from those who prefer few words",
      {
        passes: (subscription, event, isWanted) =>
          rightPolicy.passes(subscription, event, isWanted) &&
          (subscription.capabilities.preferred_verbosity !== "terse" || event.urgency !== "background"),
      },
    ],
  }),
  ...breaks("AAEP-BP-010", {
    "": [
      "serves all subscriptions at the rate of the slowest",
      {
        rate(_, all) {
          const rates = all.flatMap(({ terms, outlet }) => (outlet === undefined ? [] : (terms.rate ?? [])));
          return rates.length === 0 ? undefined : Math.min(...rates);
        },
      },
    ],
  }),
  ...breaks("AAEP-EXT-008", {
    "": [
      "rejects capabilities that it does not know",
      answers(
        (request) =>
          Object.entries(wishesOf(request)).some(([name, each]) => name !== "event_filters" && isObject(each)),
        rejectWith("capabilities_incompatible"),
      ),
    ],
  }),
  ...breaks("AAEP-EXT-010", {
    "": [
      "gives another reason for rejecting two extensions with one prefix",
      answers((request, { type }) => type === "subscription.rejected" && hasCollision(request), rejectWith("unknown")),
    ],
  }),
  ...breaks("AAEP-MAN-001", {
    "": [
      "publishes no manifest",
      {
        manifest: () => undefined,
        event: (event) => sentBy(event, (own) => withoutMember(own, "manifest_uri")),
      },
    ],
  }),
  ...breaks("AAEP-MAN-002", {
    "": [
      "does not say in its manifest which events it emits",
      { manifest: (manifest) => withoutMember(manifest, "event_types_emitted") },
    ],
  }),
  ...breaks("AAEP-MAN-004", {
    "": [
      "publishes the manifest of another agent",
      { manifest: (manifest) => ({ ...manifest, agent_id: "harbour-bell" }) },
    ],
  }),
  ...breaks("AAEP-SEC-001", {
    "": [
      "reveals a key",
      events("progress.updated", () => ({ summary_normal: `With api_key=sk-${"Ab3".repeat(8)} it goes on.` })),
    ],
  }),
  ...breaks("AAEP-SEC-002", {
    "": ["lets strangers subscribe", { letsIn: true }],
  }),
  ...breaks("AAEP-SEC-003", {
    reading: ["lets any caller with the id of a subscription read its stream", { mayRead: () => true }],
    changing: [
      "lets any sender that knows the id of a subscription close it, or change its terms",
      { mayChange: () => true },
    ],
    answering: [
      "lets other subscribers answer under the id of a subscription that they know",
      { respects: (objection) => objection !== "owner" },
    ],
  }),
];
