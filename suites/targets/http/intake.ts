import {
  type Document,
  equal,
  type Json,
  type Protocol,
  pointer,
  type Question,
  type Skip,
} from "../../../schemas/index.ts";
import type { DocumentRoute } from "./route.ts";

/** Returns why a question is not sent to a path of several documents; undefined if it is sent. */
export type SkipFinder = (question: Question, way: DocumentRoute) => Skip | undefined;

/** Returns the document that a shared intake assigns to an instance: the first with a fitting `when`, otherwise the one without a condition. Undefined if none fits. */
export function documentReadFrom(data: Json, sharing: readonly Document[]): Document | undefined {
  return sharing.find((document) => meetsConditions(document, data)) ?? sharing.find(({ when }) => when === undefined);
}

/** Skips a message that the intake would read as a different document: a fault in a distinguishing member turns it into that document, which may well be accepted. */
export function skipOtherDocument(
  { document, data }: Question,
  { route, isWrapped, sharing }: DocumentRoute,
): Skip | undefined {
  if (data === undefined || isWrapped || sharing.length < 2) return undefined;
  const documentRead = documentReadFrom(data, sharing);
  return documentRead === undefined || documentRead.name === document.name
    ? undefined
    : skipAsOther(documentRead, route?.path);
}

/** Makes the finder for a protocol. In a pack, a message that is invalid as its own document is left out only if it is valid as a different document of the intake or, unless the profile calls the intake closed, may be of an unknown kind. The schemas decide both. */
export async function skipFinderFor(protocol: Protocol, routes: Iterable<DocumentRoute>): Promise<SkipFinder> {
  const isShared = [...routes].some(({ route, sharing }) => route !== undefined && sharing.length > 1);
  if (protocol.foreign !== true) return skipOtherDocument;
  if (!isShared) return () => undefined;
  const [
    { compileAjv, breachesOf },
    { locateSchemas },
    { fixedValuesOf: documentWords, mayBeDocument, unknownKind },
    { ruled },
  ] = await Promise.all([
    import("../../../generators/index.ts"),
    import("../../packs/reference/locations.ts"),
    import("../../packs/reference/kinds.ts"),
    import("../../packs/pack/load.ts"),
  ]);
  const { schemas, profile } = protocol;
  const { closed = [] } = profile.http;
  const locations = locateSchemas(schemas);
  const fixedValues = memoize((document) => documentWords(document, locations));
  const strictJudge = memoize(({ schema }) => compileAjv(schemas, schema, "lenient"));
  // A format may be an annotation: a receiver that treats it so accepts more.
  const laxJudge = memoize(({ schema }) => compileAjv(schemas, schema, "annotating"));
  const withRules = await ruled(protocol);
  const { seal = (message: Json): Json => message } = withRules;
  const breaches = memoize((document) => breachesOf(withRules, document));
  const keepsRules = (document: Document, data: Json): boolean => breaches(document)(seal(data)).length === 0;

  return ({ document, data }, { route, isWrapped, sharing }) => {
    if (data === undefined || isWrapped || sharing.length < 2) return undefined;
    const validAs = sharing.filter(
      (candidate) =>
        candidate.name !== document.name &&
        mayBeDocument(data, fixedValues(candidate)) &&
        judgeSafely(laxJudge(candidate), data),
    );
    if (judgeSafely(strictJudge(document), data)) {
      const other = keepsRules(document, data)
        ? chosenInstead(document, data, sharing, validAs)
        : validAs.find((candidate) => keepsRules(candidate, data));
      return other === undefined ? undefined : skipAsOther(other, route?.path);
    }
    const [other] = validAs;
    if (other !== undefined) return skipAsOther(other, route?.path);
    const isValidSomehow = (item: Json): boolean =>
      sharing.some(
        (candidate) => mayBeDocument(item, fixedValues(candidate)) && judgeSafely(laxJudge(candidate), item),
      );
    const hasList = (items: readonly Json[]): boolean =>
      [1, 2, 3].some((times) =>
        sharing.some((candidate) => judgeSafely(laxJudge(candidate), Array(times).fill(items).flat())),
      );
    if (Array.isArray(data) && data.length > 0 && data.every(isValidSomehow) && !hasList(data.slice(0, 1)))
      return skipAsList(route?.path);
    if (document.endpoint !== undefined && closed.includes(document.endpoint.path)) return undefined;
    const at = unknownKind(data, sharing.map(fixedValues));
    if (at === undefined) return undefined;
    const why = `${route?.path} distinguishes its documents by ${at}, and may accept a kind that the pack does not have`;
    return { why, cause: { kind: "unknown-kind", at } };
  };
}

/** Returns the other document to which the profile assigns a valid message, if that document refuses it. */
function chosenInstead(
  document: Document,
  data: Json,
  sharing: readonly Document[],
  validAs: readonly Document[],
): Document | undefined {
  if (document.when === undefined || meetsConditions(document, data)) return undefined;
  const chosenDocument = sharing.find((candidate) => meetsConditions(candidate, data));
  return chosenDocument === undefined || validAs.includes(chosenDocument) ? undefined : chosenDocument;
}

function meetsConditions({ when }: Document, data: Json): boolean {
  return (
    when !== undefined &&
    Object.entries(when).every(([at, values]) => {
      const value = pointer.at(at, data);
      return value !== undefined && values.some((allowed) => equal(allowed, value));
    })
  );
}

function skipAsOther({ name }: Document, path: string | undefined): Skip {
  const why = `${path} accepts several documents and would read this one as ${name}`;
  return { why, cause: { kind: "taken-for", document: name } };
}

/** Skips a list: at an intake of several kinds of messages, it may be a batch, as in JSON-RPC. */
function skipAsList(path: string | undefined): Skip {
  const why = `${path} accepts several documents, and may accept a list of them as a batch, and the pack has no document of lists there`;
  return { why, cause: { kind: "unknown-kind", at: "" } };
}

/** Judges a message. If the judge throws, because a pattern never ends on a hostile text or a value is nested too deeply, the message counts as invalid for every document. */
function judgeSafely(judge: (data: Json) => boolean, data: Json): boolean {
  try {
    return judge(data);
  } catch {
    return false;
  }
}

/** Makes values on demand, since an intake may serve a hundred documents. */
function memoize<T>(make: (document: Document) => T): (document: Document) => T {
  const known = new Map<string, T>();
  return (document) => {
    const cached = known.get(document.name);
    if (cached !== undefined) return cached;
    const newValue = make(document);
    known.set(document.name, newValue);
    return newValue;
  };
}
