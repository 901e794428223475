import { type Breach, type Checker, isObject, type Json, type JsonObject, pointer } from "../../../../schemas/index.ts";
import { coreNamespace, eventDocuments, extensionContexts, extensionsOf, nameOf, onEvents } from "./event.ts";
import { isCore, typeForm } from "./type.ts";

/** The members of `capabilities` that do not belong to an extension. */
export const coreCapabilities: readonly string[] = [
  "max_events_per_second",
  "preferred_verbosity",
  "languages",
  "supports_confirmation_reply",
  "supports_clarification_reply",
  "coalesce_boundaries",
  "event_filters",
  "supported_conformance_levels",
  "supported_extensions",
  "cognitive_load",
  "pace_wpm",
  "accept_signed_manifests_only",
];

const reservedPrefixes = ["aaep", "xsd", "rdf", "rdfs"];
const documents = [...eventDocuments, "subscription.request", "subscription.accepted"];

/** Checks of the names that an extension defines, and of the declarations that its events need. */
export const extensionCheckers: readonly Checker[] = [
  onEvents("AAEP-ENV-030", function* (event) {
    const names = Object.keys(extensionsOf(event));
    if (names.length > 0 && extensionContexts(event).length === 0)
      yield { at: "/@context", why: `does not list a context of the extension "${names[0]}"` };
  }),
  checkEverywhere("AAEP-EXT-001", function* (message) {
    for (const { at, prefix } of findPrefixes(message))
      if (isReserved(prefix, at)) yield { at, why: `has the prefix "${prefix}", which is reserved` };
  }),
  checkEverywhere("AAEP-EXT-002", function* (message) {
    const { type } = message;
    if (typeof type === "string" && isCore(type) && typeForm.test(type) && nameOf(message) === undefined)
      if (extensionContexts(message).length > 0)
        yield { at: "/type", why: `is "${type}", in the namespace of the core` };
    for (const { at, uri } of declaredContexts(message))
      if (uri.startsWith(coreNamespace)) yield { at, why: `is "${uri}", in the namespace of the core` };
  }),
  checkEverywhere("AAEP-EXT-012", function* (message) {
    for (const { at, prefix } of findPrefixes(message))
      if ([...prefix].length < 2) yield { at, why: `has the prefix "${prefix}", which is shorter than two letters` };
    for (const { at, uri } of declaredContexts(message))
      if (!hasVersion(uri)) yield { at, why: `is "${uri}", without a major version` };
  }),
];

/** Whether a prefix is reserved. A known core type may have the prefix `aaep`, and an unknown one breaks another rule. */
function isReserved(prefix: string, at: string): boolean {
  const isCoreType = at === "/type" && prefix === "aaep";
  return prefix.startsWith("@") || (reservedPrefixes.includes(prefix) && !isCoreType);
}

const schemeAndAuthority = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/[^/?#]*)?/;

/** Whether the path of a URI contains a number, alone or after a `v`. */
function hasVersion(uri: string): boolean {
  return /(?:^|[^A-Za-z0-9%])v?[0-9]/i.test(uri.replace(schemeAndAuthority, ""));
}

function checkEverywhere(rule: string, check: (message: JsonObject) => Iterable<Breach>): Checker {
  return { rule, documents, check: (instance: Json) => (isObject(instance) ? check(instance) : []) };
}

function capabilitiesOf(message: JsonObject): { at: string; capabilities: JsonObject } {
  const at = isObject(message.capabilities) ? "/capabilities" : "/honored_capabilities";
  const capabilities = message[at.slice(1)];
  return { at, capabilities: isObject(capabilities) ? capabilities : {} };
}

function* findPrefixes(message: JsonObject): Iterable<{ at: string; prefix: string }> {
  const { type } = message;
  if (typeof type === "string" && type.indexOf(":") > 0)
    yield { at: "/type", prefix: type.slice(0, type.indexOf(":")) };
  for (const prefix of Object.keys(extensionsOf(message))) yield { at: pointer.append("/extensions", prefix), prefix };
  const { at, capabilities } = capabilitiesOf(message);
  for (const prefix of Object.keys(capabilities))
    if (!coreCapabilities.includes(prefix)) yield { at: pointer.append(at, prefix), prefix };
}

function declaredContexts(message: JsonObject): { at: string; uri: string }[] {
  const { at, capabilities } = capabilitiesOf(message);
  const list = Array.isArray(capabilities.supported_extensions) ? capabilities.supported_extensions : [];
  const supportedContexts = list.flatMap((uri, index) =>
    typeof uri === "string" ? [{ at: `${at}/supported_extensions/${index}`, uri }] : [],
  );
  return [...extensionContexts(message), ...supportedContexts];
}
