import type { Document, Protocol } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { contentOf } from "../drafts/content.ts";
import { places } from "../evaluate/places.ts";
import { type Keyword, nodeAt } from "../model/model.ts";
import { elsewhereOf } from "./subject.ts";

/** Keywords without content of the document's own. An implementation that misreads them does so in every document. */
const plainKeywords: ReadonlySet<Keyword["kind"]> = new Set(["type", "format"] as const);

/**
 * The types and formats that earlier documents of a protocol assert, as keys of content. A foreign protocol has none: each of its sets is complete by
 * itself.
 */
export async function assertedBefore(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  if (protocol.foreign === true) return new Set();
  const { documents } = protocol.profile;
  const earlier = documents.slice(
    0,
    documents.findIndex(({ name }) => name === document.name),
  );
  const found = await Promise.all(
    earlier.filter(({ standalone }) => standalone).map((each) => cachedSites(protocol, each)),
  );
  return new Set(found.flatMap((each) => [...each]));
}

const earlierSites = new WeakMap<Document, Promise<ReadonlySet<string>>>();

function cachedSites(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const made = earlierSites.get(document) ?? assertedSites(protocol, document);
  earlierSites.set(document, made);
  return made;
}

/** The assertions of a document's own schema. */
async function assertedSites(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const model = await compileModel(protocol.schemas, document.schema);
  const elsewhere = elsewhereOf(protocol, document);
  const nodes = places(model).map(({ node }) => nodeAt(model, node));
  const own = nodes.filter(({ location, resource }) => !elsewhere.has(location, resource));
  return new Set(own.flatMap(({ keywords }) => keywords.filter(({ kind }) => plainKeywords.has(kind)).map(contentOf)));
}
