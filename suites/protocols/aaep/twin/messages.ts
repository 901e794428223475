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
export function judgeMessage(report: ReportFault, document: string, value: Json): void {
  judgeBySchema(report, `handshake/${document}.schema.json`, value);
  if (!isObject(value)) return;
  const isRequest = document === "subscription.request";
  const capabilities = objectOrEmpty(isRequest ? value.capabilities : value.honored_capabilities);
  for (const name of Object.keys(capabilities)) if (!coreCapabilities.has(name)) judgePrefix(report, name);
  for (const name of Object.keys(objectOrEmpty(value.extensions))) judgePrefix(report, name);
  for (const language of stringsIn(capabilities.languages))
    if (!isTag(language)) report(`names the language ${language}, which is not a language tag`);
  for (const uri of stringsIn(capabilities.supported_extensions)) {
    if (uri.startsWith(coreNamespace)) report("uses a context from the namespace of the core");
    else if (!hasVersion(uri)) report("uses a context without a version", "extension-names");
  }
  if (isRequest) judgeLevels(report, capabilities);
  if (document === "subscription.accepted")
    for (const name of ["agent_version", "agent_name", "model"])
      if (objectOrEmpty(value.producer)[name] === "")
        report(`has a producer with an empty ${name}`, "empty-names-of-acceptances");
}

function judgeLevels(
  report: ReportFault,
  { supported_conformance_levels: claimedLevels, supports_confirmation_reply: confirmsReplies }: JsonObject,
): void {
  if (listOrEmpty(claimedLevels).some((level) => typeof level === "number" && level >= 2) && confirmsReplies !== true)
    report("claims level 2 without replies to confirmations");
}

/** Judges a message that changes or ends a subscription. */
export function judgeChange(report: ReportFault, value: Json): void {
  if (!isObject(value)) {
    report("is not an object");
    return;
  }
  const { type, subscription_id: id, capabilities } = value;
  const schemaFolder = "https://aaep-protocol.org/schemas/v1/handshake";
  if (type !== "subscription.renegotiate" && type !== "subscription.close") report("has the wrong type");
  if (id === undefined) report("has no subscription_id");
  else judgeBySchema(report, `${schemaFolder}/subscription.accepted.schema.json#/properties/subscription_id`, id);
  if (type === "subscription.renegotiate" && capabilities === undefined) report("has no capabilities");
  if (capabilities !== undefined)
    judgeBySchema(report, `${schemaFolder}/subscription.request.schema.json#/properties/capabilities`, capabilities);
  const payloadMembers = type === "subscription.close" ? ["reason_code", "reason_message"] : ["capabilities"];
  for (const name of Object.keys(value))
    if (!["type", "subscription_id", ...payloadMembers].includes(name))
      report(`has the unknown member ${name}`, "members-of-changes");
  for (const name of ["reason_code", "reason_message"])
    if (type === "subscription.close" && value[name] !== undefined && typeof value[name] !== "string")
      report(`has a ${name} that is not a string`);
}
