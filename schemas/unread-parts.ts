import { isSchema } from "./dialect.ts";
import type { SchemaDocument } from "./document.ts";
import { isObject, type Json } from "./json.ts";
import { misshapenSchema } from "./meta-schema.ts";
import { append, segments, split, at as valueAt } from "./pointer.ts";

/** Receives the location and the text of a part that is not read literally, and whether it is left out. */
export type Note = (at: string, what: string, isLeftOut?: boolean) => void;

/** Removes the parts that the meta-schema does not allow. Each round removes some, and the next round finds the faults that were hidden by them. */
export function removeUnreadParts(document: SchemaDocument, at: string, note: Note): void {
  const notedPaths = new Set<string>();
  for (;;) {
    const suspects = deepestPaths(
      new Set(misshapenSchema(document, at).map((path) => keywordAround(document, at, path))),
    );
    suspects.delete(at);
    if (suspects.size === 0) return;
    for (const path of suspects) {
      const { parent, last } = split(path);
      const parentValue = valueAt(parent, document.schema);
      if (!isObject(parentValue) || notedPaths.has(path)) return;
      notedPaths.add(path);
      if (!descriptiveKeywords.has(last))
        note(
          path,
          `${showValue(parentValue[last] as Json)} is not a value that ${JSON.stringify(last)} can have: it asserts nothing`,
          true,
        );
      delete parentValue[last];
    }
  }
}

/** The paths that do not contain another path. Others are dropped, because the meta-schema also reports everything around a fault. */
function deepestPaths(paths: ReadonlySet<string>): Set<string> {
  const containers = new Set([...paths].flatMap((path) => containersOf(path)));
  return new Set([...paths].filter((path) => !containers.has(path)));
}

function containersOf(path: string): string[] {
  const steps = path.split("/");
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** The path of the keyword around a location, or of the member of a keyword that maps names to schemas. */
function keywordAround({ schema, dialect }: SchemaDocument, at: string, path: string): string {
  let reachedPath = at;
  const steps = segments(path.slice(at.length));
  for (let index = 0; index < steps.length; ) {
    const keyword = steps[index] as string;
    const next = append(reachedPath, keyword);
    const value = valueAt(next, schema);
    const name = steps[index + 1];
    if (dialect.single.has(keyword) && isSchema(value)) {
      reachedPath = next;
      index += 1;
    } else if (name !== undefined && dialect.map.has(keyword) && isObject(value)) {
      reachedPath = append(next, name);
      index += 2;
      if (!isSchema(value[name])) return reachedPath;
    } else if (
      name !== undefined &&
      dialect.list.has(keyword) &&
      Array.isArray(value) &&
      isSchema(value[Number(name)])
    ) {
      reachedPath = append(next, name);
      index += 2;
    } else return next;
  }
  return reachedPath;
}

/** Keywords that only describe: they are removed without a note. */
const descriptiveKeywords = new Set("title description $comment examples readOnly writeOnly deprecated".split(" "));

/** A value in a message, of a bounded length. */
export function showValue(value: Json): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
