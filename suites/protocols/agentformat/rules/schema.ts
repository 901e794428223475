import { compileAjv } from "../../../../generators/index.ts";
import { type Json, type JsonObject, protocolNamed, type Rule } from "../../../../schemas/index.ts";

interface Known {
  schema: JsonObject;
  rules: readonly Rule[];
}

let known: Known | undefined;
let judge: ((instance: Json) => boolean) | undefined;

/** The schema of agent documents and the rules beyond it; read when first asked for. */
export function agentSchema(): Known {
  known ??= load();
  return known;
}

/** Whether the schema accepts a document. */
export function isAgent(document: Json): boolean {
  const { schema } = agentSchema();
  judge ??= compileAjv([schema], String(schema.$id), "quick");
  return judge(document);
}

function load(): Known {
  const { schemas, rules } = protocolNamed("agentformat");
  const [schema] = schemas as [JsonObject];
  return { schema, rules };
}
