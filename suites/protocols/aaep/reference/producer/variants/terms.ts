import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { conformingPolicy } from "../conforming-policy.ts";
import { findSharedPrefix } from "../handshake.ts";
import type { ProducerPolicy } from "../model.ts";
import { changeEvents, changeProducer, withoutMember } from "./changes.ts";
import { changeAnswers, type ProducerVariant, variantsBreaking } from "./variant.ts";

const rejectWith = (code: string) => (): JsonObject => ({
  type: "subscription.rejected",
  reason_code: code,
  reason_message: "The request is rejected.",
});

const requestedCapabilities = ({ capabilities }: JsonObject): JsonObject =>
  isObject(capabilities) ? capabilities : {};

const hasCollision = (request: JsonObject): boolean =>
  findSharedPrefix(requestedCapabilities(request).supported_extensions) !== undefined;

/** Grants a different value for one requested member. */
function grantInstead(name: string, changeValue: (grant: Json) => Json): Partial<ProducerPolicy> {
  return changeAnswers(
    (request, { type }) => type === "subscription.accepted" && requestedCapabilities(request)[name] !== undefined,
    (answer) => {
      const { honored_capabilities: honored } = answer;
      const grantedCapabilities = isObject(honored) ? honored : {};
      return {
        ...answer,
        honored_capabilities: { ...grantedCapabilities, [name]: changeValue(grantedCapabilities[name] ?? null) },
      };
    },
  );
}

const withExtraItem =
  (extraItem: string) =>
  (list: Json): Json => [...(Array.isArray(list) ? list : []), extraItem];

/** Mistakes with handshakes, and with the effects of terms. */
export const termVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-HS-004", {
    "": [
      "does not answer a request if it has none of the requested languages",
      changeAnswers(
        (request, { reason_code: code }) =>
          code === "capabilities_incompatible" &&
          requestedCapabilities(request).languages !== undefined &&
          !hasCollision(request),
        () => undefined,
      ),
    ],
  }),
  ...variantsBreaking("AAEP-HS-005", {
    "": ["grants twice the requested rate", grantInstead("max_events_per_second", (rate) => Number(rate) * 2)],
  }),
  ...variantsBreaking("AAEP-HS-006", {
    "": ["grants a language that was not requested", grantInstead("languages", withExtraItem("fr-FR"))],
  }),
  ...variantsBreaking("AAEP-HS-007", {
    "": ["grants a boundary that was not requested", grantInstead("coalesce_boundaries", withExtraItem("word"))],
  }),
  ...variantsBreaking("AAEP-HS-008", {
    "": [
      "grants filters that exclude nothing",
      grantInstead("event_filters", () => ({ include: ["aaep:agent.*"], exclude: [] })),
    ],
  }),
  ...variantsBreaking("AAEP-HS-009", {
    "": ["grants replies that were not requested", grantInstead("supports_clarification_reply", () => true)],
  }),
  ...variantsBreaking("AAEP-HS-010", {
    "": [
      "accepts a request with a higher version than the requested one",
      changeAnswers(
        ({ aaep_version: requestedVersion }, { type }) =>
          type === "subscription.accepted" && requestedVersion === "1.0.0",
        (answer) => ({ ...answer, aaep_version: "2.0.0" }),
      ),
    ],
  }),
  ...variantsBreaking("AAEP-HS-011", {
    "": [
      "rejects a version for the wrong reason",
      changeAnswers((_, { reason_code: code }) => code === "version_unsupported", rejectWith("unknown")),
    ],
  }),
  ...variantsBreaking("AAEP-HS-012", {
    "": [
      "rejects a demand for signatures for the wrong reason",
      changeAnswers((_, { reason_code: code }) => code === "manifest_signature_required", rejectWith("unknown")),
    ],
  }),
  ...variantsBreaking("AAEP-HS-013", {
    "": [
      "rejects a request without capabilities",
      {
        changeHandshake: (request, answer) =>
          Object.keys(requestedCapabilities(request)).length === 0 ? rejectWith("capabilities_incompatible")() : answer,
      },
    ],
  }),
  ...variantsBreaking("AAEP-HS-016", {
    "": [
      "uses the same id for all subscriptions of a subscriber",
      {
        changeHandshake({ subscriber_id: name }, answer, { subscriptions }) {
          const firstSubscription = [...subscriptions.values()].find(({ subscriber }) => subscriber === name);
          return firstSubscription === undefined || answer.type !== "subscription.accepted"
            ? answer
            : { ...answer, subscription_id: firstSubscription.id };
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-HS-017", {
    "": [
      "grants only the lowest conformance level",
      {
        changeHandshake: (_, answer) =>
          isObject(answer.honored_capabilities) &&
          answer.honored_capabilities.supported_conformance_levels !== undefined
            ? { ...answer, honored_capabilities: { ...answer.honored_capabilities, supported_conformance_levels: [1] } }
            : answer,
      },
    ],
  }),
  ...variantsBreaking("AAEP-HS-018", {
    silent: ["does not answer a change of terms", { changeRenegotiation: () => undefined }],
    renamed: [
      "answers a change of terms under another id",
      { changeRenegotiation: (answer) => ({ ...answer, subscription_id: `${answer.subscription_id}x` }) },
    ],
  }),
  ...variantsBreaking("AAEP-HS-019", {
    "": ["forgets terms that a change does not name", { mergeCapabilities: (_, change) => change }],
  }),
  ...variantsBreaking("AAEP-HS-020", {
    "": ["grants new terms, and continues under the old ones", { appliesNewTerms: false }],
  }),
  ...variantsBreaking("AAEP-HS-022", {
    "": ["continues to send events on a closed subscription", { sendsAfterClose: true }],
    all: ["ends all subscriptions when one is closed", { closesAllSubscriptions: true }],
  }),
  ...variantsBreaking("AAEP-HS-023", {
    "": [
      "keeps waiting for a subscriber with a lost connection",
      { appliesDefaultOn: (leaving) => leaving !== "loss" },
    ],
  }),
  ...variantsBreaking("AAEP-BP-001", {
    "": ["does not limit its rate", { isThrottled: () => false }],
    doubled: ["sends at more than twice the rate", { rateFor: ({ terms }) => terms.rate && terms.rate * 2.4 }],
  }),
  ...variantsBreaking("AAEP-BP-002", {
    "": ["lets critical events wait for the rate", { isThrottled: () => true }],
  }),
  ...variantsBreaking("AAEP-BP-003", {
    "": ["drops chunks beyond the rate", { joinsChunks: false }],
  }),
  ...variantsBreaking("AAEP-BP-005", {
    "": [
      "sends events that no filter names",
      {
        delivers: (subscription, event, isWanted) =>
          conformingPolicy.delivers(subscription, event, isWanted || subscription.terms.exclude.length === 0),
      },
    ],
  }),
  ...variantsBreaking("AAEP-BP-006", {
    "": [
      "withholds background events from subscribers that prefer terse texts",
      {
        delivers: (subscription, event, isWanted) =>
          conformingPolicy.delivers(subscription, event, isWanted) &&
          (subscription.capabilities.preferred_verbosity !== "terse" || event.urgency !== "background"),
      },
    ],
  }),
  ...variantsBreaking("AAEP-BP-010", {
    "": [
      "serves all subscriptions at the rate of the slowest",
      {
        rateFor(_, subscriptions) {
          const rates = subscriptions.flatMap(({ terms, outlet }) => (outlet === undefined ? [] : (terms.rate ?? [])));
          return rates.length === 0 ? undefined : Math.min(...rates);
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-EXT-008", {
    "": [
      "rejects capabilities that it does not know",
      changeAnswers(
        (request) =>
          Object.entries(requestedCapabilities(request)).some(
            ([name, capability]) => name !== "event_filters" && isObject(capability),
          ),
        rejectWith("capabilities_incompatible"),
      ),
    ],
  }),
  ...variantsBreaking("AAEP-EXT-010", {
    "": [
      "rejects two extensions with the same prefix for the wrong reason",
      changeAnswers(
        (request, { type }) => type === "subscription.rejected" && hasCollision(request),
        rejectWith("unknown"),
      ),
    ],
  }),
  ...variantsBreaking("AAEP-MAN-001", {
    "": [
      "does not publish a manifest",
      {
        changeManifest: () => undefined,
        changeEvent: (event) => changeProducer(event, (producer) => withoutMember(producer, "manifest_uri")),
      },
    ],
  }),
  ...variantsBreaking("AAEP-MAN-002", {
    "": [
      "does not list the events that it emits in its manifest",
      { changeManifest: (manifest) => withoutMember(manifest, "event_types_emitted") },
    ],
  }),
  ...variantsBreaking("AAEP-MAN-004", {
    "": [
      "publishes the manifest of another agent",
      { changeManifest: (manifest) => ({ ...manifest, agent_id: "harbour-bell" }) },
    ],
  }),
  ...variantsBreaking("AAEP-SEC-001", {
    "": [
      "reveals a key",
      changeEvents("progress.updated", () => ({ summary_normal: `With api_key=sk-${"Ab3".repeat(8)} it goes on.` })),
    ],
  }),
  ...variantsBreaking("AAEP-SEC-002", {
    "": ["lets strangers subscribe", { admitsStrangers: true }],
  }),
  ...variantsBreaking("AAEP-SEC-003", {
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
