import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { type Draft, Drafts, type Subject } from "../drafts/draft.ts";
import { breakAll } from "../drafts/inject.ts";
import { places } from "../evaluate/places.ts";
import type { Family } from "../faults/fault.ts";
import { nodeAt } from "../model/model.ts";
import { document, id } from "./schemas.fixture.ts";

// For tests: the faults of one family that can be injected into a given valid instance.

/** Injects the faults of a family at the first place of the schema that has one of its keywords. */
export async function injectFamily(
  family: Family,
  schema: JsonObject,
  parent: Json,
  isFirst = true,
  options: Partial<Subject> = {},
): Promise<Draft[]> {
  const model = await compileModel([document(schema)], id);
  const drafts = new Drafts();
  const subject = { model, samples: [], elsewhere: new Set<string>(), ...options };
  for (const place of places(model)) {
    const keywords = nodeAt(model, place.node).keywords.filter(({ kind }) => family.keywords.includes(kind));
    const at = place.at.map((segment) => `/${segment}`).join("");
    const draft: Draft = { data: parent, name: [], at: "", says: "", tags: [], features: [], uniqueFeatures: [] };
    for (const keyword of keywords)
      breakAll(subject, drafts, { place, keyword, parent: { draft, at }, first: isFirst });
    if (keywords.length > 0) return drafts.all;
  }
  return [];
}
