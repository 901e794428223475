import type { Document, Json, JsonObject, RuledProtocol, Vector, VectorKind } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { breaksFeature } from "../drafts/content.ts";
import type { Draft } from "../drafts/draft.ts";
import { usualEffort, type Watch } from "../drafts/work-progress.ts";
import { dependsOnFormats } from "../evaluate/deciding-formats.ts";
import { doubtIn } from "../evaluate/doubts.ts";
import { refuseFanOut } from "../evaluate/fan-out.ts";
import type { Model } from "../model/model.ts";
import { namedFor } from "../named/index.ts";
import { wrongPlacesByAjv } from "../oracle/ajv.ts";
import { foreignOracle } from "../oracle/foreign-oracle.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { reachedSchemas } from "../oracle/reached-schemas.ts";
import { followTargets } from "../oracle/schema-targets.ts";
import { rawVectors } from "../raw/vectors.ts";
import { withInvolved, withPlaces } from "../rules/involved-places.ts";
import { breachesOf, markBeyond } from "../rules/rule-breaches.ts";
import { semanticVectors } from "../rules/vectors.ts";
import { completeVectors } from "./complete-vectors.ts";
import { addConfusionVectors } from "./confusable.ts";
import { postponeDeadlines } from "./deadlines.ts";
import { addDisputeCauses } from "./dispute-causes.ts";
import { type AssembledDocument, defaultSeed, filesOf, siteTable } from "./document-files.ts";
import type { DraftVerdicts } from "./draft-verdict.ts";
import { removeDuplicates } from "./duplicates.ts";
import { findEarlierAssertions } from "./earlier-assertions.ts";
import { markFormats, preferFormatIndependent } from "./format-marks.ts";
import type { UnbrokenReason } from "./isolation.ts";
import { type JudgedDraft, judgeDrafts } from "./judge.ts";
import type { Extent, KeptWork } from "./kept-work.ts";
import { disputeReason, formatCheckUnderReadings, liftingReadingsFor } from "./lifted-verdicts.ts";
import { findNeeded, isolatedOwnSites, planForOwnSchema, reduceToCore } from "./needed-drafts.ts";
import { type Plan, planVectors } from "./plan.ts";
import { separateRuleVectors } from "./ruled-vectors.ts";
import { isSealed, sealVectors } from "./seals.ts";
import type { VectorsByKind } from "./single-causes.ts";
import { subjectOf } from "./subject.ts";
import { withLevel } from "./vector-levels.ts";

export interface AssembleOptions {
  /** Whether the schemas are a user's. They may have unknown keywords and formats, and parts that validators cannot handle. */
  foreign?: boolean;
  /** Recorded in the files. The vectors do not depend on it, because nothing is random yet. */
  seed?: number;
  /** Called with the progress. If it returns false, the work ends early. */
  watch?: Watch;
  /** The work allowed for a foreign schema, as a multiple of the usual amount; `Infinity` if only `watch` ends it. */
  effort?: number;
  /** Limits the vectors to a part; without it, all are made. */
  extent?: Extent;
  /** With `least`: whether the validators compile only the parts of the schemas that the instance reaches. This makes the first message of a large schema faster. */
  reachedOnly?: boolean;
  /** Work of an earlier round. It is reused and extended. */
  kept?: KeptWork;
}

/** Plans, judges and names the vectors of one document. Throws if both oracles judge a vector differently than planned, because that is a defect of this generator. */
export async function assemble(
  protocol: RuledProtocol,
  document: Document,
  {
    foreign = protocol.foreign === true,
    seed = defaultSeed,
    watch,
    effort = 1,
    extent,
    reachedOnly = false,
    kept = {},
  }: AssembleOptions = {},
): Promise<AssembledDocument> {
  watch?.({ stage: "compiling", done: 0, total: 2 });
  kept.model ??= await compileModel(protocol.schemas, document.schema);
  const model: Model = document.endpoint?.carries === "parameters" ? { ...kept.model, asText: true } : kept.model;
  if (foreign) refuseFanOut(model);
  watch?.({ stage: "compiling", done: 1, total: 2 });
  const compileOracle = foreign ? foreignOracle : oracleFor;
  if (!reachedOnly) kept.oracle ??= await compileOracle(protocol.schemas, document.schema);
  const limits = { ...(watch === undefined ? {} : { watch }), ...(foreign ? { effort: usualEffort * effort } : {}) };
  // Named families are made only with the mutants or the core: they read other documents, which is slow in large packs.
  const documentFacts =
    extent === undefined || extent === "core" ? { named: await namedFor(protocol, document, model) } : {};
  const before = await findEarlierAssertions(protocol, document);
  const annotates = foreign && protocol.profile.formats === "annotate" ? { annotates: true as const } : {};
  const userOptions = foreign ? { foreign: true as const, ...annotates } : {};
  const subject = { ...subjectOf(protocol, document, model), ...documentFacts, before, ...userOptions, ...limits };
  const draftPlan = planVectors(subject, protocol.schemas, extent, kept);
  const oracle = kept.oracle ?? (await compileOracle(schemasReachedBy(protocol, document, draftPlan), document.schema));
  // The smallest message may be judged by validators of a part of the schemas.
  if (extent === "faults") kept.verdicts = new Map();
  const judging = { model, oracle, foreign, watch, knownVerdicts: extent === "least" ? undefined : kept.verdicts };
  const { judged, skippedDrafts } = await judgePlan(protocol, document, draftPlan, judging);
  const needed = findNeeded(subject, draftPlan, judged);
  const isCore = document.kept === "core";
  // Unless all mutants were counted, it is unknown which vectors can be left out.
  const isChosen = isCore && extent === undefined && needed.kills.size === draftPlan.mutants.all.length;
  const {
    kept: published,
    core,
    kills,
  } = isChosen ? reduceToCore(needed, judged, isolatedOwnSites(subject, draftPlan)) : needed;
  const ids = new Map(judged.map(({ draft, vector }) => [draft, vector.id]));
  const chosen = judged
    .filter(({ draft }) => published.has(draft))
    .map((judgedDraft) =>
      core.has(judgedDraft.draft) ? { ...judgedDraft, vector: addTag(judgedDraft.vector, "core") } : judgedDraft,
    );
  const { judged: schemaJudged, semantic } = separateRuleVectors(protocol, document, chosen, (draft) => ids.get(draft));
  let vectors = finishVectors(protocol, document, { model, schemaJudged, semantic });
  const needsTexts = !isCore && extent === undefined && watch?.({ stage: "texts", done: 0, total: 1 }) !== false;
  if (needsTexts) vectors = await addTexts(protocol, document, { model, oracle, vectors, foreign, watch });
  const shownPlan = isCore ? planForOwnSchema(draftPlan, kills, subject.elsewhere) : draftPlan;
  const confirmedPlan = foreign ? confirmDrafts(protocol, shownPlan, judged, skippedDrafts) : shownPlan;
  return {
    files: filesOf(protocol, document, { model, vectors: completeVectors(protocol, document, model, vectors), seed }),
    sites: siteTable(protocol, document, model, { ...confirmedPlan, kills }),
  };
}

/** The model of a document, its validators, and the options of judging. */
interface PlanJudging {
  model: Model;
  oracle: Oracle;
  foreign: boolean;
  watch: Watch | undefined;
  knownVerdicts: DraftVerdicts | undefined;
}

/** Judges the drafts of a plan. For a foreign schema, also finds the assertions on which validators disagree. */
async function judgePlan(
  protocol: RuledProtocol,
  document: Document,
  draftPlan: Plan,
  { model, oracle, foreign, watch, knownVerdicts }: PlanJudging,
): Promise<{ judged: readonly JudgedDraft[]; skippedDrafts: ReadonlySet<Draft> }> {
  const skippedDrafts = new Set<Draft>();
  const failsOnlyFormats = formatCheckUnderReadings(protocol, document);
  const judged = judgeDrafts(protocol, document, draftPlan, {
    oracle,
    foreign,
    watch,
    skippedDrafts,
    knownVerdicts,
    findLiftingReadings: await liftingReadingsFor(protocol, document),
    findDoubt: (instance) => doubtIn(model, instance),
    isDecidedByFormats: (instance) => dependsOnFormats(model, instance) || failsOnlyFormats(instance),
  });
  if (!foreign) return { judged, skippedDrafts };
  const isLate = (): boolean => watch?.({ stage: "judging", done: judged.length, total: judged.length }) === false;
  const options = { schemas: protocol.schemas, id: document.schema, isLate };
  return { judged: await addDisputeCauses(judged, model, options), skippedDrafts };
}

/** The schema vectors of a document, and the vectors of its semantic rules. */
interface RuledDrafts {
  model: Model;
  schemaJudged: readonly JudgedDraft[];
  semantic: readonly Vector[];
}

/** Adds the vectors of semantic rules, then signs, grades and annotates all vectors. The order matters: each stage uses the results of earlier ones. */
function finishVectors(
  protocol: RuledProtocol,
  document: Document,
  { model, schemaJudged, semantic }: RuledDrafts,
): VectorsByKind {
  let vectors = byKind(schemaJudged);
  vectors = postponeDeadlines(document, {
    ...vectors,
    semantic: [...semanticVectors(protocol, document), ...semantic],
  });
  // Messages are signed after their deadlines were moved.
  vectors = sealVectors(protocol, document, vectors);
  vectors.invalid = vectors.invalid.map((vector) => withLevel(protocol, document.name, vector));
  vectors.invalid = withPlaces(
    wrongPlacesByAjv(followTargets(protocol.schemas, [model]), document.schema),
    vectors.invalid,
  );
  vectors.valid = markBeyond(protocol, document, vectors.valid);
  vectors.disputed = markBeyond(protocol, document, vectors.disputed);
  vectors.semantic = withInvolved(
    protocol,
    document,
    markBeyond(
      protocol,
      document,
      vectors.semantic.map((vector) => markFormats(protocol, model, vector)),
    ),
    [...vectors.valid, ...vectors.semantic],
  );
  return removeDuplicates(vectors);
}

/** Lists the parts of the schemas that the valid messages of a plan reach. */
function schemasReachedBy({ schemas }: RuledProtocol, { schema }: Document, { valid }: Plan): readonly JsonObject[] {
  const instances = valid.map(({ data }) => data);
  return reachedSchemas(schemas, schema, instances);
}

/** Adds raw texts, and messages that show confusions of JSON libraries. */
async function addTexts(
  protocol: RuledProtocol,
  document: Document,
  {
    model,
    oracle,
    vectors,
    foreign,
    watch,
  }: { model: Model; oracle: Oracle; vectors: VectorsByKind; foreign: boolean; watch: Watch | undefined },
): Promise<VectorsByKind> {
  if (document.role !== "entry") return addConfusionVectors(protocol, document, { model, oracle, vectors });
  const parents = preferFormatIndependent(model, [...vectors.valid, ...vectors.semantic]);
  const breaches = breachesOf(protocol, document);
  const keepsRules = (value: Json): boolean => isSealed(protocol, value) && breaches(value).length === 0;
  const texts = rawVectors(protocol, document, foreign ? selectParents(parents) : parents, {
    oracle,
    keeps: keepsRules,
    watch,
  });
  const raw = markBeyond(protocol, document, texts).map((vector) => markFormats(protocol, model, vector));
  return addConfusionVectors(protocol, document, { model, oracle, vectors: removeDuplicates({ ...vectors, raw }) });
}

const maxParentLength = 5000;
const maxTextParents = 100;

/** Selects the valid vectors from which texts are made. A hundred short ones have enough places for all texts. */
function selectParents(vectors: readonly Vector[]): Vector[] {
  const shortVectors = vectors.filter(({ data }) => JSON.stringify(data).length <= maxParentLength);
  // A text of a message that breaks a semantic rule has no certain verdict either.
  const keepingRules = shortVectors.filter(({ beyond }) => beyond === undefined);
  return [...keepingRules, ...shortVectors.filter(({ beyond }) => beyond !== undefined)].slice(0, maxTextParents);
}

/** Removes unconfirmed results from a plan: for a foreign schema, the validators may contradict it. */
function confirmDrafts(
  protocol: RuledProtocol,
  { broken, mutants, ...planned }: Plan,
  judged: readonly JudgedDraft[],
  unjudged: ReadonlySet<Draft>,
): Plan {
  const shownFeatures = new Set(judged.flatMap(({ draft, kind }) => (kind === "invalid" ? draft.features : [])));
  const unjudgedFeatures = new Set([...unjudged].flatMap(({ features }) => features));
  const isShown = (site: string) => shownFeatures.has(breaksFeature(site));
  const unconfirmed = [...broken].filter((site) => !isShown(site));
  const reason = (site: string): UnbrokenReason =>
    unjudgedFeatures.has(breaksFeature(site))
      ? { kind: "not-worked-on", why: tooLate }
      : { kind: "disputed", why: disputeReason(protocol, site) };
  const lateReasons = mutants.all.map((mutant) => [mutant, mutants.reasons.get(mutant) ?? tooLate] as const);
  return {
    ...planned,
    broken: new Set([...broken].filter(isShown)),
    unbroken: [...planned.unbroken, ...unconfirmed.map((site) => ({ site, ...reason(site) }))],
    mutants: unjudged.size === 0 ? mutants : { ...mutants, reasons: new Map(lateReasons) },
  };
}

const tooLate = "the time was over before the validators were asked";

/** Makes only the vectors of semantic rules, for a document without schema vectors. */
export async function assembleRules(
  protocol: RuledProtocol,
  document: Document,
  { seed = defaultSeed }: AssembleOptions = {},
): Promise<AssembledDocument["files"]> {
  const semantic = withInvolved(
    protocol,
    document,
    markBeyond(protocol, document, semanticVectors(protocol, document)),
  );
  if (semantic.length === 0) return [];
  const model = await compileModel(protocol.schemas, document.schema);
  const vectors = removeDuplicates({ valid: [], invalid: [], semantic, disputed: [], raw: [] });
  return filesOf(protocol, document, { model, vectors: completeVectors(protocol, document, model, vectors), seed });
}

function byKind(judged: readonly JudgedDraft[]): Record<VectorKind, Vector[]> {
  const vectorsByKind: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
  for (const { kind, vector } of judged) vectorsByKind[kind].push(vector);
  return vectorsByKind;
}

function addTag(vector: Vector, tag: string): Vector {
  return { ...vector, tags: [...vector.tags, tag] };
}
