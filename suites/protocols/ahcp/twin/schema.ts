import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { readTime, type TimeFeature } from "../../../packs/twins/time.ts";
import { isUri } from "./uri.ts";

/** The freedoms that decide about a schema's verdict. */
export const freedomsOfSchemas = ["loose-times", "leap-seconds", "unchecked-uris"] as const;

const looseTimes = ["space", "short-offset"] as const;
const leapSeconds = ["leap", "leap-elsewhere"] as const;

const { profile, schemas } = protocolNamed("ahcp");
const engines = new Map<string, Ajv2020>();

function engineFor(isStrict: (freedom: string) => boolean, asserts: boolean): Ajv2020 {
  const [loose, leap, uris] = freedomsOfSchemas.map(isStrict);
  const key = [loose, leap, uris, asserts].join();
  const known = engines.get(key);
  if (known !== undefined) return known;
  const engine = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, logger: false });
  const refused: TimeFeature[] = ["hour-24", ...(loose ? looseTimes : []), ...(leap ? leapSeconds : [])];
  engine.addFormat("date-time", (text) => {
    const time = readTime(text);
    return time !== undefined && !refused.some((remark) => time.features.has(remark));
  });
  engine.addFormat("uri", uris || asserts ? isUri : true);
  for (const schema of schemas) engine.addSchema(schema as JsonObject);
  engines.set(key, engine);
  return engine;
}

/** Why the schema of a document refuses a value; undefined if it does not. Documents that a hub writes itself have valid URIs. */
export function fault(document: string, value: Json, isStrict: (freedom: string) => boolean): string | undefined {
  const id = profile.documents.find(({ name }) => name === document)?.schema;
  const engine = engineFor(isStrict, document !== "message");
  const validate = id === undefined ? undefined : (engine.getSchema(id) as ValidateFunction | undefined);
  if (validate === undefined) return `there is no document ${document}`;
  if (validate(value)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
}
