import { parseDocument } from "yaml";
import { canonical, type Json, readJson, TouchstoneError, type Vector } from "../../schemas/index.ts";

/** Returns the content of a vector: its bytes as sent, and their value, read as strict JSON, or as YAML if the vector says so. */
export function contentOf({ data, raw, base64, needs }: Vector): { text?: Uint8Array; value?: Json } {
  if (data !== undefined) return { value: data, text: Buffer.from(JSON.stringify(data)) };
  const text = Buffer.from(raw ?? base64 ?? "", raw === undefined ? "base64" : "utf8");
  if (needs.includes("yaml-text")) return { text, ...yamlIn(text.toString("utf8")) };
  try {
    return { text, value: readJson(text, "vector").value };
  } catch (error) {
    if (error instanceof TouchstoneError) return { text };
    throw error;
  }
}

/** Parses a YAML text. Empty if the text is not YAML, or its value is not JSON. */
function yamlIn(text: string): { value?: Json } {
  try {
    const document = parseDocument(text, { version: "1.2", schema: "core", stringKeys: true, logLevel: "silent" });
    const value = document.errors.length > 0 ? undefined : (document.toJS() as Json | undefined);
    return value === undefined ? {} : { value: JSON.parse(JSON.stringify(value)) as Json };
  } catch {
    return {};
  }
}

/** Returns a key that is equal for vectors with the same content: equal texts, or equal values with members in any order, unless the vector tests their order. */
export function contentKey(vector: Vector): string {
  const { data, tags, needs } = vector;
  if (data === undefined)
    return `${needs.includes("yaml-text") ? "yaml" : "text"} ${Buffer.from(contentOf(vector).text ?? []).toString("latin1")}`;
  if (tags.includes("member-order")) return `order ${JSON.stringify(data)}`;
  try {
    return `value ${canonical(data)}`;
  } catch {
    // Half a surrogate pair has no canonical form.
    return `value ${JSON.stringify(data)}`;
  }
}
