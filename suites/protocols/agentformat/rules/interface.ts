import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type Breach, type Checker, isObject, type Json, pointer } from "../../../../schemas/index.ts";
import { textAt } from "./parts.ts";

const options: Options = { strict: false, validateFormats: false, logger: false, allErrors: false };
const editions: Readonly<Record<string, () => Ajv>> = {
  "https://json-schema.org/draft/2020-12/schema": () => new Ajv2020(options),
  "https://json-schema.org/draft/2019-09/schema": () => new Ajv2019(options),
  "http://json-schema.org/draft-07/schema": () => new Ajv(options),
};
const [newest, ...older] = Object.keys(editions) as [string, ...string[]];
/** Deeper schemas are not judged. */
const maxSchemaDepth = 300;
const metaSchemas = new Map<string, ValidateFunction>();

const schemaChecker: Checker = {
  rule: "AGF-IFACE-003",
  documents: ["agent"],
  *check(agent) {
    for (const at of ["/interface/input", "/interface/output"]) {
      const schema = pointer.at(at, agent);
      if (isObject(schema) && !isTooDeep(schema)) yield* findFaults(agent, at, schema);
    }
  },
};

function* findFaults(agent: Json, at: string, schema: Json): Iterable<Breach> {
  const namedEdition = textAt(agent, `${at}/$schema`)?.replace(/#$/, "");
  // An unknown edition is not judged.
  if (namedEdition !== undefined && !Object.hasOwn(editions, namedEdition)) return;
  const fault = schemaFault(namedEdition ?? newest, schema);
  if (fault === undefined) return;
  const isAllowedByOther =
    (namedEdition ?? newest) === newest && older.some((edition) => schemaFault(edition, schema) === undefined);
  yield {
    at: `${at}${fault.at}`,
    why: `is not a valid JSON Schema${isAllowedByOther ? " of 2020-12, though valid in an earlier edition" : ""}: ${fault.why}`,
    ...(isAllowedByOther ? { level: "SHOULD" } : {}),
  };
}

function schemaFault(edition: string, schema: Json): { at: string; why: string } | undefined {
  const validate = metaSchemas.get(edition) ?? (editions[edition]?.().getSchema(edition) as ValidateFunction);
  metaSchemas.set(edition, validate);
  if (validate(schema)) return undefined;
  const [{ instancePath: at, message } = { instancePath: "", message: "" }] = validate.errors ?? [];
  return { at, why: `${message}` };
}

/** Measures the depth without recursion, because a value may be too deep for a validator. */
function isTooDeep(value: Json): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxSchemaDepth) return true;
    level = level.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
  }
  return false;
}

/** Checks the schemas of input and output. */
export const interfaceCheckers: readonly Checker[] = [schemaChecker];
