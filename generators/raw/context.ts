import { type Document, equal, type Json, type Protocol, pointer, type Vector } from "../../schemas/index.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { RawContext, RawParent, Spot } from "./raw.ts";
import { write } from "./text.ts";

/** Names that are tested separately. */
const specialName = /\/(__proto__|constructor)(\/|$)/;

/** The sources of texts, and their places. */
export interface TextSources {
  valid: readonly Vector[];
  oracle: Oracle;
  keeps?: ((value: Json) => boolean) | undefined;
  isOver?: (() => boolean) | undefined;
}

/** Whether a place is suitable: its value, its location, and the text around it. */
type SpotTest = (value: Json, at: string, spot: Spot) => boolean;

/**
 * The context for a document's texts; undefined if it has no valid vector that a reader would recognize as this document. `keeps`
 * says whether a value keeps the semantic rules, so that a value is put at a place where it breaks none, if there is such a place.
 * Once `isOver`, no further place is looked for.
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
  const fixed = fixedPlaces(protocol, document);
  const known = new Map<string, Spot | undefined>();
  const accepts = (value: Json): boolean => oracle.judge(value).verdict === "valid";

  const takes = acceptanceAt(accepts);
  const find = (test: SpotTest): Spot | undefined => findSpot(parents, isOver, test);

  function spot(fitting: readonly Json[], unfit: readonly Json[] = []): Spot | undefined {
    const key = JSON.stringify([fitting, unfit]);
    if (!known.has(key)) {
      const suits = (_: Json, at: string, there: Spot): boolean =>
        !fixed.has(at) &&
        !specialName.test(at) &&
        fitting.every((value) => takes(there, value)) &&
        !unfit.some((value) => takes(there, value));
      const isSafe = (value: Json, at: string, there: Spot): boolean =>
        suits(value, at, there) && fitting.every((each) => keeps(putAt(there, each)));
      known.set(key, find(isSafe) ?? find(suits));
    }
    return known.get(key);
  }

  return {
    minimal,
    discriminator: discriminatorOf(discriminator, minimal.value, documents, parents),
    again: isReadAgain(protocol, document),
    first: documents.find(({ role }) => role === "entry")?.name === document.name,
    levels: protocol.profile.text?.levels,
    accepts,
    find,
    spot,
    other({ layout, value }, at) {
      const span = layout.values.get(at);
      const here = pointer.at(at, value);
      if (span === undefined || here === undefined) return undefined;
      const { text } = layout;
      const put = (other: Json) =>
        JSON.parse(text.slice(0, span.start) + JSON.stringify(other) + text.slice(span.end)) as Json;
      const fitting = valuesAt(parents, at).filter((other) => !equal(other, here) && accepts(put(other)));
      return fitting.find((other) => keeps(put(other))) ?? fitting[0];
    },
  };
}

function putAt({ before, after }: Spot, value: Json): Json {
  return JSON.parse(before + JSON.stringify(value) + after) as Json;
}

/** Whether a value is accepted at a place. Each is judged once: several tests ask for the same, and both validators need long to answer. */
function acceptanceAt(accepts: (value: Json) => boolean): (there: Spot, value: Json) => boolean {
  const known = new Map<string, boolean>();
  return (there, value) => {
    const key = JSON.stringify([there.parent.id, there.at, value]);
    const answer = known.get(key) ?? accepts(putAt(there, value));
    known.set(key, answer);
    return answer;
  };
}

/** Places with values that decide how a message is read. None of them is changed. */
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

/** The first place in the parents that passes a test; undefined once it is over. */
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
 * The vector with the fewest members, then the others from short to long. Excluded are messages that a reader would read as
 * another document, and messages to live servers with more fresh members than necessary: a server would refuse them for
 * their age, since text cannot be made fresh.
 */
function parentsOf({ profile }: Protocol, document: Document, valid: readonly Vector[]): RawParent[] {
  const others = profile.documents.filter((other) => other.name !== document.name && other.when !== undefined);
  const own = valid
    .flatMap(({ id, data }) => (data === undefined ? [] : [{ id, value: data, layout: write(data) }]))
    .filter(({ value }) => !others.some(({ when = {} }) => matches(when, value)))
    .sort((a, b) => rank(a) - rank(b) || a.layout.text.length - b.layout.text.length);
  // A sample is a realistic message, while the shortest may be of a kind that is never sent.
  const minimal =
    own.find(({ id }) => id.endsWith("/valid/minimal")) ??
    own.find(({ id }) => id.includes("/valid/sample/")) ??
    own[0];
  if (minimal === undefined) return [];
  const sent = document.wrap === undefined;
  const avoidable = (document.fresh ?? []).filter(({ at }) => sent && !pointer.has(at, minimal.value));
  const lasting = own.filter(({ value }) => !avoidable.some(({ at }) => pointer.has(at, value)));
  return [minimal, ...lasting.filter((parent) => parent !== minimal)];
}

/** A user's pack with several documents has all texts for one document of each shape only: otherwise half of the set would test the parser again. */
const manyDocuments = 20;

/** Whether the reader of this document was asked in full about an earlier one. In a large pack of a user's a scalar, which few texts are about, does not count for an object. */
function isReadAgain({ foreign, profile, schemas }: Protocol, document: Document): boolean {
  const entries = profile.documents.filter(({ role }) => role === "entry");
  if (foreign === true && entries.length <= manyDocuments) return false;
  const shapeOf = ({ schema }: Document): string =>
    foreign === true ? JSON.stringify(schemas.find(({ $id }) => $id === schema)?.type ?? null) : "";
  const first = entries.find((entry) => readerOf(entry) === readerOf(document) && shapeOf(entry) === shapeOf(document));
  return first?.name !== document.name;
}

/** The reader of a document: documents of one endpoint, or documents that are not sent for the same reason, have one reader. */
function readerOf({ endpoint, unsent }: Document): string {
  return endpoint === undefined ? (unsent ?? "") : `${endpoint.method} ${endpoint.path}`;
}

/** A message made from the schema comes before a message made for a rule, which may be unusual. */
function rank({ id }: RawParent): number {
  return id.includes("/semantic/") ? 1 : 0;
}

function matches(when: Record<string, Json[]>, value: Json): boolean {
  return Object.entries(when).every(([at, values]) => {
    const there = pointer.at(at, value);
    return there !== undefined && values.some((each) => equal(each, there));
  });
}

function discriminatorOf(
  at: string | undefined,
  value: Json,
  documents: readonly Document[],
  parents: readonly RawParent[],
): RawContext["discriminator"] {
  const own = at === undefined ? undefined : pointer.at(at, value);
  if (at === undefined || typeof own !== "string") return undefined;
  const named = [...documents.flatMap(({ when }) => when?.[at] ?? []), ...valuesAt(parents, at)];
  const others = named.filter(
    (each): each is string => typeof each === "string" && each !== own && /^[\w.:/-]+$/.test(each),
  );
  return { at, others: [...new Set(others)] };
}

function valuesAt(parents: readonly RawParent[], at: string): Json[] {
  return parents.map(({ value }) => pointer.at(at, value)).filter((value) => value !== undefined);
}
