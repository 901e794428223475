import { type Document, isObject, type Json, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import { type ConfusionJudges, findShown } from "../confusions/confused-message.ts";
import { confusions } from "../confusions/index.ts";
import { memberPlaces } from "../confusions/places.ts";
import { draftMissingConfusions } from "../confusions/untold-confusions.ts";
import { confusionFamily, findShownByTexts, writtenConfusions } from "../confusions/written-names.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { dependsOnFormats } from "../evaluate/deciding-formats.ts";
import { doubtIn } from "../evaluate/doubts.ts";
import type { Model } from "../model/model.ts";
import { wrongPlacesByAjv } from "../oracle/ajv.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { followTargets } from "../oracle/schema-targets.ts";
import { rawVectors } from "../raw/vectors.ts";
import { contentKey } from "../rules/content.ts";
import { withPlaces } from "../rules/involved-places.ts";
import { breachesOf, markBeyond } from "../rules/rule-breaches.ts";
import { markFormats, preferFormatIndependent } from "./format-marks.ts";
import { judgeDrafts } from "./judge.ts";
import { formatCheckUnderReadings, liftingReadingsFor } from "./lifted-verdicts.ts";
import { isSealed, sealVectors } from "./seals.ts";
import { type VectorsByKind, withSingleCauses } from "./single-causes.ts";
import { subjectOf } from "./subject.ts";
import { withLevel } from "./vector-levels.ts";

/** The finished vectors of a document, with its model and its validators. */
interface ConfusionSource {
  model: Model;
  oracle: Oracle;
  vectors: VectorsByKind;
}

/**
 * Adds vectors for confusions of JSON libraries that no other vector of the document shows. They are made from finished vectors; only the choice of parents
 * with a single cause comes later. Users' schemas, records and traces have none.
 */
export async function addConfusionVectors(
  protocol: RuledProtocol,
  document: Document,
  source: ConfusionSource,
): Promise<VectorsByKind> {
  const { model, oracle, vectors } = source;
  if (!wantsConfusions(protocol, document)) return vectors;
  const subject = subjectOf(protocol, document, model);
  const judges = confusionJudgesOf(subject);
  const shown = findShown(judges, confusions, certainVectors(vectors));
  const ids = new Map<Draft, string>();
  const parents = vectors.valid.flatMap(({ id, data, beyond }) => {
    if (data === undefined || beyond !== undefined || !isObject(data)) return [];
    const draft = draftOf(data);
    ids.set(draft, id);
    return [draft];
  });
  const drafts = draftMissingConfusions(subject, judges, { confusions, shown: new Set(shown.keys()), parents });
  const findLiftingReadings = await liftingReadingsFor(protocol, document);
  const findDoubt = (instance: Json): string | undefined => doubtIn(model, instance);
  const failsOnlyFormats = formatCheckUnderReadings(protocol, document);
  const isDecidedByFormats = (instance: Json): boolean =>
    dependsOnFormats(model, instance) || failsOnlyFormats(instance);
  // A draft is not published if the validators judge it differently than planned.
  const judged = judgeDrafts(protocol, document, drafts, {
    oracle,
    foreign: true,
    findLiftingReadings,
    findDoubt,
    isDecidedByFormats,
    knownIds: ids,
  });
  const knownContents = new Set(Object.values(vectors).flatMap((allVectors) => allVectors.map(contentKey)));
  const vectorsOfKind = (kind: "valid" | "invalid"): Vector[] =>
    judged.flatMap((judgedDraft) =>
      judgedDraft.kind === kind && (judgedDraft.draft.fault === undefined) === (kind === "valid")
        ? [judgedDraft.vector]
        : [],
    );
  const sealed = sealVectors(protocol, document, {
    valid: vectorsOfKind("valid"),
    invalid: vectorsOfKind("invalid"),
    disputed: [],
  });
  const places = wrongPlacesByAjv(followTargets(protocol.schemas, [model]), document.schema);
  const isNew = (vector: Vector): boolean => !knownContents.has(contentKey(vector));
  const invalid = withPlaces(
    places,
    sealed.invalid.map((vector) => withLevel(protocol, document.name, vector)),
  );
  const result = {
    ...vectors,
    valid: [...vectors.valid, ...markBeyond(protocol, document, sealed.valid).filter(isNew)],
    invalid: [...vectors.invalid, ...invalid.filter(isNew)],
  };
  const texts = vectors.raw.length === 0 ? [] : textsForConfusions(protocol, document, source, judges).filter(isNew);
  const completeVectors = { ...result, raw: [...vectors.raw, ...texts] };
  return withSingleCauses(protocol, document, { model, oracle, placesIn: places, vectors: completeVectors });
}

/** Makes texts for the confusions that parsed values cannot show. */
function textsForConfusions(
  protocol: RuledProtocol,
  document: Document,
  { model, oracle, vectors }: ConfusionSource,
  judges: ConfusionJudges,
): Vector[] {
  const breaches = breachesOf(protocol, document);
  const keepsRules = (value: Json): boolean => isSealed(protocol, value) && breaches(value).length === 0;
  const shownByTexts = findShownByTexts(judges, vectors.raw);
  const families = writtenConfusions
    .filter((writtenConfusion) => writtenConfusion.isDecided(protocol))
    .map((writtenConfusion) => confusionFamily(judges, writtenConfusion, shownByTexts, keepsRules));
  const parents = preferFormatIndependent(model, vectors.valid);
  const texts = rawVectors(protocol, document, parents, { oracle, keeps: keepsRules, families });
  return markBeyond(protocol, document, texts)
    .map((vector) => markFormats(protocol, model, vector))
    .filter((vector) => vector.valid !== undefined);
}

/** Whether vectors for confusions are requested for a document. */
export function wantsConfusions({ foreign }: Pick<RuledProtocol, "foreign">, { role, standalone }: Document): boolean {
  return foreign !== true && standalone && role !== "record" && role !== "trace";
}

/** Returns the schema and the rules that judge the confusions of a subject. */
export function confusionJudgesOf({ model, breaches, elsewhere }: Subject): ConfusionJudges {
  return {
    model,
    places: memberPlaces(model, elsewhere),
    ...(breaches === undefined ? {} : { breaches }),
  };
}

/** Returns vectors with a certain verdict. */
export function certainVectors({
  valid,
  invalid,
  semantic,
}: Pick<VectorsByKind, "valid" | "invalid" | "semantic">): Vector[] {
  return [...valid, ...invalid, ...semantic];
}

/** Makes a draft of a message, without a parent or a description. */
export function draftOf(data: Json): Draft {
  return { data, name: [], at: "", says: "", tags: [], features: [], uniqueFeatures: [] };
}
