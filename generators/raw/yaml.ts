import { parseDocument } from "yaml";
import type { Json } from "../../schemas/index.ts";

const editions = ["1.1", "1.2"] as const;
const unprintableCharacter = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The editions of YAML that read the bytes as a value that passes the test. Repeated names are accepted, as by many loaders. */
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
  // A sequence of tags or dates is not a JSON value; a conversion to text and back gives the value that a schema sees.
  return value !== undefined && test(JSON.parse(JSON.stringify(value)) as Json);
}

/** YAML may be UTF-16 too, with a byte order mark or recognised by its zero bytes. */
function decodeBytes(source: Uint8Array): string | undefined {
  const [first, second] = source;
  const little = (first === 0xff && second === 0xfe) || (first !== 0 && second === 0);
  const big = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0);
  try {
    return new TextDecoder(little ? "utf-16le" : big ? "utf-16be" : "utf-8", { fatal: true }).decode(source);
  } catch {
    return undefined;
  }
}
