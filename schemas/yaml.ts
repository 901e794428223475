import { createRequire } from "node:module";
import type { Alias, Document, Node, Scalar, YAMLMap } from "yaml";
import type { Json } from "./json.ts";
import { append, segments } from "./pointer.ts";
import { depthLimit } from "./text.ts";
import { decodeText, placeAt, placesIn, type Text, unreadableText } from "./text-place.ts";
import { maxYamlValues, refuseMany } from "./value-limit.ts";

/** The limit for the size of an anchor times the number of its aliases, which bounds the growth of nested aliases. */
const aliasLimit = 100;
const coreTags = new Set([
  "!",
  ..."str int float bool null map seq".split(" ").map((name) => `tag:yaml.org,2002:${name}`),
]);

/** The maximum depth. The parser is recursive, and a stack overflow in it ends the process. */
const deepestYaml = 500;

/** The offset at which the nesting exceeds the limit, measured by open flow collections and by indentation. */
function tooDeepOffset(text: string, Lexer: new () => { lex(source: string): Iterable<string> }): number | undefined {
  let lineStart = 0;
  for (const line of text.split("\n")) {
    const indent = /[^ ?:-]|$/.exec(line)?.index as number;
    if (indent > 2 * deepestYaml) return lineStart;
    lineStart += line.length + 1;
  }
  let openCount = 0;
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") openCount += 1;
    else if (token === "]" || token === "}") openCount -= 1;
    if (openCount > deepestYaml) return Math.min(offset, text.length);
    offset += token.length;
  }
  return undefined;
}

/**
 * Reads one YAML 1.2 document in the core schema, strictly: names are text and unique, dates stay text, tags are those of the core
 * schema, and numbers are finite. Aliases and `<<` are followed. Throws a usage error that begins with `FILE:LINE:COLUMN`.
 */
export async function readYaml(source: string | Uint8Array, file: string, options: YamlOptions = {}): Promise<Text> {
  return readWith(await import("yaml"), source, file, options);
}

/** The synchronous form of `readYaml`, for callers that also read other formats. */
export function readYamlNow(source: string | Uint8Array, file: string): Text {
  return readWith(createRequire(import.meta.url)("yaml") as Yaml, source, file, {});
}

type Yaml = typeof import("yaml");

interface YamlOptions {
  /** Levels of nesting. */
  depth?: number;
}

function readWith(yaml: Yaml, source: string | Uint8Array, file: string, { depth = depthLimit }: YamlOptions): Text {
  // A lone carriage return is a line break as well (YAML 1.2.2, 5.4), which the parser does not know.
  const text = decodeText(source, file).replace(/\r(?!\n)/g, "\n");
  refuseMany(text, maxYamlValues, file);
  return new YamlReader(yaml, text, file).read(depth);
}

/** Reads one text; each method throws a usage error with the place of the refused part. */
class YamlReader {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #file: string;

  constructor(yaml: Yaml, text: string, file: string) {
    this.#yaml = yaml;
    this.#text = text;
    this.#file = file;
  }

  read(depth: number): Text {
    const tooDeepAt = tooDeepOffset(this.#text, this.#yaml.Lexer);
    if (tooDeepAt !== undefined)
      this.#refuse(tooDeepAt, `nested more than ${deepestYaml} levels deep`, "nest it less deeply");
    const document = this.#parse();
    this.#check(document);
    const value = this.#plainValue(document);
    const deepPointer = tooDeep(value, depth);
    if (deepPointer !== undefined)
      this.#refuse(
        start(this.#nearest(document, deepPointer)),
        `nested more than ${depth} levels deep`,
        "nest it less deeply",
      );
    const placeOf = placesIn(this.#text);
    return {
      value,
      locate: (pointer) => placeOf(start(this.#nearest(document, pointer))),
      number: (pointer) => {
        const node = this.#nearest(document, pointer);
        const isNumber = this.#yaml.isScalar(node) && typeof node.value === "number";
        return isNumber && typeof node.source === "string" ? node.source.replace(/^\+/, "") : undefined;
      },
    };
  }

  #parse(): Document {
    const text = this.#text;
    const document = this.#yaml.parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: true,
      stringKeys: true,
      // Checked below, where the error can name both places.
      uniqueKeys: false,
      prettyErrors: false,
    });
    const [error, nextError] = document.errors;
    // The parser mistakes the value of the line above for the beginning of the name.
    if (nextError?.code === "MULTILINE_IMPLICIT_KEY" && nextError.pos[0] === error?.pos[0]) {
      const line = text.lastIndexOf("\n", nextError.pos[1] - 1) + 1;
      const name = line + text.slice(line).search(/\S/);
      this.#refuse(name, "found a name that is indented more than those above it", "indent it as these");
    }
    if (error !== undefined) {
      const [what, hint] = messagesByCode[error.code] ?? [toSentence(error.message), "write it as YAML 1.2 says"];
      this.#refuse(error.pos[0], what, hint);
    }
    return document;
  }

  /** Refuses everything that JSON does not have: tags, repeated names, special numbers and texts, endless aliases. */
  #check(document: Document): void {
    const yaml = this.#yaml;
    const anchors = new Map<string, Node>();
    yaml.visit(document, (_, node, path) => {
      if (yaml.isAlias(node)) return this.#mustBeBounded(node, path, anchors);
      if (!yaml.isNode(node)) return;
      const { tag, anchor } = node as Scalar | YAMLMap;
      if (anchor !== undefined) anchors.set(anchor, node);
      if (tag !== undefined && !coreTags.has(tag))
        this.#refuse(start(node), `found the tag ${tag}`, "leave out the tag");
      if (yaml.isMap(node)) this.#mustBeUnique(node);
      if (yaml.isScalar(node)) this.#mustBeJson(node);
    });
  }

  #mustBeBounded(alias: Alias, path: readonly unknown[], anchors: ReadonlyMap<string, Node>): void {
    const { source } = alias;
    const target = anchors.get(source);
    if (target === undefined) {
      this.#refuse(start(alias), `found *${source}, but no &${source} before it`, "put the anchor first");
    }
    if (path.includes(target))
      this.#refuse(start(alias), `found *${source} inside of its own anchor`, "end the circle");
  }

  #mustBeJson(scalar: Scalar): void {
    const { value } = scalar;
    if (typeof value === "number" && !Number.isFinite(value)) {
      this.#refuse(start(scalar), `found ${value}, which JSON has no number for`, "write a finite number or null");
    }
    if (typeof value === "string" && /\p{Surrogate}/u.test(value)) {
      this.#refuse(start(scalar), "found half a surrogate pair", "escape both halves, or neither");
    }
  }

  #mustBeUnique(map: YAMLMap): void {
    const seen = new Map<unknown, number>();
    for (const { key } of map.items) {
      const { value, range } = key as Scalar;
      const offset = range?.[0] ?? 0;
      const firstOffset = seen.get(value);
      if (firstOffset !== undefined) {
        const { line } = placeAt(this.#text, firstOffset);
        const what = `repeats the name ${JSON.stringify(value)}, first on line ${line}`;
        this.#refuse(offset, what, "remove one of the two, or rename it");
      }
      seen.set(value, offset);
    }
  }

  #plainValue(document: Document): Json {
    try {
      return (document.toJS({ maxAliasCount: aliasLimit }) ?? null) as Json;
    } catch (error) {
      if (error instanceof ReferenceError)
        return this.#refuse(0, "aliases grow beyond all bounds", "write out their content");
      return this.#refuse(0, toSentence((error as Error).message), "write it as YAML 1.2 says");
    }
  }

  #nearest(document: Document, pointer: string): Node | null {
    const yaml = this.#yaml;
    let node: unknown = document.contents;
    for (const segment of segments(pointer)) {
      if (yaml.isAlias(node)) node = node.resolve(document);
      const next: unknown = yaml.isMap(node) || yaml.isSeq(node) ? node.get(segment, true) : undefined;
      if (!yaml.isNode(next)) break;
      node = next;
    }
    return node as Node | null;
  }

  #refuse(offset: number, what: string, hint: string): never {
    throw unreadableText(this.#file, this.#text, { offset, what, hint });
  }
}

/** The JSON Pointer of the first list or mapping that is too deep. */
function tooDeep(value: Json, limit: number): string | undefined {
  const unvisited: [value: Json, pointer: string, depth: number][] = [[value, "", 1]];
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    const [visited, pointer, depth] = next;
    if (typeof visited !== "object" || visited === null) continue;
    if (depth > limit) return pointer;
    for (const [name, child] of Object.entries(visited)) unvisited.push([child, append(pointer, name), depth + 1]);
  }
  return undefined;
}

function start(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

const messagesByCode: Record<string, [what: string, hint: string]> = {
  MULTIPLE_DOCS: ["found a second document", "keep one document in a file"],
  NON_STRING_KEY: ["found a name that is not text", "use text as the name"],
  RESOURCE_EXHAUSTION: ["nested too deeply", "nest it less deeply"],
  TAB_AS_INDENT: ["found a tab as indentation", "indent with spaces"],
};

function toSentence(message: string): string {
  return message.replace(/^[A-Z](?=[a-z ])/, (first) => first.toLowerCase());
}
