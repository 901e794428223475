import type { Document, Protocol } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { contentOf } from "../drafts/content.ts";
import { places } from "../evaluate/places.ts";
import { type Keyword, nodeAt } from "../model/model.ts";
import { elsewhereOf } from "./subject.ts";

/** Keywords that say nothing specific about a document. An implementation that misreads one does so in every document. */
const plainKeywords: ReadonlySet<Keyword["kind"]> = new Set(["type", "format"] as const);

/**
 * Finds the types and formats that earlier documents of a protocol assert, as content keys. A foreign protocol has none, because each of its sets is
 * complete in itself.
 */
export async function findEarlierAssertions(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  if (protocol.foreign === true) return new Set();
  const { documents } = protocol.profile;
  const earlier = documents.slice(
    0,
    documents.findIndex(({ name }) => name === document.name),
  );
  const assertionsByDocument = await Promise.all(
    earlier.filter(({ standalone }) => standalone).map((earlierDocument) => cachedSites(protocol, earlierDocument)),
  );
  return new Set(assertionsByDocument.flatMap((assertions) => [...assertions]));
}

const earlierSites = new WeakMap<Document, Promise<ReadonlySet<string>>>();

function cachedSites(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const sites = earlierSites.get(document) ?? assertedSites(protocol, document);
  earlierSites.set(document, sites);
  return sites;
}

/** Lists the assertions of a document's own schema. */
async function assertedSites(protocol: Protocol, document: Document): Promise<ReadonlySet<string>> {
  const model = await compileModel(protocol.schemas, document.schema);
  const elsewhere = elsewhereOf(protocol, document);
  const nodes = places(model).map(({ node }) => nodeAt(model, node));
  const ownNodes = nodes.filter(({ location, resource }) => !elsewhere.has(location, resource));
  return new Set(
    ownNodes.flatMap(({ keywords }) => keywords.filter(({ kind }) => plainKeywords.has(kind)).map(contentOf)),
  );
}
