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

/** Below this, an instance is not similar to a document; 1 means all required members and only declared ones. */
const leastLike = 0.75;
/** If the likenesses of two documents differ by less, either may be meant. */
const margin = 0.1;
/** The factor for a document that does not list the value that selects another document. */
const ifOther = 0.5;

/** Whether an instance was recognized. */
export function isRecognized(recognition: Recognition): recognition is Recognized {
  return "document" in recognition;
}

/** The document of an instance: the document that its members select by their values; otherwise the document with its marking members; otherwise the document that it fits well and better than any other. Never a guess: in doubt, the two nearest are given. */
export function recognize(protocols: readonly Protocol[], instance: Json): Recognition {
  const all = protocols
    .flatMap((protocol) => protocol.profile.documents.map((document) => ({ protocol, document })))
    .filter((each) => isOfLineage(each, protocols, instance));
  const selected = all.filter(({ protocol, document }) =>
    selects(document, correctSpelling(protocol.profile, instance)),
  );
  if (selected.length === 1) return refineRecognized(selected[0] as Recognized, instance);
  const marked = all.filter(({ document }) => marks(document, instance));
  if (marked.length === 1 && selected.length === 0) return marked[0] as Recognized;
  const ranked = rankedBy(all, instance);
  const own = ({ protocol, document }: Recognized): Recognized => ({ protocol, document });
  const [best, second] = ranked;
  const isPlain = best !== undefined && best.like >= leastLike && best.like - (second?.like ?? 0) >= margin;
  return isPlain ? own(best) : { nearest: ranked.slice(0, 2).map(own) };
}

/** A document that a protocol inherits counts once: as that of the extension if the instance uses its names. */
function isOfLineage({ protocol, document }: Recognized, protocols: readonly Protocol[], instance: Json): boolean {
  const hasToo = ({ profile }: Protocol): boolean => profile.documents.some(({ name }) => name === document.name);
  const hasNames = ({ extends: extension }: Protocol): boolean =>
    isObject(instance) && Object.values(extension?.rename?.members ?? {}).some((name) => Object.hasOwn(instance, name));
  const isParentOf = (parent: Protocol, child: Protocol): boolean =>
    child.extends?.parent.name === parent.name && child.extends.parent.version === parent.version;
  const rivals = protocols.filter((each) => each !== protocol && hasToo(each));
  const isYoung = rivals.some((rival) => isParentOf(rival, protocol)) && !hasNames(protocol);
  const isOld = rivals.some((rival) => isParentOf(protocol, rival) && hasNames(rival));
  return !isYoung && !isOld;
}

/** Documents by the likeness of an instance to each, most similar first; of a document and one of its alternatives, only the whole document. */
function rankedBy(all: readonly Recognized[], instance: Json): (Recognized & { like: number })[] {
  const bySchemas = new Map<Protocol, Likenesses>();
  const likenessesOf = (protocol: Protocol): Likenesses => {
    const known = bySchemas.get(protocol) ?? new Likenesses(protocol.schemas);
    bySchemas.set(protocol, known);
    return known;
  };
  const candidates = all
    .filter(({ document: { role } }) => role === "entry" || role === "emitted" || role === "part")
    .flatMap((recognized) => {
      const found = likenessesOf(recognized.protocol).of(recognized.document.schema, instance);
      return found === undefined ? [] : [{ ...recognized, ...found }];
    });
  const telling = new Set(candidates.flatMap(({ listed }) => [...listed]));
  const ranked = candidates
    .map(({ protocol, document, like, unlisted }) => {
      const isOther = [...unlisted].some((name) => telling.has(name));
      return { protocol, document, like: isOther ? like * ifOther : like };
    })
    .filter(({ like }) => like > 0)
    .sort((a, b) => b.like - a.like);
  const isWithin = (part: Recognized & { like: number }): boolean =>
    ranked.some(
      (whole) =>
        whole.protocol === part.protocol &&
        whole.like >= part.like - margin &&
        likenessesOf(part.protocol).isAlternative(part.document.schema, whole.document.schema) &&
        !likenessesOf(part.protocol).isAlternative(whole.document.schema, part.document.schema),
    );
  return ranked.filter((each) => !isWithin(each));
}

/** Each document with its protocol; empty if none is similar. */
export function inWords(nearest: readonly Recognized[]): string {
  return nearest.map(({ protocol, document }) => `${document.name} of ${protocol.name}`).join(" or ");
}

function selects({ when }: Document, instance: Json): boolean {
  if (when === undefined) return false;
  return Object.entries(when).every(([at, values]) => {
    const value = pointer.at(at, instance);
    return value !== undefined && values.includes(value as never);
  });
}

/** If another document includes the recognized one completely, and the instance has its further required members, the other document counts. */
function refineRecognized(recognized: Recognized, instance: Json): Recognized {
  const { protocol, document } = recognized;
  const finer = protocol.profile.documents.find((each) => {
    const { allOf, required } = schemaOf({ protocol, document: each }) ?? {};
    const takesIn = Array.isArray(allOf) && allOf.some((one) => isObject(one) && one.$ref === document.schema);
    return (
      takesIn && Array.isArray(required) && required.every((name) => isObject(instance) && String(name) in instance)
    );
  });
  return finer === undefined ? recognized : { protocol, document: finer };
}

function marks({ has }: Document, instance: Json): boolean {
  return has?.every((at) => pointer.has(at, instance)) === true;
}

function schemaOf({ protocol: { schemas }, document: { schema } }: Recognized): JsonObject | undefined {
  return schemas.find(({ $id }) => $id === schema);
}
