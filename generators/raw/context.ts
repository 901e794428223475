import { type Document, equal, type Json, type Protocol, pointer, type Vector } from "../../schemas/index.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { RawContext, RawParent, Spot } from "./raw.ts";
import { writeText } from "./text.ts";

/** Locations with member names that have their own family. */
const specialName = /\/(__proto__|constructor)(\/|$)/;

/** The valid vectors from which texts are made, and the judges that choose places in them. */
export interface TextSources {
  valid: readonly Vector[];
  oracle: Oracle;
  keeps?: ((value: Json) => boolean) | undefined;
  isOver?: (() => boolean) | undefined;
}

/** Whether a place is suitable, given its value, its location, and the text around it. */
type SpotTest = (value: Json, at: string, spot: Spot) => boolean;

/**
 * Makes the context for a document's texts; undefined if the document has no valid vector that a reader would recognize as this document. `keeps` says whether
 * a message keeps the semantic rules; places where it does are preferred. Once `isOver` returns true, the search for places stops.
 */
export function contextOf(
  protocol: Protocol,
  document: Document,
  { valid, oracle, keeps = () => true, isOver = () => false }: TextSources,
): RawContext | undefined {
  const { documents, discriminator } = protocol.profile;
  const parents = parentsOf(protocol, document, valid);
  const [minimal] = parents;
  if (minimal === undefined) return undefined;
  const fixedLocations = fixedPlaces(protocol, document);
  const spotCache = new Map<string, Spot | undefined>();
  const accepts = (value: Json): boolean => oracle.judge(value).verdict === "valid";
  const acceptsAt = acceptanceAt(accepts);
  const find = (test: SpotTest): Spot | undefined => findSpot(parents, isOver, test);

  function spot(fitting: readonly Json[], unfit: readonly Json[] = []): Spot | undefined {
    const key = JSON.stringify([fitting, unfit]);
    if (!spotCache.has(key)) {
      const isSuitable = (_: Json, at: string, candidate: Spot): boolean =>
        !fixedLocations.has(at) &&
        !specialName.test(at) &&
        fitting.every((value) => acceptsAt(candidate, value)) &&
        !unfit.some((value) => acceptsAt(candidate, value));
      const keepsRules = (value: Json, at: string, candidate: Spot): boolean =>
        isSuitable(value, at, candidate) && fitting.every((fittingValue) => keeps(putAt(candidate, fittingValue)));
      spotCache.set(key, find(keepsRules) ?? find(isSuitable));
    }
    return spotCache.get(key);
  }

  return {
    minimal,
    discriminator: discriminatorOf(discriminator, minimal.value, documents, parents),
    isReadAgain: isReadAgain(protocol, document),
    isFirstDocument: documents.find(({ role }) => role === "entry")?.name === document.name,
    requiredLevels: protocol.profile.text?.levels,
    accepts,
    find,
    spot,
    otherValue({ layout, value }, at) {
      const span = layout.values.get(at);
      const present = pointer.at(at, value);
      if (span === undefined || present === undefined) return undefined;
      const { text } = layout;
      const replaceWith = (other: Json) =>
        JSON.parse(text.slice(0, span.start) + JSON.stringify(other) + text.slice(span.end)) as Json;
      const fitting = valuesAt(parents, at).filter((other) => !equal(other, present) && accepts(replaceWith(other)));
      return fitting.find((other) => keeps(replaceWith(other))) ?? fitting[0];
    },
  };
}

function putAt({ before, after }: Spot, value: Json): Json {
  return JSON.parse(before + JSON.stringify(value) + after) as Json;
}

/** Returns a cached check for whether a value is accepted at a place, because several families need the same slow verdicts. */
function acceptanceAt(accepts: (value: Json) => boolean): (spot: Spot, value: Json) => boolean {
  const verdicts = new Map<string, boolean>();
  return (spot, value) => {
    const key = JSON.stringify([spot.parent.id, spot.at, value]);
    const isAccepted = verdicts.get(key) ?? accepts(putAt(spot, value));
    verdicts.set(key, isAccepted);
    return isAccepted;
  };
}

/** Lists locations of values that decide how a message is read. They are never changed. */
function fixedPlaces({ profile }: Protocol, document: Document): ReadonlySet<string> {
  const { discriminator, sender, steps = [] } = profile;
  return new Set([
    ...(discriminator === undefined ? [] : [discriminator]),
    // A server checks that the sender belongs to the credential before anything else.
    ...(sender === undefined || document.endpoint === undefined ? [] : [sender]),
    ...Object.keys(document.when ?? {}),
    ...(document.fresh ?? []).map(({ at }) => at),
    ...steps.flatMap(({ by = [] }) => by),
  ]);
}

/** Finds the first place in the parents that passes a test. Stops when `isOver` returns true. */
function findSpot(parents: readonly RawParent[], isOver: () => boolean, test: SpotTest): Spot | undefined {
  for (const parent of parents) {
    const { text } = parent.layout;
    for (const [at, { start, end }] of parent.layout.values) {
      if (isOver()) return undefined;
      if (at === "") continue;
      const value = JSON.parse(text.slice(start, end)) as Json;
      const spot = { parent, at, value, before: text.slice(0, start), after: text.slice(end) };
      if (test(value, at, spot)) return spot;
    }
  }
  return undefined;
}

/**
 * Lists the vectors from which texts are made: the minimal one, then the others from short to long. Messages that a reader would read as another
 * document are excluded. So are messages that are sent with more fresh members than necessary: a text cannot be updated, so a server would refuse it
 * as outdated.
 */
function parentsOf({ profile }: Protocol, document: Document, valid: readonly Vector[]): RawParent[] {
  const otherDocuments = profile.documents.filter((other) => other.name !== document.name && other.when !== undefined);
  const candidates = valid
    .flatMap(({ id, data }) => (data === undefined ? [] : [{ id, value: data, layout: writeText(data) }]))
    .filter(({ value }) => !otherDocuments.some(({ when = {} }) => matches(when, value)))
    .sort((first, second) => rank(first) - rank(second) || first.layout.text.length - second.layout.text.length);
  // A sample is a realistic message. The shortest message may be of a kind that is never sent.
  const minimal =
    candidates.find(({ id }) => id.endsWith("/valid/minimal")) ??
    candidates.find(({ id }) => id.includes("/valid/sample/")) ??
    candidates[0];
  if (minimal === undefined) return [];
  const isSent = document.wrap === undefined;
  const avoidable = (document.fresh ?? []).filter(({ at }) => isSent && !pointer.has(at, minimal.value));
  const withoutAvoidable = candidates.filter(({ value }) => !avoidable.some(({ at }) => pointer.has(at, value)));
  return [minimal, ...withoutAvoidable.filter((parent) => parent !== minimal)];
}

/** In a user's pack with more documents than this, only one document of each shape gets all texts. Otherwise half of the set would test the same parser. */
const manyDocuments = 20;

/** Whether an earlier document with the same reader has all texts. In a large user's pack, the earlier document must also have the same shape, because few texts concern a scalar. */
function isReadAgain({ foreign, profile, schemas }: Protocol, document: Document): boolean {
  const entries = profile.documents.filter(({ role }) => role === "entry");
  if (foreign === true && entries.length <= manyDocuments) return false;
  const shapeOf = ({ schema }: Document): string =>
    foreign === true ? JSON.stringify(schemas.find(({ $id }) => $id === schema)?.type ?? null) : "";
  const first = entries.find((entry) => readerOf(entry) === readerOf(document) && shapeOf(entry) === shapeOf(document));
  return first?.name !== document.name;
}

/** Returns a key for the reader of a document. Documents of the same endpoint, or documents that are unsent for the same reason, share a reader. */
function readerOf({ endpoint, unsent }: Document): string {
  return endpoint === undefined ? (unsent ?? "") : `${endpoint.method} ${endpoint.path}`;
}

/** Sorts messages made from the schema before those made for a rule, which may be unusual. */
function rank({ id }: RawParent): number {
  return id.includes("/semantic/") ? 1 : 0;
}

function matches(when: Record<string, Json[]>, value: Json): boolean {
  return Object.entries(when).every(([at, values]) => {
    const present = pointer.at(at, value);
    return present !== undefined && values.some((expected) => equal(expected, present));
  });
}

function discriminatorOf(
  at: string | undefined,
  value: Json,
  documents: readonly Document[],
  parents: readonly RawParent[],
): RawContext["discriminator"] {
  const ownName = at === undefined ? undefined : pointer.at(at, value);
  if (at === undefined || typeof ownName !== "string") return undefined;
  const names = [...documents.flatMap(({ when }) => when?.[at] ?? []), ...valuesAt(parents, at)];
  const others = names.filter(
    (name): name is string => typeof name === "string" && name !== ownName && /^[\w.:/-]+$/.test(name),
  );
  return { at, others: [...new Set(others)] };
}

function valuesAt(parents: readonly RawParent[], at: string): Json[] {
  return parents.map(({ value }) => pointer.at(at, value)).filter((value) => value !== undefined);
}
