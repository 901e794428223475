import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { equal, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { list, object, type Say, texts } from "../../../packs/twins/say.ts";
import { event } from "./event.ts";
import { pair } from "./handshake.ts";
import { openSigned } from "./jws.ts";
import { isTag } from "./language.ts";
import { message } from "./messages.ts";

const coreContext = "https://aaep-protocol.org/context/v1";
const listedMembers: readonly (readonly [name: string, fits: (item: Json) => boolean])[] = [
  ["aaep_versions_supported", (item) => /^[0-9]+\.[0-9]+\.[0-9]+(-[A-Za-z0-9.-]+)?$/.test(String(item))],
  ["conformance_levels_supported", (item) => item === 1 || item === 2 || item === 3],
  ["transports_supported", (item) => typeof item === "string"],
  ["languages_supported", (item) => typeof item === "string" && isTag(item)],
  ["event_types_emitted", (item) => typeof item === "string" && item !== ""],
];

/** Judges a manifest. It has no schema, and all statements about its members are advice. */
export function manifest(say: Say, value: Json): void {
  const { "@context": context, type, agent_id: agent, ...rest } = object(value);
  const [first] = Array.isArray(context) ? context : [context];
  if (first !== coreContext) say("has no core context", "members-of-manifests");
  if (type !== "aaep:producer.manifest" && type !== "https://aaep-protocol.org/types/producer.manifest")
    say("has another type", "members-of-manifests");
  if (typeof agent !== "string" || agent === "") say("has no agent_id", "members-of-manifests");
  for (const [name, fits] of listedMembers) {
    const items = list(rest[name]);
    if (items.length === 0 || !items.every(fits)) say(`has no ${name} as it should be`, "members-of-manifests");
  }
}

/** Judges the manifest in an acceptance. */
export function judgeAcceptance(say: Say, value: Json): void {
  const { accepted, key, manifest: fetched } = object(value);
  message(say, "subscription.accepted", accepted ?? null);
  const { producer, signed_manifest: signed } = object(accepted);
  const agent = object(producer).agent_id;
  if (typeof signed === "string") {
    const { payload, algorithm = "", why } = openSigned(signed, isObject(key) ? key : undefined);
    if (why !== undefined) say(why);
    else if (!["ES256", "RS256"].includes(algorithm)) say("is signed by another algorithm", "signature-algorithms");
    if (payload !== undefined) {
      if (payload.agent_id !== agent) say("is signed for another agent");
      manifest(say, payload);
      if (fetched !== undefined && !equal(payload, fetched)) say("is not what was signed");
    }
  }
  if (fetched === undefined) return;
  manifest(say, fetched);
  const { agent_id: named } = object(fetched);
  if (named !== undefined && named !== agent) say("is the manifest of another agent");
}

/** Judges an event by the published definitions of its extensions. */
export function extension(say: Say, value: Json): void {
  const { event: used, event_schema: whole, data_schemas: parts } = object(value);
  event(say, used ?? null, "envelope");
  if (whole !== undefined) obey(say, whole, used ?? null);
  for (const [prefix, data] of Object.entries(object(object(used).extensions))) {
    const schema = Object.hasOwn(object(parts), prefix) ? object(parts)[prefix] : undefined;
    if (schema !== undefined) obey(say, schema, data);
  }
}

function obey(say: Say, schema: Json, value: Json): void {
  const ajv = new Ajv2020({ strict: false, logger: false });
  formatsPlugin.default(ajv);
  try {
    if (!ajv.validate(schema as JsonObject | boolean, value)) say("does not fit the schema of its extension");
  } catch {
    say("uses an extension whose schema cannot be read", "schemas-of-extensions");
  }
}

/** Judges a request and its acceptance, first separately. */
export function handshake(say: Say, value: Json): void {
  const { request, accepted } = object(value);
  let isSound = true;
  const both: Say = (why, ...freedoms) => {
    if (freedoms.length === 0) isSound = false;
    say(why, ...freedoms);
  };
  message(both, "subscription.request", request ?? null);
  message(both, "subscription.accepted", accepted ?? null);
  if (isSound) pair(say, object(request), object(accepted));
}

/** The types that the producer emits according to its manifest. */
export function emittedTypes(value: JsonObject): string[] | undefined {
  return Array.isArray(value.event_types_emitted) ? texts(value.event_types_emitted) : undefined;
}
