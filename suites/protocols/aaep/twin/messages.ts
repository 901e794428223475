import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault, stringsIn } from "../../../packs/twins/say.ts";
import { coreNamespace, hasVersion, judgePrefix } from "./contexts.ts";
import { isTag } from "./language.ts";
import { judgeBySchema, membersOf, schemasIn } from "./schema.ts";

/** The capabilities that do not belong to an extension. */
export const coreCapabilities: ReadonlySet<string> = new Set(
  Object.keys(
    objectOrEmpty(objectOrEmpty(membersOf("handshake/subscription.request.schema.json").capabilities).properties),
  ),
);

/** The messages of the handshake, and the replies. */
export const messageNames: readonly string[] = schemasIn("handshake");

/** Judges a message of the handshake or a reply. */
export function judgeMessage(say: ReportFault, document: string, value: Json): void {
  judgeBySchema(say, `handshake/${document}.schema.json`, value);
  if (!isObject(value)) return;
  const isRequest = document === "subscription.request";
  const capabilities = objectOrEmpty(isRequest ? value.capabilities : value.honored_capabilities);
  for (const name of Object.keys(capabilities)) if (!coreCapabilities.has(name)) judgePrefix(say, name);
  for (const name of Object.keys(objectOrEmpty(value.extensions))) judgePrefix(say, name);
  for (const language of stringsIn(capabilities.languages))
    if (!isTag(language)) say(`names the language ${language}, which is not a language tag`);
  for (const uri of stringsIn(capabilities.supported_extensions)) {
    if (uri.startsWith(coreNamespace)) say("uses a context from the namespace of the core");
    else if (!hasVersion(uri)) say("uses a context without a version", "extension-names");
  }
  if (isRequest) judgeLevels(say, capabilities);
  if (document === "subscription.accepted")
    for (const name of ["agent_version", "agent_name", "model"])
      if (objectOrEmpty(value.producer)[name] === "")
        say(`has a producer with an empty ${name}`, "empty-names-of-acceptances");
}

function judgeLevels(
  say: ReportFault,
  { supported_conformance_levels: claimedLevels, supports_confirmation_reply: confirmsReplies }: JsonObject,
): void {
  if (listOrEmpty(claimedLevels).some((level) => typeof level === "number" && level >= 2) && confirmsReplies !== true)
    say("claims level 2 without replies to confirmations");
}

/** Judges a message that changes or ends a subscription. */
export function judgeChange(say: ReportFault, value: Json): void {
  if (!isObject(value)) {
    say("is not an object");
    return;
  }
  const { type, subscription_id: id, capabilities } = value;
  const schemaFolder = "https://aaep-protocol.org/schemas/v1/handshake";
  if (type !== "subscription.renegotiate" && type !== "subscription.close") say("has another type");
  if (id === undefined) say("has no subscription_id");
  else judgeBySchema(say, `${schemaFolder}/subscription.accepted.schema.json#/properties/subscription_id`, id);
  if (type === "subscription.renegotiate" && capabilities === undefined) say("has no capabilities");
  if (capabilities !== undefined)
    judgeBySchema(say, `${schemaFolder}/subscription.request.schema.json#/properties/capabilities`, capabilities);
  const payloadMembers = type === "subscription.close" ? ["reason_code", "reason_message"] : ["capabilities"];
  for (const name of Object.keys(value))
    if (!["type", "subscription_id", ...payloadMembers].includes(name))
      say(`has the unknown member ${name}`, "members-of-changes");
  for (const name of ["reason_code", "reason_message"])
    if (type === "subscription.close" && value[name] !== undefined && typeof value[name] !== "string")
      say(`has a ${name} that is not a text`);
}
