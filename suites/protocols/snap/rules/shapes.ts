import { Ajv2020 } from "ajv/dist/2020.js";
import { ajvOptions } from "../../../../generators/index.ts";
import { type Json, type Protocol, pointer, protocolNamed } from "../../../../schemas/index.ts";

const base = "https://snap-protocol.org/schemas/0.1/";

let compiledShapes: { protocol: Protocol; ajv: Ajv2020 } | undefined;

/** Returns the data of the protocol, which is read on first use. */
export function snapProtocol(): Protocol {
  return loadShapes().protocol;
}

/** Whether a schema of the protocol, named by its file without `.schema.json`, accepts the value. Formats are annotations here. */
export function fitsSchema(schema: string, value: Json): boolean {
  return loadShapes().ajv.validate(`${base}${schema}.schema.json`, value);
}

/** Keywords whose errors only repeat the errors of their subschemas. */
const compositeKeywords: ReadonlySet<string> = new Set(["if", "oneOf", "anyOf", "allOf"]);

/** Returns the first error of a value under a schema: its location, its value and the violated constraint. Undefined if the value is valid. */
export function firstSchemaError(schema: string, value: Json): string | undefined {
  const { ajv } = loadShapes();
  if (ajv.validate(`${base}${schema}.schema.json`, value)) return undefined;
  const errors = ajv.errors ?? [];
  const error = errors.find(({ keyword }) => !compositeKeywords.has(keyword)) ?? errors[0];
  if (error === undefined) return undefined;
  const { instancePath: at, message = "is refused" } = error;
  const offendingValue = pointer.at(at, value);
  const valueText =
    typeof offendingValue === "object" && offendingValue !== null
      ? ""
      : ` is ${JSON.stringify(truncate(offendingValue))}, and`;
  return `${at}${valueText} ${message}`.trimStart();
}

const maxLength = 60;

function truncate(value: Json | undefined): Json {
  return typeof value === "string" && value.length > maxLength ? `${value.slice(0, maxLength)}…` : (value ?? null);
}

/** Returns the name of the schema for payloads of this method and type, if there is one. */
export function payloadSchema(method: unknown, type: unknown): string | undefined {
  const step = snapProtocol().profile.steps?.find(({ at }) => at === "/payload");
  const name = `${method} ${type}`;
  const id = Object.hasOwn(step?.schemas ?? {}, name) ? step?.schemas?.[name] : undefined;
  return id?.slice(base.length).replace(".schema.json", "");
}

function loadShapes(): { protocol: Protocol; ajv: Ajv2020 } {
  if (compiledShapes === undefined) {
    const protocol = protocolNamed("snap");
    const ajv = new Ajv2020({ ...ajvOptions, validateFormats: false });
    for (const schema of protocol.schemas) if (String(schema.$id).startsWith(base)) ajv.addSchema(schema);
    compiledShapes = { protocol, ajv };
  }
  return compiledShapes;
}
