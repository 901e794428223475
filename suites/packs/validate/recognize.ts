import { type Document, isObject, type Json, type JsonObject, type Protocol, pointer } from "../../../schemas/index.ts";
import { Likenesses } from "./likeness.ts";
import { correctSpelling } from "./spelling.ts";

/** The likely document of an instance. */
export interface Recognized {
  protocol: Protocol;
  document: Document;
}

/** A candidate, and the likeness of the instance to it. */
type RankedDocument = Recognized & { likeness: number };

/** The document of an instance, or the nearest documents if it is not recognized. */
export type Recognition = Recognized | { nearest: Recognized[] };

/** An instance with a lower likeness is not similar to a document. */
const minLikeness = 0.75;
/** If the likenesses of two documents differ by less than this, either of them may be meant. */
const margin = 0.1;
/** The factor that lowers the likeness to a document if a member has a value that only another document lists. */
const unlistedFactor = 0.5;

/** Whether an instance was recognized. */
export function isRecognized(recognition: Recognition): recognition is Recognized {
  return "document" in recognition;
}

/** Finds the document of an instance: first by values of its members, then by the presence of distinguishing members, then by likeness. It never guesses: if in doubt, it returns the two nearest. */
export function recognize(protocols: readonly Protocol[], instance: Json): Recognition {
  const candidates = protocols
    .flatMap((protocol) => protocol.profile.documents.map((document) => ({ protocol, document })))
    .filter((candidate) => belongsToProtocol(candidate, protocols, instance));
  const selectedCandidates = candidates.filter(({ protocol, document }) =>
    selects(document, correctSpelling(protocol.profile, instance)),
  );
  if (selectedCandidates.length === 1) return refineRecognized(selectedCandidates[0] as Recognized, instance);
  const markedCandidates = candidates.filter(({ document }) => hasMarkingMembers(document, instance));
  if (markedCandidates.length === 1 && selectedCandidates.length === 0) return markedCandidates[0] as Recognized;
  const ranking = rankDocuments(candidates, instance);
  const withoutScore = ({ protocol, document }: Recognized): Recognized => ({ protocol, document });
  const [best, second] = ranking;
  const isClear =
    best !== undefined && best.likeness >= minLikeness && best.likeness - (second?.likeness ?? 0) >= margin;
  return isClear ? withoutScore(best) : { nearest: ranking.slice(0, 2).map(withoutScore) };
}

/**
 * Whether a document counts as this protocol's. A document that an extension inherits counts only once: as the extension's if the instance
 * uses the extension's names, and otherwise as the parent's.
 */
function belongsToProtocol(
  { protocol, document }: Recognized,
  protocols: readonly Protocol[],
  instance: Json,
): boolean {
  const hasDocument = ({ profile }: Protocol): boolean => profile.documents.some(({ name }) => name === document.name);
  const usesNamesOf = ({ extends: extension }: Protocol): boolean =>
    isObject(instance) && Object.values(extension?.rename?.members ?? {}).some((name) => Object.hasOwn(instance, name));
  const isParentOf = (parent: Protocol, child: Protocol): boolean =>
    child.extends?.parent.name === parent.name && child.extends.parent.version === parent.version;
  const relatives = protocols.filter((otherProtocol) => otherProtocol !== protocol && hasDocument(otherProtocol));
  const isOnlyInherited = relatives.some((rival) => isParentOf(rival, protocol)) && !usesNamesOf(protocol);
  const isReplacedByExtension = relatives.some((rival) => isParentOf(protocol, rival) && usesNamesOf(rival));
  return !isOnlyInherited && !isReplacedByExtension;
}

/** Ranks documents by the likeness of an instance to them, most similar first. Of a document and one of its alternatives, only the whole document is returned. */
function rankDocuments(documents: readonly Recognized[], instance: Json): RankedDocument[] {
  const likenessesByProtocol = new Map<Protocol, Likenesses>();
  const likenessesOf = (protocol: Protocol): Likenesses => {
    const likenesses = likenessesByProtocol.get(protocol) ?? new Likenesses(protocol.schemas);
    likenessesByProtocol.set(protocol, likenesses);
    return likenesses;
  };
  const candidates = documents
    .filter(({ document: { role } }) => role === "entry" || role === "emitted" || role === "part")
    .flatMap((recognized) => {
      const likeness = likenessesOf(recognized.protocol).likenessTo(recognized.document.schema, instance);
      return likeness === undefined ? [] : [{ ...recognized, ...likeness }];
    });
  const distinguishing = new Set(candidates.flatMap(({ listed }) => [...listed]));
  const ranked = candidates
    .map(({ protocol, document, score, unlisted }) => {
      const fitsAnother = [...unlisted].some((name) => distinguishing.has(name));
      return { protocol, document, likeness: fitsAnother ? score * unlistedFactor : score };
    })
    .filter(({ likeness }) => likeness > 0)
    .sort((first, second) => second.likeness - first.likeness);
  const isPartOfAnother = (part: RankedDocument): boolean =>
    ranked.some(
      (whole) =>
        whole.protocol === part.protocol &&
        whole.likeness >= part.likeness - margin &&
        likenessesOf(part.protocol).isAlternative(part.document.schema, whole.document.schema) &&
        !likenessesOf(part.protocol).isAlternative(whole.document.schema, part.document.schema),
    );
  return ranked.filter((candidate) => !isPartOfAnother(candidate));
}

/** Names each document with its protocol; an empty text if there are none. */
export function describeNearest(nearest: readonly Recognized[]): string {
  return nearest.map(({ protocol, document }) => `${document.name} of ${protocol.name}`).join(" or ");
}

function selects({ when }: Document, instance: Json): boolean {
  if (when === undefined) return false;
  return Object.entries(when).every(([at, values]) => {
    const value = pointer.at(at, instance);
    return value !== undefined && values.includes(value as never);
  });
}

/** Replaces the recognized document by one that extends it (by `allOf`), if the instance has the members that the extension requires. */
function refineRecognized(recognized: Recognized, instance: Json): Recognized {
  const { protocol, document } = recognized;
  const extendingDocument = protocol.profile.documents.find((candidate) => {
    const { allOf, required } = schemaOf({ protocol, document: candidate }) ?? {};
    const includesDocument =
      Array.isArray(allOf) && allOf.some((part) => isObject(part) && part.$ref === document.schema);
    return (
      includesDocument &&
      Array.isArray(required) &&
      required.every((name) => isObject(instance) && String(name) in instance)
    );
  });
  return extendingDocument === undefined ? recognized : { protocol, document: extendingDocument };
}

function hasMarkingMembers({ has }: Document, instance: Json): boolean {
  return has?.every((at) => pointer.has(at, instance)) === true;
}

function schemaOf({ protocol: { schemas }, document: { schema } }: Recognized): JsonObject | undefined {
  return schemas.find(({ $id }) => $id === schema);
}
