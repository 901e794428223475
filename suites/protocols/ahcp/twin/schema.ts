import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { readTime, type TimeFeature } from "../../../packs/twins/time.ts";
import { isUri } from "./uri.ts";

/** The freedoms that affect whether a schema accepts a value. */
export const freedomsOfSchemas = ["loose-times", "leap-seconds", "unchecked-uris"] as const;

const looseTimes = ["space", "short-offset"] as const;
const leapSeconds = ["leap", "leap-elsewhere"] as const;

const { profile, schemas } = protocolNamed("ahcp");
const engines = new Map<string, Ajv2020>();

function engineFor(isStrict: (freedom: string) => boolean, checksUris: boolean): Ajv2020 {
  const [refusesLooseTimes, refusesLeapSeconds, refusesInvalidUris] = freedomsOfSchemas.map(isStrict);
  const key = [refusesLooseTimes, refusesLeapSeconds, refusesInvalidUris, checksUris].join();
  const existing = engines.get(key);
  if (existing !== undefined) return existing;
  const engine = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, logger: false });
  const refused: TimeFeature[] = [
    "hour-24",
    ...(refusesLooseTimes ? looseTimes : []),
    ...(refusesLeapSeconds ? leapSeconds : []),
  ];
  engine.addFormat("date-time", (text) => {
    const time = readTime(text);
    return time !== undefined && !refused.some((feature) => time.features.has(feature));
  });
  engine.addFormat("uri", refusesInvalidUris || checksUris ? isUri : true);
  for (const schema of schemas) engine.addSchema(schema as JsonObject);
  engines.set(key, engine);
  return engine;
}

/** The reason why a document's schema refuses the value; undefined if it accepts it. URIs are always checked in documents that a hub writes. */
export function findSchemaFault(
  document: string,
  value: Json,
  isStrict: (freedom: string) => boolean,
): string | undefined {
  const id = profile.documents.find(({ name }) => name === document)?.schema;
  const engine = engineFor(isStrict, document !== "message");
  const validate = id === undefined ? undefined : (engine.getSchema(id) as ValidateFunction | undefined);
  if (validate === undefined) return `there is no document ${document}`;
  if (validate(value)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}
