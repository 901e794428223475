import type { Json } from "../../schemas/index.ts";

/** The value of one YAML 1.2 document, core schema, names as text and unique. Throws a SyntaxError. */
export async function parseYaml(text: string): Promise<Json> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { version: "1.2", schema: "core", merge: false, stringKeys: true });
  const [error] = document.errors;
  if (error !== undefined) throw new SyntaxError(error.message);
  try {
    // The count bounds what aliases of aliases can grow into.
    return (document.toJS({ maxAliasCount: 100 }) ?? null) as Json;
  } catch (error) {
    if (error instanceof ReferenceError) throw new SyntaxError(error.message);
    throw error;
  }
}
