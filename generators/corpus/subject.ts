import { type Document, type Json, levelOf, type Protocol, type RuledProtocol } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import { OtherDocuments, referredPart } from "../drafts/other-documents.ts";
import type { Location, Model } from "../model/model.ts";
import { asPublished, everyDocument } from "../rules/families.ts";
import { breachesOf } from "../rules/rule-breaches.ts";
import { positionOf } from "./judge.ts";
import { settleSample } from "./settled-samples.ts";

export function subjectOf(protocol: RuledProtocol, document: Document, model: Model): Subject {
  const otherDocuments = othersOf(protocol, document);
  // Messages are signed last, so rules about signatures do not judge drafts.
  const families = protocol.families.filter(({ seals }) => seals !== true);
  const unsealed = { ...protocol, families };
  const checkers = families.flatMap((family) =>
    family.checkers.filter(({ documents }) => documents.includes(document.name)),
  );
  const breaches = breachesOf(protocol, document, checkers);
  return {
    model,
    samples: (document.samples ?? []).map((sample) => settleSample(model, sample).sample),
    examples: examplesOf(unsealed, (name) => name === document.name).filter(
      (example) => breaches(example).length === 0,
    ),
    otherExamples: examplesOf(unsealed, (name) => otherDocuments.some((other) => other.name === name)),
    breaches,
    binding: new Set(protocol.rules.filter((rule) => levelOf(rule) === "MUST").map(({ id }) => id)),
    ruleOf: (site, via) => positionOf(protocol, { site, via, fault: "broken" }).rule?.id,
    decides: (site, via) => {
      const { isOpen, needsFormats, level } = positionOf(protocol, { site, via, fault: "broken" });
      return !isOpen && !needsFormats && level === "MUST";
    },
    elsewhere: elsewhereOf(protocol, document),
  };
}

/**
 * Returns the schemas that have their own document. In a user's pack such a schema may be a part of a file that all documents share, if the other
 * document is sent to the same receiver; the published sets do not consider such parts.
 */
export function elsewhereOf(protocol: Protocol, document: Document): OtherDocuments {
  const otherDocuments = othersOf(protocol, document);
  if (protocol.foreign !== true) return new OtherDocuments(otherDocuments.map(({ schema }) => schema));
  const ownPart = partOf(protocol, document);
  const parts = otherDocuments.filter((other) => isSentAlike(document, other)).map((other) => partOf(protocol, other));
  return new OtherDocuments(
    otherDocuments.map(({ schema }) => schema),
    parts.flatMap((part) => (part === ownPart ? [] : (part ?? []))),
    ownPart,
  );
}

/** A cache, since the description of an interface may have thousands of schemas, and every document asks for the parts of all others. */
const partsBySchemas = new WeakMap<Protocol["schemas"], ReadonlyMap<string, Location | undefined>>();

function partOf({ schemas }: Protocol, { schema }: Document): Location | undefined {
  const parts = partsBySchemas.get(schemas) ?? readParts(schemas);
  partsBySchemas.set(schemas, parts);
  return parts.get(schema);
}

/** The parts that schemas refer to instead of asserting anything themselves, by id. */
function readParts(schemas: Protocol["schemas"]): Map<string, Location | undefined> {
  const parts = new Map<string, Location | undefined>();
  for (const schema of schemas)
    if (typeof schema.$id === "string" && !parts.has(schema.$id)) parts.set(schema.$id, referredPart(schema));
  return parts;
}

function isSentAlike(document: Document, other: Document): boolean {
  return document.role === other.role && (document.endpoint === undefined || other.endpoint !== undefined);
}

function othersOf({ profile }: Protocol, { name }: Document): Document[] {
  return profile.documents.filter((document) => document.standalone && document.name !== name);
}

/** Lists the valid instances from the cases of rules, for some documents, in the order of publication. */
function examplesOf(protocol: RuledProtocol, isIncluded: (document: string) => boolean): Json[] {
  const published = protocol.families
    .flatMap(({ cases }) => cases)
    .flatMap(({ rule, document, valid }) => valid.map(({ name, data }) => ({ rule, document, name, data })));
  const inOrder = asPublished(protocol, everyDocument, published, (each) => each);
  // Within the positions of each document, its cases are ordered as it publishes them.
  const queueByDocument = new Map<string, typeof inOrder>();
  for (const document of new Set(inOrder.map((each) => each.document)))
    queueByDocument.set(
      document,
      asPublished(
        protocol,
        document,
        inOrder.filter((each) => each.document === document),
        (each) => each,
      ),
    );
  return inOrder.flatMap(({ document }) => {
    const next = queueByDocument.get(document)?.shift();
    return isIncluded(document) ? (next?.data ?? []) : [];
  });
}
