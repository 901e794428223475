import { type Document, isObject, type Json, type JsonObject, type Protocol, pointer } from "../../../schemas/index.ts";
import { Likenesses } from "./likeness.ts";
import { correctSpelling } from "./spelling.ts";

/** The likely document of an instance. */
export interface Recognized {
  protocol: Protocol;
  document: Document;
}

/** The document of an instance, or otherwise the nearest ones. */
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

/** Finds the document of an instance: the document that its members select by their values; otherwise the document with distinguishing members that it has; otherwise the document that it clearly fits best. It never guesses: if in doubt, it returns the two nearest. */
export function recognize(protocols: readonly Protocol[], instance: Json): Recognition {
  const candidates = protocols
    .flatMap((protocol) => protocol.profile.documents.map((document) => ({ protocol, document })))
    .filter((candidate) => belongsToProtocol(candidate, protocols, instance));
  const selected = candidates.filter(({ protocol, document }) =>
    selects(document, correctSpelling(protocol.profile, instance)),
  );
  if (selected.length === 1) return refineRecognized(selected[0] as Recognized, instance);
  const marked = candidates.filter(({ document }) => marks(document, instance));
  if (marked.length === 1 && selected.length === 0) return marked[0] as Recognized;
  const ranking = rankDocuments(candidates, instance);
  const withoutScore = ({ protocol, document }: Recognized): Recognized => ({ protocol, document });
  const [best, second] = ranking;
  const isClear = best !== undefined && best.like >= minLikeness && best.like - (second?.like ?? 0) >= margin;
  return isClear ? withoutScore(best) : { nearest: ranking.slice(0, 2).map(withoutScore) };
}

/** A document that an extension inherits counts once: as the extension's if the instance uses the extension's names, and otherwise as the parent's. */
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
  const relatives = protocols.filter((other) => other !== protocol && hasDocument(other));
  const isOnlyInherited = relatives.some((rival) => isParentOf(rival, protocol)) && !usesNamesOf(protocol);
  const isReplacedByExtension = relatives.some((rival) => isParentOf(protocol, rival) && usesNamesOf(rival));
  return !isOnlyInherited && !isReplacedByExtension;
}

/** Ranks documents by the likeness of an instance to them, most similar first. Of a document and one of its alternatives, only the whole document is returned. */
function rankDocuments(documents: readonly Recognized[], instance: Json): (Recognized & { like: number })[] {
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
    .map(({ protocol, document, score: like, unlisted }) => {
      const fitsAnother = [...unlisted].some((name) => distinguishing.has(name));
      return { protocol, document, like: fitsAnother ? like * unlistedFactor : like };
    })
    .filter(({ like }) => like > 0)
    .sort((first, second) => second.like - first.like);
  const isPartOfAnother = (part: Recognized & { like: number }): boolean =>
    ranked.some(
      (whole) =>
        whole.protocol === part.protocol &&
        whole.like >= part.like - margin &&
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

/** If another document extends the recognized one (by `allOf`), and the instance has the members that it requires, that document is returned instead. */
function refineRecognized(recognized: Recognized, instance: Json): Recognized {
  const { protocol, document } = recognized;
  const extending = protocol.profile.documents.find((other) => {
    const { allOf, required } = schemaOf({ protocol, document: other }) ?? {};
    const includesDocument =
      Array.isArray(allOf) && allOf.some((part) => isObject(part) && part.$ref === document.schema);
    return (
      includesDocument &&
      Array.isArray(required) &&
      required.every((name) => isObject(instance) && String(name) in instance)
    );
  });
  return extending === undefined ? recognized : { protocol, document: extending };
}

function marks({ has }: Document, instance: Json): boolean {
  return has?.every((at) => pointer.has(at, instance)) === true;
}

function schemaOf({ protocol: { schemas }, document: { schema } }: Recognized): JsonObject | undefined {
  return schemas.find(({ $id }) => $id === schema);
}
