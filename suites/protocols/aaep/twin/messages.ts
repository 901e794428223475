import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { list, object, type Say, texts } from "../../../packs/twins/say.ts";
import { coreNamespace, hasVersion, prefix } from "./contexts.ts";
import { isTag } from "./language.ts";
import { hold, membersOf, schemasIn } from "./schema.ts";

/** The capabilities that belong to no extension. */
export const coreCapabilities: ReadonlySet<string> = new Set(
  Object.keys(object(object(membersOf("handshake/subscription.request.schema.json").capabilities).properties)),
);

/** The messages of the handshake, and the replies. */
export const messageNames: readonly string[] = schemasIn("handshake");

/** Judges a message of the handshake or a reply. */
export function message(say: Say, document: string, value: Json): void {
  hold(say, `handshake/${document}.schema.json`, value);
  if (!isObject(value)) return;
  const isRequest = document === "subscription.request";
  const capabilities = object(isRequest ? value.capabilities : value.honored_capabilities);
  for (const name of Object.keys(capabilities)) if (!coreCapabilities.has(name)) prefix(say, name);
  for (const name of Object.keys(object(value.extensions))) prefix(say, name);
  for (const each of texts(capabilities.languages))
    if (!isTag(each)) say(`names the language ${each}, which is no tag`);
  for (const each of texts(capabilities.supported_extensions)) {
    if (each.startsWith(coreNamespace)) say("takes a context from the namespace of the core");
    else if (!hasVersion(each)) say("takes a context without a version", "extension-names");
  }
  if (isRequest) levels(say, capabilities);
  if (document === "subscription.accepted")
    for (const name of ["agent_version", "agent_name", "model"])
      if (object(value.producer)[name] === "")
        say(`has a producer with an empty ${name}`, "empty-names-of-acceptances");
}

function levels(
  say: Say,
  { supported_conformance_levels: claimed, supports_confirmation_reply: replies }: JsonObject,
): void {
  if (list(claimed).some((each) => typeof each === "number" && each >= 2) && replies !== true)
    say("claims level 2 and no replies to confirmations");
}

/** Judges a message that changes or ends a subscription. */
export function change(say: Say, value: Json): void {
  if (!isObject(value)) {
    say("is no object");
    return;
  }
  const { type, subscription_id: id, capabilities } = value;
  const home = "https://aaep-protocol.org/schemas/v1/handshake";
  if (type !== "subscription.renegotiate" && type !== "subscription.close") say("is of another type");
  if (id === undefined) say("has no subscription_id");
  else hold(say, `${home}/subscription.accepted.schema.json#/properties/subscription_id`, id);
  if (type === "subscription.renegotiate" && capabilities === undefined) say("has no capabilities");
  if (capabilities !== undefined)
    hold(say, `${home}/subscription.request.schema.json#/properties/capabilities`, capabilities);
  const known = type === "subscription.close" ? ["reason_code", "reason_message"] : ["capabilities"];
  for (const name of Object.keys(value))
    if (!["type", "subscription_id", ...known].includes(name))
      say(`has the unknown member ${name}`, "members-of-changes");
  for (const name of ["reason_code", "reason_message"])
    if (type === "subscription.close" && value[name] !== undefined && typeof value[name] !== "string")
      say(`has a ${name} that is no text`);
}
