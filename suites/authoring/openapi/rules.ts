import { byAnswers, type JsonObject, pointer } from "../../../schemas/index.ts";
import type { Operation } from "./operation.ts";
import type { PackData } from "./pack-data.ts";
import type { SchemaMarks } from "./translate.ts";

/** Rule ids consist of letters and digits, in parts that begin with a letter. Different names may therefore lead to the same prefix, so a number distinguishes them. */
export function ruleId({ rules }: PackData, name: string, subject: string): string {
  const parts = name
    .toUpperCase()
    .replace(/-(?=\d)/g, "")
    .split(/[-.]+/);
  const prefix = `${parts.join("-")}-${subject}`;
  // Without the number at the end, such as `-001`.
  const usedCount = rules.filter(({ id }) => String(id).slice(0, -4) === prefix).length;
  return `${prefix}-${String(usedCount + 1).padStart(3, "0")}`;
}

export function answerRule(id: string, { method, path }: Operation): JsonObject {
  return answersRule(
    id,
    "Responses Object",
    `The body of an answer to ${method} ${path} is what the document says for its status and media type.`,
  );
}

export function headerRule(id: string, { method, path }: Operation): JsonObject {
  return answersRule(
    id,
    "Responses Object",
    `An answer to ${method} ${path} has the headers that the document requires for its status, as their schemas say.`,
  );
}

export function securityRule(id: string, { method, path }: Operation): JsonObject {
  return answersRule(
    id,
    "Security Requirement Object",
    `${method} ${path} refuses requests without credentials, and with wrong ones, and accepts each choice of credentials alone.`,
  );
}

function answersRule(id: string, clause: string, statement: string): JsonObject {
  return {
    id,
    statement,
    clause,
    binds: ["server"],
    check: "delivery",
    status: { covered: byAnswers },
  };
}

/** A description need not list all answers of a server, so another status only causes a warning. */
export function statusRule(id: string, { method, path }: Operation): JsonObject {
  const statement = `An answer to ${method} ${path} has a status and a media type that the document names.`;
  return { ...answersRule(id, "Responses Object", statement), level: "SHOULD" };
}

/** A server decides whether it stores keys, and for how long: accepting a key twice only causes a warning. */
export function reuseRule(id: string, { method, path }: Operation): JsonObject {
  const statement = `${method} ${path} refuses the key of a request that comes again with another body, as the document says.`;
  return { ...answersRule(id, "Responses Object", statement), level: "SHOULD" };
}

/** A reader that follows only the schemas is also correct, so ignoring a discriminator only causes a warning. */
export function markRules(
  data: PackData,
  name: string,
  { discriminated }: SchemaMarks,
  schema: JsonObject,
): JsonObject[] {
  const places = [...new Set(discriminated)].filter((at) => pointer.has(at, schema));
  if (places.length === 0) return [];
  const statement = `In ${name} the discriminator names the schema that counts.`;
  const sites = places.map((place) => `${name}.schema.json#${place}`);
  const id = ruleId(data, name, "DISCRIMINATOR");
  return [{ id, statement, level: "SHOULD", clause: "Discriminator Object", binds: ["server"], sites }];
}
