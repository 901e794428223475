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

/** Answers a request for a subscription, and creates the subscription if it is accepted. */
export function subscribe(
  producer: Producer,
  request: Json,
  principal: string | undefined,
  isValid: (document: string, value: Json) => boolean,
): { answer: JsonObject | undefined; subscription?: Subscription } {
  const { policy, principals, clock } = producer;
  const requestMembers = isObject(request) ? request : {};
  const rejection =
    principals.size > 0 && principal === undefined && !policy.admitsStrangers
      ? makeRejection("authentication_required", "Say who you are.")
      : findObjection(producer, requestMembers, isValid);
  if (rejection !== undefined) return { answer: policy.changeHandshake(requestMembers, rejection, producer) };
  const capabilities = isObject(requestMembers.capabilities) ? requestMembers.capabilities : {};
  const subscription: Subscription = {
    id: idFor(producer, "sub").replace("_", "_S"),
    owner: principal,
    subscriber: requestMembers.subscriber_id,
    capabilities,
    terms: termsOf(capabilities),
    budget: { tokens: termsOf(capabilities).rate ?? 0, since: clock.now() },
    heldEvents: [],
  };
  const answer = policy.changeHandshake(
    requestMembers,
    makeAcceptance(producer, subscription.id, capabilities),
    producer,
  );
  if (answer?.type !== "subscription.accepted") return { answer };
  return { answer, subscription };
}

/** Changes the terms of a subscription. The caller sends the answer. */
export function renegotiate(producer: Producer, subscription: Subscription, change: Json): JsonObject | undefined {
  const { policy } = producer;
  const newCapabilities = policy.mergeCapabilities(subscription.capabilities, isObject(change) ? change : {});
  if (policy.appliesNewTerms) {
    subscription.capabilities = newCapabilities;
    subscription.terms = termsOf(newCapabilities);
  }
  return policy.changeRenegotiation(makeAcceptance(producer, subscription.id, newCapabilities));
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

/** Grants all known capabilities, limited to the producer's languages and to known extensions. */
function honorCapabilities(capabilities: JsonObject): JsonObject {
  const knownEntries = Object.entries(capabilities).filter(
    ([name, value]) => name === "event_filters" || !isObject(value),
  );
  const grantedCapabilities: JsonObject = Object.fromEntries(knownEntries);
  if (Array.isArray(grantedCapabilities.languages)) {
    grantedCapabilities.languages = grantedCapabilities.languages.filter((language) => hasLanguage(language));
    // An empty list is not valid.
    if (grantedCapabilities.languages.length === 0) delete grantedCapabilities.languages;
  }
  if (Array.isArray(grantedCapabilities.supported_extensions))
    grantedCapabilities.supported_extensions = grantedCapabilities.supported_extensions.filter((extension) =>
      Object.hasOwn(extensions, String(extension)),
    );
  return grantedCapabilities;
}

function hasLanguage(tag: Json): boolean {
  const baseLanguage = (text: string): string | undefined => text.toLowerCase().split("-")[0];
  return languages.some((language) => baseLanguage(language) === baseLanguage(String(tag)));
}

function findObjection(
  producer: Producer,
  request: JsonObject,
  isValid: (document: string, value: Json) => boolean,
): JsonObject | undefined {
  if (!isValid("subscription.request", request)) return makeRejection("unknown", "The request is not valid.");
  const { rejectsFor } = producer.policy;
  if (rejectsFor("version") && !/^(?:0\.1|1)\./.test(String(request.aaep_version)))
    return makeRejection("version_unsupported", `This producer speaks ${version}.`);
  const {
    accept_signed_manifests_only: needsSignature,
    supported_extensions: requestedExtensions,
    languages: tags,
  } = request.capabilities as JsonObject;
  if (needsSignature === true && rejectsFor("signature"))
    return makeRejection("manifest_signature_required", "The manifest of this producer is not signed.");
  const collidingPrefix = findSharedPrefix(requestedExtensions);
  if (collidingPrefix !== undefined && rejectsFor("collision"))
    return makeRejection("capabilities_incompatible", `Two of the extensions claim the prefix "${collidingPrefix}".`);
  if (rejectsFor("language") && Array.isArray(tags) && !tags.some((tag) => hasLanguage(tag)))
    return makeRejection("capabilities_incompatible", `Texts in ${tags.join(", ")} are not available.`);
  return undefined;
}

/** Finds a prefix that two of the requested extensions claim. Undefined if all prefixes differ. */
export function findSharedPrefix(requestedExtensions: Json | undefined): string | undefined {
  const prefixes = (Array.isArray(requestedExtensions) ? requestedExtensions : []).flatMap(
    (extension) => extensions[String(extension)] ?? [],
  );
  return prefixes.find((prefix, index) => prefixes.indexOf(prefix) !== index);
}

function makeRejection(code: string, message: string): JsonObject {
  return { type: "subscription.rejected", reason_code: code, reason_message: message };
}

/** Derives the delivery terms from capabilities, with defaults for missing members. */
export function termsOf(capabilities: JsonObject): DeliveryTerms {
  const { max_events_per_second: rate, event_filters: filters, languages: tags } = capabilities;
  const toStrings = (value: Json | undefined): string[] | undefined =>
    Array.isArray(value) ? value.map((item) => String(item)) : undefined;
  const { include, exclude } = isObject(filters) ? filters : {};
  return {
    ...(typeof rate === "number" ? { rate } : {}),
    include: toStrings(include) ?? ["aaep:agent.*"],
    exclude: toStrings(exclude) ?? [],
    languages: toStrings(tags) ?? ["en-US"],
    confirms: capabilities.supports_confirmation_reply === true,
    clarifies: capabilities.supports_clarification_reply === true,
  };
}

/** Makes the manifest of a producer. */
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
