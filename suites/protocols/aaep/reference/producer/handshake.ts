import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import {
  agent,
  type DeliveryTerms,
  extensions,
  idFor,
  languages,
  type Producer,
  type Subscription,
  version,
} from "./model.ts";

/** The answer to a request for a subscription, and the subscription if it is accepted. */
export function subscribe(
  producer: Producer,
  request: Json,
  principal: string | undefined,
  isWhole: (document: string, value: Json) => boolean,
): { answer: JsonObject | undefined; subscription?: Subscription } {
  const { policy, principals, clock } = producer;
  const asked = isObject(request) ? request : {};
  const refused =
    principals.size > 0 && principal === undefined && !policy.letsIn
      ? makeRejection("authentication_required", "Say who you are.")
      : findObjection(producer, asked, isWhole);
  if (refused !== undefined) return { answer: policy.handshake(asked, refused, producer) };
  const capabilities = isObject(asked.capabilities) ? asked.capabilities : {};
  const subscription: Subscription = {
    id: idFor(producer, "sub").replace("_", "_S"),
    owner: principal,
    subscriber: asked.subscriber_id,
    capabilities,
    terms: termsOf(capabilities),
    budget: { tokens: termsOf(capabilities).rate ?? 0, since: clock.now() },
    held: [],
  };
  const answer = policy.handshake(asked, makeAcceptance(producer, subscription.id, capabilities), producer);
  if (answer?.type !== "subscription.accepted") return { answer };
  return { answer, subscription };
}

/** Changes the terms of a subscription. The caller sends the answer. */
export function renegotiate(producer: Producer, subscription: Subscription, change: Json): JsonObject | undefined {
  const { policy } = producer;
  const wanted = policy.renegotiated(subscription.capabilities, isObject(change) ? change : {});
  if (policy.obeysChange) {
    subscription.capabilities = wanted;
    subscription.terms = termsOf(wanted);
  }
  return policy.renegotiation(makeAcceptance(producer, subscription.id, wanted));
}

function makeAcceptance(producer: Producer, id: string, capabilities: JsonObject): JsonObject {
  return {
    type: "subscription.accepted",
    subscription_id: id,
    aaep_version: version,
    producer: { ...agent, manifest_uri: producer.manifestUri },
    manifest_uri: producer.manifestUri,
    honored_capabilities: honorCapabilities(capabilities),
  };
}

/** The granted capabilities: all known ones, in the producer's own languages, at levels that both sides support. */
function honorCapabilities(capabilities: JsonObject): JsonObject {
  const known = Object.entries(capabilities).filter(([name, wish]) => name === "event_filters" || !isObject(wish));
  const granted: JsonObject = Object.fromEntries(known);
  if (Array.isArray(granted.languages)) {
    granted.languages = granted.languages.filter((language) => hasLanguage(language));
    // An empty list is not valid.
    if (granted.languages.length === 0) delete granted.languages;
  }
  if (Array.isArray(granted.supported_extensions))
    granted.supported_extensions = granted.supported_extensions.filter((supported_Extension) =>
      Object.hasOwn(extensions, String(supported_Extension)),
    );
  return granted;
}

function hasLanguage(tag: Json): boolean {
  const base = (text: string): string | undefined => text.toLowerCase().split("-")[0];
  return languages.some((language) => base(language) === base(String(tag)));
}

function findObjection(
  producer: Producer,
  request: JsonObject,
  isWhole: (document: string, value: Json) => boolean,
): JsonObject | undefined {
  if (!isWhole("subscription.request", request)) return makeRejection("unknown", "The request is not valid.");
  const { objects } = producer.policy;
  if (objects("version") && !/^(?:0\.1|1)\./.test(String(request.aaep_version)))
    return makeRejection("version_unsupported", `This producer speaks ${version}.`);
  const {
    accept_signed_manifests_only: signed,
    supported_extensions: wanted,
    languages: tags,
  } = request.capabilities as JsonObject;
  if (signed === true && objects("signature"))
    return makeRejection("manifest_signature_required", "The manifest of this producer is not signed.");
  const double = sharedPrefix(wanted);
  if (double !== undefined && objects("collision"))
    return makeRejection("capabilities_incompatible", `Two of the extensions claim the prefix "${double}".`);
  if (objects("language") && Array.isArray(tags) && !tags.some((tag) => hasLanguage(tag)))
    return makeRejection("capabilities_incompatible", `There is no text in ${tags.join(", ")}.`);
  return undefined;
}

/** The prefix that two of the wanted extensions claim. Undefined if all prefixes differ. */
export function sharedPrefix(wanted: Json | undefined): string | undefined {
  const prefixes = (Array.isArray(wanted) ? wanted : []).flatMap((each) => extensions[String(each)] ?? []);
  return prefixes.find((prefix, index) => prefixes.indexOf(prefix) !== index);
}

function makeRejection(code: string, message: string): JsonObject {
  return { type: "subscription.rejected", reason_code: code, reason_message: message };
}

/** The terms that follow from some capabilities, with the defaults for missing members. */
export function termsOf(capabilities: JsonObject): DeliveryTerms {
  const { max_events_per_second: rate, event_filters: filters, languages: tags } = capabilities;
  const list = (value: Json | undefined): string[] | undefined =>
    Array.isArray(value) ? value.map((each) => String(each)) : undefined;
  const { include, exclude } = isObject(filters) ? filters : {};
  return {
    ...(typeof rate === "number" ? { rate } : {}),
    include: list(include) ?? ["aaep:agent.*"],
    exclude: list(exclude) ?? [],
    languages: list(tags) ?? ["en-US"],
    confirms: capabilities.supports_confirmation_reply === true,
    clarifies: capabilities.supports_clarification_reply === true,
  };
}

/** The manifest of a producer. */
export function manifestOf({ principals }: Producer, origin: string): JsonObject {
  return {
    "@context": "https://aaep-protocol.org/context/v1",
    type: "aaep:producer.manifest",
    ...agent,
    aaep_versions_supported: [version],
    conformance_levels_supported: [1, 2, 3],
    transports_supported: ["sse"],
    endpoints: { here: origin, outside: "https://harbour.example/aaep/v1" },
    languages_supported: [...languages],
    event_types_emitted: ["aaep:agent.*"],
    authentication: principals.size > 0 ? ["bearer"] : [],
  };
}
