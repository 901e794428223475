import { isSchema } from "./dialect.ts";
import type { SchemaDocument } from "./document.ts";
import { isObject, type Json } from "./json.ts";
import { misshapenSchema } from "./meta-schema.ts";
import { append, segments, split, at as valueAt } from "./pointer.ts";

/** Receives the location and the text of a part that is not read literally, and whether it is left out. */
export type Note = (at: string, what: string, isLeftOut?: boolean) => void;

/** Removes the parts that the meta-schema does not allow. Each round removes some, and the next round finds the faults that these hid. */
export function leaveOut(document: SchemaDocument, at: string, note: Note): void {
  const noted = new Set<string>();
  for (;;) {
    const suspects = deepestPaths(
      new Set(misshapenSchema(document, at).map((path) => keywordAround(document, at, path))),
    );
    suspects.delete(at);
    if (suspects.size === 0) return;
    for (const path of suspects) {
      const { parent, last } = split(path);
      const holder = valueAt(parent, document.schema);
      if (!isObject(holder) || noted.has(path)) return;
      noted.add(path);
      if (!describing.has(last))
        note(
          path,
          `${showValue(holder[last] as Json)} is not a value that ${JSON.stringify(last)} can have: it asserts nothing`,
          true,
        );
      delete holder[last];
    }
  }
}

/** The paths that contain no other path: the meta-schema also reports everything around a fault. */
function deepestPaths(paths: ReadonlySet<string>): Set<string> {
  const holders = new Set([...paths].flatMap((path) => containersOf(path)));
  return new Set([...paths].filter((path) => !holders.has(path)));
}

function containersOf(path: string): string[] {
  const steps = path.split("/");
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("/"));
}

/** The keyword around a location, or the member of a keyword that maps names to schemas. */
function keywordAround({ schema, dialect }: SchemaDocument, at: string, path: string): string {
  let reached = at;
  const steps = segments(path.slice(at.length));
  for (let index = 0; index < steps.length; ) {
    const keyword = steps[index] as string;
    const next = append(reached, keyword);
    const value = valueAt(next, schema);
    const name = steps[index + 1];
    if (dialect.single.has(keyword) && isSchema(value)) {
      reached = next;
      index += 1;
    } else if (name !== undefined && dialect.map.has(keyword) && isObject(value)) {
      reached = append(next, name);
      index += 2;
      if (!isSchema(value[name])) return reached;
    } else if (
      name !== undefined &&
      dialect.list.has(keyword) &&
      Array.isArray(value) &&
      isSchema(value[Number(name)])
    ) {
      reached = append(next, name);
      index += 2;
    } else return next;
  }
  return reached;
}

/** Keywords that only describe: they are removed without a note. */
const describing = new Set("title description $comment examples readOnly writeOnly deprecated".split(" "));

/** A value in a message, of a bounded length. */
export function showValue(value: Json): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
