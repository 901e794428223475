import type { Document, Protocol } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { contentOf } from "../drafts/content.ts";
import { places } from "../evaluate/places.ts";
import { type Keyword, nodeAt } from "../model/model.ts";
import { elsewhereOf } from "./subject.ts";

/** Keywords with nothing of the document's own in them: whoever reads them wrongly does so in every document. */
const plain: ReadonlySet<Keyword["kind"]> = new Set(["type", "format"] as const);

/**
 * The types and formats that documents of a protocol assert that come before one of them, as keys of content. Somebody's own protocol has
 * none: each of its sets is made to stand alone.
 */
export async function assertedBefore(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  if (protocol.foreign === true) return new Set();
  const { documents } = protocol.profile;
  const earlier = documents.slice(
    0,
    documents.findIndex(({ name }) => name === document.name),
  );
  const found = await Promise.all(
    earlier.filter(({ standalone }) => standalone).map((each) => contents(protocol, each)),
  );
  return new Set(found.flatMap((each) => [...each]));
}

const known = new WeakMap<Document, Promise<ReadonlySet<string>>>();

function contents(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const made = known.get(document) ?? asserted(protocol, document);
  known.set(document, made);
  return made;
}

/** Those that a document asserts at home. */
async function asserted(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const model = await compileModel(protocol.schemas, document.schema);
  const elsewhere = elsewhereOf(protocol, document);
  const nodes = places(model).map(({ node }) => nodeAt(model, node));
  const own = nodes.filter(({ resource }) => !elsewhere.has(resource));
  return new Set(own.flatMap(({ keywords }) => keywords.filter(({ kind }) => plain.has(kind)).map(contentOf)));
}
