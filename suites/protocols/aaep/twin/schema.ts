import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import type { ReportFault } from "../../../packs/twins/say.ts";
import { strictTimeOf } from "./time.ts";

const baseUri = "https://aaep-protocol.org/schemas/v1/";
const pathCharacter = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})`;
const host = String.raw`(?:\[(?:[0-9A-Fa-f:.]+|[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)`;
const userInfo = `(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?`;
const uriPattern = new RegExp(
  String.raw`^[A-Za-z][A-Za-z0-9+.-]*:(?://${userInfo}${host}(?::[0-9]*)?(?:/${pathCharacter}*)*|/?(?:${pathCharacter}+(?:/${pathCharacter}*)*)?)(?:\?(?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?$`,
);

/** Whether a string is an absolute URI (RFC 3986). */
export function isUri(text: string): boolean {
  const ipLiteral = /^[^:]+:\/\/(?:[^@/?#]*@)?\[([^\]]*)\]/.exec(text)?.[1];
  return (
    uriPattern.test(text) &&
    (ipLiteral === undefined || /^v/i.test(ipLiteral) || URL.canParse(`http://[${ipLiteral}]/`))
  );
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
  const validate = loadEngine().getSchema(name.includes(":") ? name : `${baseUri}${name}`);
  if (validate === undefined) throw new Error(`unknown schema ${name}`);
  return validate as ValidateFunction;
}

/** Finds the faults of a value under a schema of the protocol, or a part of one (`…#/$defs/…`), each with its location. */
export function findFaults(name: string, value: Json): string[] {
  const validate = compileSchema(name);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Reports the faults of a value under a schema. */
export function judgeBySchema(report: ReportFault, name: string, value: Json, ...freedoms: string[]): void {
  for (const why of findFaults(name, value)) report(why, ...freedoms);
}

/** Returns the members that a schema declares, with their schemas. */
export function membersOf(name: string): JsonObject {
  const schema = schemas.find((candidate) => (candidate as JsonObject).$id === `${baseUri}${name}`);
  return (schema as JsonObject).properties as JsonObject;
}

/** Lists the names of the schemas in a folder, such as `agent.tool.invoked` in `core`. */
export function schemasIn(folder: "core" | "handshake"): string[] {
  const [start, end] = [`${baseUri}${folder}/`, ".schema.json"];
  const ids = schemas.map(({ $id }) => String($id));
  return ids.filter((id) => id.startsWith(start)).map((id) => id.slice(start.length, -end.length));
}
