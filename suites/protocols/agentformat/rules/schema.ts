import { compileAjv } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed, type Rule } from "../../../../schemas/index.ts";

interface SchemaRules {
  schema: JsonObject;
  rules: readonly Rule[];
}

// Both are created on first use.
let knownRules: SchemaRules | undefined;
let judge: ((instance: Json) => boolean) | undefined;

/** The schema of agent documents, with the rules beyond it; read on first use. */
export function agentSchema(): SchemaRules {
  knownRules ??= load();
  return knownRules;
}

/** Whether the schema accepts a document. */
export function isAgent(document: Json): boolean {
  const { schema } = agentSchema();
  judge ??= compileAjv([schema], String(schema.$id), "quick");
  return judge(document);
}

function load(): SchemaRules {
  const { schemas, rules } = protocolNamed("agentformat");
  const [schema] = schemas as [JsonObject];
  return { schema, rules };
}
