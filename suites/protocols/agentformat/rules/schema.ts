import { compileAjv } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed, type Rule } from "../../../../schemas/index.ts";

interface SchemaRules {
  schema: JsonObject;
  rules: readonly Rule[];
}

// Both are created on first use.
let schemaRules: SchemaRules | undefined;
let validate: ((instance: Json) => boolean) | undefined;

/** The schema of agent documents and the semantic rules; read on first use. */
export function agentSchema(): SchemaRules {
  schemaRules ??= loadRules();
  return schemaRules;
}

/** Whether the schema accepts a document. */
export function isAgent(document: Json): boolean {
  const { schema } = agentSchema();
  validate ??= compileAjv([schema], String(schema.$id), "quick");
  return validate(document);
}

function loadRules(): SchemaRules {
  const { schemas, rules } = protocolNamed("agentformat");
  const [schema] = schemas as [JsonObject];
  return { schema, rules };
}
