import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import type { Say } from "../../../packs/twins/say.ts";
import { strictTimeOf } from "./time.ts";

const base = "https://aaep-protocol.org/schemas/v1/";
const part = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`;
const host = String.raw`(?:\[(?:[0-9A-Fa-f:.]+|[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)`;
const user = `(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?`;
const uri = new RegExp(
  String.raw`^[A-Za-z][A-Za-z0-9+.-]*:(?://${user}${host}(?::[0-9]*)?(?:/${part}*)*|/?(?:${part}+(?:/${part}*)*)?)(?:\?(?:${part}|[/?])*)?(?:#(?:${part}|[/?])*)?$`,
);

/** Whether a text is an absolute URI (RFC 3986). */
export function isUri(text: string): boolean {
  const literal = /^[^:]+:\/\/(?:[^@/?#]*@)?\[([^\]]*)\]/.exec(text)?.[1];
  return uri.test(text) && (literal === undefined || /^v/i.test(literal) || URL.canParse(`http://[${literal}]/`));
}

const { schemas } = protocolNamed("aaep");
// Compiled once, on first use.
let engine: Ajv2020 | undefined;

function loadEngine(): Ajv2020 {
  if (engine !== undefined) return engine;
  engine = new Ajv2020({ strict: false, allErrors: true });
  engine.addFormat("date-time", (text) => strictTimeOf(text) !== undefined);
  engine.addFormat("uri", isUri);
  for (const schema of schemas) engine.addSchema(schema as JsonObject);
  return engine;
}

function compileSchema(name: string): ValidateFunction {
  const found = loadEngine().getSchema(name.includes(":") ? name : `${base}${name}`);
  if (found === undefined) throw new Error(`no schema ${name}`);
  return found as ValidateFunction;
}

/** The reasons, with places, for which one of the protocol's schemas, or a part of it (`…#/$defs/…`), refuses a value. */
export function faults(name: string, value: Json): string[] {
  const validate = compileSchema(name);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Reports the faults of a value under a schema. */
export function hold(say: Say, name: string, value: Json, ...freedoms: string[]): void {
  for (const why of faults(name, value)) say(why, ...freedoms);
}

/** The members in a schema. */
export function membersOf(name: string): JsonObject {
  const schema = schemas.find((each) => (each as JsonObject).$id === `${base}${name}`);
  return (schema as JsonObject).properties as JsonObject;
}

/** The names of the schemas in a folder, such as `agent.tool.invoked` in `core`. */
export function schemasIn(folder: "core" | "handshake"): string[] {
  const [start, end] = [`${base}${folder}/`, ".schema.json"];
  const ids = schemas.map(({ $id }) => String($id));
  return ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length, -end.length));
}
