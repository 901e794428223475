import { dirname, resolve } from "node:path";
import { documentOf } from "./document.ts";
import { addDocument, emptyGraph, spotKey } from "./graph.ts";
import type { JsonObject } from "./json.ts";
import { repairSchema } from "./lenient-dialect.ts";
import type { Misread } from "./loaded-schemas.ts";
import { refuseLoops } from "./loops.ts";
import { refuseMisshapen } from "./meta-schema.ts";
import { type Notes, noteIn } from "./notes.ts";
import { StandIns } from "./number-stand-ins.ts";
import { type Followed, publishSchemas } from "./publish.ts";
import { addTarget, followLeniently, referenceError } from "./references.ts";
import type { Text } from "./text-place.ts";

/** A schema from a document that is not itself a schema, such as OpenAPI, with notes on the parts that were not read literally. Each note begins with file and line. */
export interface EmbeddedSchema {
  schema: JsonObject;
  notes: string[];
  /** The notes about parts that have no effect and are left out. */
  misread: Misread[];
}

/** Reads a schema in such a document leniently. It must not refer to other files. Throws a usage error with file, line and column. */
export function embeddedSchema(file: string, text: Text): EmbeddedSchema {
  const collected: Notes = { notes: [], misread: [] };
  const path = resolve(file);
  const document = documentOf(path, file, text);
  const standIns = new StandIns();
  standIns.reserve({ ...text, value: document.schema });
  const repairAt = (at: string): void => {
    repairSchema(document, at, noteIn(document, collected), standIns);
    refuseMisshapen(document, at);
  };
  repairAt("");
  const graph = emptyGraph(dirname(path));
  addDocument(graph, document);
  const followed: Followed[] = [];
  for (let reference = graph.waiting.shift(); reference !== undefined; reference = graph.waiting.shift()) {
    const target = followLeniently(graph, reference);
    if (target === undefined)
      throw referenceError(reference, "leads out of the document", "nothing is read from elsewhere");
    if (target === "standard") continue;
    if (!graph.spots.has(spotKey(target.resource.document, target.at))) repairAt(target.at);
    addTarget(graph, target);
    followed.push({ reference, target });
  }
  refuseLoops(graph, followed);
  const [schema] = publishSchemas(graph, followed, collected.notes, true);
  return { schema: schema as JsonObject, ...collected };
}
