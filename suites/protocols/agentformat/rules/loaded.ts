import { type Document, isAlias, isScalar, Lexer, parseDocument, type Scalar, visit, type YAMLMap } from "yaml";
import { readOnce } from "../../../../generators/index.ts";
import { compact, type Json } from "../../../../schemas/index.ts";

/** A document read as YAML 1.2 with the core schema, or the reason why it cannot be read. */
export type LoadedText = { document(): Document; value: Json; hasMergeKey(): boolean } | { why: string };

/** Limits the expansion of aliases, which may refer to other aliases. */
const aliasLimit = 100;

/** Deeper than any real document, but not deep enough to exhaust a reader's stack. */
const maxDepth = 200;

/** Reads a document strictly: keys are strings, and unique in their mapping. Undefined if it is nested too deeply, or not in UTF-8. */
export const loadText: (bytes: Uint8Array) => LoadedText | undefined = readOnce(readStrictly);

function readStrictly(bytes: Uint8Array): LoadedText | undefined {
  let text: string;
  try {
    // A lone carriage return is also a line break (YAML 1.2.2, 5.4), which the parser does not support.
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\r(?!\n)/g, "\n");
  } catch {
    return undefined;
  }
  if (isTooDeep(text)) return undefined;
  try {
    return parseText(text);
  } catch (error) {
    return { why: `cannot be read as YAML: ${(error as Error).message}` };
  }
}

function parseText(text: string): LoadedText {
  // JSON has the same value as YAML, but the YAML parser is ten times slower.
  const value = text.startsWith("{") ? compact(text, Number.POSITIVE_INFINITY) : undefined;
  return value === undefined ? readYaml(text) : { document: () => documentIn(text), value, hasMergeKey: () => false };
}

function readYaml(text: string): LoadedText {
  const document = documentIn(text);
  const [error] = document.errors;
  if (error !== undefined) return { why: `cannot be read as YAML: ${error.message}` };
  let repeatedKey: string | undefined;
  let isMerging = false;
  visit(document, {
    Map(_, map) {
      repeatedKey ??= repeatedName(map);
      isMerging ||= map.items.some(({ key }) => isScalar(key) && key.value === "<<" && key.type === "PLAIN");
    },
  });
  if (repeatedKey !== undefined) return { why: `has the name ${JSON.stringify(repeatedKey)} twice in one mapping` };
  return {
    document: () => document,
    hasMergeKey: () => isMerging,
    value: (document.toJS({ maxAliasCount: aliasLimit }) ?? null) as Json,
  };
}

function documentIn(text: string): Document {
  return parseDocument(text, {
    version: "1.2",
    schema: "core",
    stringKeys: true,
    // `readYaml` finds repeated keys in linear time; the parser would need quadratic time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
}

/** Counts the open brackets of flow style, and measures the indentation of block style. */
function isTooDeep(text: string): boolean {
  if (text.split("\n").some((line) => (/[^ ?:-]|$/.exec(line)?.index as number) > maxDepth)) return true;
  if (text.split(/[[{]/, maxDepth + 2).length <= maxDepth + 1) return false;
  let open = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") open += 1;
    else if (token === "]" || token === "}") open -= 1;
    if (open > maxDepth) return true;
  }
  return false;
}

function repeatedName(map: YAMLMap): string | undefined {
  const seenKeys = new Set<unknown>();
  for (const { key } of map.items) {
    const name = isScalar(key) ? key.value : undefined;
    if (typeof name === "string" && seenKeys.has(name)) return name;
    seenKeys.add(name);
  }
  return undefined;
}

/** The unquoted scalar at a path, if there is one. */
export function plainScalar(document: Document, path: readonly string[]): Scalar | undefined {
  const node: unknown = document.getIn(path, true);
  const scalar = isAlias(node) ? node.resolve(document) : node;
  return isScalar(scalar) && scalar.type === "PLAIN" ? scalar : undefined;
}
