import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault, stringsIn } from "../../../packs/twins/say.ts";
import { judgeEvent } from "./event.ts";
import { judgeGrant } from "./handshake.ts";
import { openSignedManifest } from "./jws.ts";
import { isTag } from "./language.ts";
import { judgeMessage } from "./messages.ts";

const coreContext = "https://aaep-protocol.org/context/v1";
const requiredLists: readonly (readonly [name: string, isValidItem: (item: Json) => boolean])[] = [
  ["aaep_versions_supported", (item) => /^[0-9]+\.[0-9]+\.[0-9]+(-[A-Za-z0-9.-]+)?$/.test(String(item))],
  ["conformance_levels_supported", (item) => item === 1 || item === 2 || item === 3],
  ["transports_supported", (item) => typeof item === "string"],
  ["languages_supported", (item) => typeof item === "string" && isTag(item)],
  ["event_types_emitted", (item) => typeof item === "string" && item !== ""],
];

/** Judges a manifest. It has no schema, and all requirements on its members are advice. */
export function judgeManifest(report: ReportFault, value: Json): void {
  const { "@context": context, type, agent_id: agentId, ...lists } = objectOrEmpty(value);
  const [firstContext] = Array.isArray(context) ? context : [context];
  if (firstContext !== coreContext) report("has no core context", "members-of-manifests");
  if (type !== "aaep:producer.manifest" && type !== "https://aaep-protocol.org/types/producer.manifest")
    report("has the wrong type", "members-of-manifests");
  if (typeof agentId !== "string" || agentId === "") report("has no agent_id", "members-of-manifests");
  for (const [name, isValidItem] of requiredLists) {
    const items = listOrEmpty(lists[name]);
    if (items.length === 0 || !items.every(isValidItem)) report(`has no valid ${name}`, "members-of-manifests");
  }
}

/** Judges the manifest in an acceptance. */
export function judgeAcceptance(report: ReportFault, value: Json): void {
  const { accepted, key, manifest: fetchedManifest } = objectOrEmpty(value);
  judgeMessage(report, "subscription.accepted", accepted ?? null);
  const { producer, signed_manifest: signedManifest } = objectOrEmpty(accepted);
  const agentId = objectOrEmpty(producer).agent_id;
  if (typeof signedManifest === "string") {
    const { payload, algorithm = "", why: fault } = openSignedManifest(signedManifest, isObject(key) ? key : undefined);
    if (fault !== undefined) report(fault);
    else if (!["ES256", "RS256"].includes(algorithm))
      report("is signed with an unusual algorithm", "signature-algorithms");
    if (payload !== undefined) {
      if (payload.agent_id !== agentId) report("is signed for another agent");
      judgeManifest(report, payload);
      if (fetchedManifest !== undefined && !equal(payload, fetchedManifest)) report("differs from the signed manifest");
    }
  }
  if (fetchedManifest === undefined) return;
  judgeManifest(report, fetchedManifest);
  const { agent_id: manifestAgent } = objectOrEmpty(fetchedManifest);
  if (manifestAgent !== undefined && manifestAgent !== agentId) report("is the manifest of another agent");
}

/** Judges an event by the published schemas of its extensions. */
export function judgeExtensionUse(report: ReportFault, value: Json): void {
  const { event, event_schema: eventSchema, data_schemas: dataSchemas } = objectOrEmpty(value);
  judgeEvent(report, event ?? null, "envelope");
  if (eventSchema !== undefined) judgeBySchema(report, eventSchema, event ?? null);
  for (const [prefix, data] of Object.entries(objectOrEmpty(objectOrEmpty(event).extensions))) {
    const schema = Object.hasOwn(objectOrEmpty(dataSchemas), prefix) ? objectOrEmpty(dataSchemas)[prefix] : undefined;
    if (schema !== undefined) judgeBySchema(report, schema, data);
  }
}

function judgeBySchema(report: ReportFault, schema: Json, value: Json): void {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formatsPlugin.default(ajv);
  try {
    if (!ajv.validate(schema as JsonObject | boolean, value)) report("is not valid under the schema of its extension");
  } catch {
    report("uses an extension with an unusable schema", "schemas-of-extensions");
  }
}

/** Judges a request and its acceptance separately, and then together if both are valid. */
export function judgeHandshake(report: ReportFault, value: Json): void {
  const { request, accepted } = objectOrEmpty(value);
  let arePartsValid = true;
  const reportPart: ReportFault = (why, ...freedoms) => {
    if (freedoms.length === 0) arePartsValid = false;
    report(why, ...freedoms);
  };
  judgeMessage(reportPart, "subscription.request", request ?? null);
  judgeMessage(reportPart, "subscription.accepted", accepted ?? null);
  if (arePartsValid) judgeGrant(report, objectOrEmpty(request), objectOrEmpty(accepted));
}

/** Lists the types that the producer emits according to its manifest. */
export function emittedTypes(value: JsonObject): string[] | undefined {
  return Array.isArray(value.event_types_emitted) ? stringsIn(value.event_types_emitted) : undefined;
}
