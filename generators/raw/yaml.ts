import { parseDocument } from "yaml";
import type { Json } from "../../schemas/index.ts";

const editions = ["1.1", "1.2"] as const;
const unprintableCharacter = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Lists the editions of YAML that read the bytes as a value that passes the test. Repeated names are allowed, as in many loaders. */
export function yamlEditions(source: Uint8Array, test: (value: Json) => boolean): string[] {
  const text = decodeBytes(source);
  if (text === undefined || unprintableCharacter.test(text)) return [];
  return editions.filter((edition) => readsAs(text, edition, test)).map((edition) => `YAML ${edition}`);
}

function readsAs(text: string, version: (typeof editions)[number], test: (value: Json) => boolean): boolean {
  const schema = version === "1.2" ? "core" : "yaml-1.1";
  const document = parseDocument(text, { version, schema, uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  if (document.errors.length > 0) return false;
  const value: unknown = document.toJS();
  // The value may contain dates or other non-JSON values. Converting it to text and back makes the value that a schema judges.
  return value !== undefined && test(JSON.parse(JSON.stringify(value)) as Json);
}

/** Decodes UTF-8, or UTF-16 if a byte order mark or a zero byte indicates it. */
function decodeBytes(source: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encodingOf(source), { fatal: true }).decode(source);
  } catch {
    return undefined;
  }
}

function encodingOf([first, second]: Uint8Array): "utf-16le" | "utf-16be" | "utf-8" {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}
