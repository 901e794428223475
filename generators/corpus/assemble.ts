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
import { withDifferences } from "./differences.ts";
import { type AssembledDocument, defaultSeed, filesOf, siteTable } from "./document-files.ts";
import { removeDuplicates } from "./duplicates.ts";
import { assertedBefore } from "./earlier-assertions.ts";
import { markFormats, preferFormatIndependent } from "./format-marks.ts";
import type { UnbrokenReason } from "./isolation.ts";
import { type JudgedDraft, judge } from "./judge.ts";
import type { Extent, KeptWork } from "./kept-work.ts";
import { formatsLeftFor, liftingReadingsFor, whyDisputed } from "./lifted-verdicts.ts";
import { findNeeded, onlyCore, ownedBy, planForOwnSchema } from "./needed-drafts.ts";
import { type Plan, plan } from "./plan.ts";
import { ruledVectors } from "./ruled-vectors.ts";
import { isSealed, sealVectors } from "./seals.ts";
import type { VectorsByKind } from "./single-causes.ts";
import { subjectOf } from "./subject.ts";
import { withLevel } from "./vector-levels.ts";

export interface AssembleOptions {
  /** For foreign schemas, which may have unknown keywords and formats, and parts that break validators. */
  foreign?: boolean;
  /** Recorded in the files. The vectors do not depend on it: nothing is drawn at random yet. */
  seed?: number;
  /** Follows the progress, and may end the work early. */
  watch?: Watch;
  /** The work allowed for a foreign schema, as a multiple of the usual amount; `Infinity` if only `watch` ends it. */
  effort?: number;
  /** How far the vectors are made; without it, all of them. */
  extent?: Extent;
  /** With `least`: whether the validators compile only the parts of the schemas that the instance reaches. The first message of a large schema is there sooner. */
  reachedOnly?: boolean;
  /** Work from an earlier round, to which this one adds. */
  kept?: KeptWork;
}

/** Plans, judges and names the vectors of one document. Throws for a vector that both oracles judge differently than planned, because that is a defect of ours. */
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
  // Named families come with the mutants: they need other documents, which is slow in large packs.
  const documentFacts =
    extent === undefined || extent === "core" ? { named: await namedFor(protocol, document, model) } : {};
  const before = await assertedBefore(protocol, document);
  const annotates = foreign && protocol.profile.formats === "annotate" ? { annotates: true as const } : {};
  const userOptions = foreign ? { foreign: true as const, ...annotates } : {};
  const subject = { ...subjectOf(protocol, document, model), ...documentFacts, before, ...userOptions, ...limits };
  const planned = plan(subject, protocol.schemas, extent, kept);
  const oracle = kept.oracle ?? (await compileOracle(reachedBy(protocol, document, planned), document.schema));
  const lifted = await liftingReadingsFor(protocol, document);
  const doubts = (instance: Json): string | undefined => doubtIn(model, instance);
  const unjudged = new Set<Draft>();
  const formatsLeft = formatsLeftFor(protocol, document);
  const byFormats = (instance: Json): boolean => dependsOnFormats(model, instance) || formatsLeft(instance);
  const all = judge(protocol, document, planned, { oracle, foreign, watch, lifted, doubts, unjudged, byFormats });
  const isLate = (): boolean => watch?.({ stage: "judging", done: all.length, total: all.length }) === false;
  const judged = foreign
    ? await withDifferences(all, model, { schemas: protocol.schemas, id: document.schema, isLate })
    : all;
  const needed = findNeeded(subject, planned, judged);
  const isCore = document.kept === "core";
  // Without all mutants it is unknown which vectors can be left out.
  const isChosen = isCore && extent === undefined && needed.kills.size === planned.mutants.all.length;
  const { kept: published, core, kills } = isChosen ? onlyCore(needed, judged, ownedBy(subject, planned)) : needed;
  const ids = new Map(judged.map(({ draft, vector }) => [draft, vector.id]));
  const chosen = judged
    .filter(({ draft }) => published.has(draft))
    .map((each) => (core.has(each.draft) ? { ...each, vector: addTag(each.vector, "core") } : each));
  const { judged: left, semantic } = ruledVectors(protocol, document, chosen, (draft) => ids.get(draft));
  let vectors = finishVectors(protocol, document, { model, left, semantic });
  const isLong = !isCore && extent === undefined && watch?.({ stage: "texts", done: 0, total: 1 }) !== false;
  if (isLong) vectors = await addTexts(protocol, document, { model, oracle, vectors, foreign, watch });
  const shownPlan = isCore ? planForOwnSchema(planned, kills, subject.elsewhere) : planned;
  const confirmedPlan = foreign ? confirmDrafts(protocol, shownPlan, judged, unjudged) : shownPlan;
  return {
    files: filesOf(protocol, document, { model, vectors: completeVectors(protocol, document, model, vectors), seed }),
    sites: siteTable(protocol, document, model, { ...confirmedPlan, kills }),
  };
}

/** The schema vectors of a document, and the vectors of its semantic rules. */
interface RuledDrafts {
  model: Model;
  left: readonly JudgedDraft[];
  semantic: readonly Vector[];
}

/** Makes the last vectors, signs and grades them, and marks what each is about. The order matters: each stage uses the results of earlier ones. */
function finishVectors(
  protocol: RuledProtocol,
  document: Document,
  { model, left, semantic }: RuledDrafts,
): VectorsByKind {
  let vectors = byKind(left);
  vectors = postponeDeadlines(document, {
    ...vectors,
    semantic: [...semanticVectors(protocol, document), ...semantic],
  });
  // A signature is made last, after deadlines were moved.
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

/** The parts of the schemas that the valid messages of a plan reach. */
function reachedBy({ schemas }: RuledProtocol, { schema }: Document, { valid }: Plan): readonly JsonObject[] {
  const instances = valid.map(({ data }) => data);
  return reachedSchemas(schemas, schema, instances);
}

/** The vectors with texts, and with messages that readers confuse. */
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
  const keeps = (value: Json): boolean => isSealed(protocol, value) && breaches(value).length === 0;
  const texts = rawVectors(protocol, document, foreign ? selectParents(parents) : parents, { oracle, keeps, watch });
  const raw = markBeyond(protocol, document, texts).map((vector) => markFormats(protocol, model, vector));
  return addConfusionVectors(protocol, document, { model, oracle, vectors: removeDuplicates({ ...vectors, raw }) });
}

/** Valid vectors to make texts from. A hundred short ones offer enough places for all texts. */
function selectParents(vectors: readonly Vector[]): Vector[] {
  const short = vectors.filter(({ data }) => JSON.stringify(data).length <= 5000);
  // A text of a message that breaks a semantic rule has no certain verdict either.
  const keepingRules = short.filter(({ beyond }) => beyond === undefined);
  return [...keepingRules, ...short.filter(({ beyond }) => beyond !== undefined)].slice(0, 100);
}

/** The plan without vectors that were not confirmed: in a foreign schema the validators may contradict it. */
function confirmDrafts(
  protocol: RuledProtocol,
  { broken, mutants, ...planned }: Plan,
  judged: readonly JudgedDraft[],
  unjudged: ReadonlySet<Draft>,
): Plan {
  const shown = new Set(judged.flatMap(({ draft, kind }) => (kind === "invalid" ? draft.features : [])));
  const unjudgedFeatures = new Set([...unjudged].flatMap(({ features }) => features));
  const isShown = (site: string) => shown.has(breaksFeature(site));
  const unconfirmed = [...broken].filter((site) => !isShown(site));
  const reason = (site: string): UnbrokenReason =>
    unjudgedFeatures.has(breaksFeature(site))
      ? { kind: "not-worked-on", why: tooLate }
      : { kind: "disputed", why: whyDisputed(protocol, site) };
  const late = mutants.all.map((mutant) => [mutant, mutants.reasons.get(mutant) ?? tooLate] as const);
  return {
    ...planned,
    broken: new Set([...broken].filter(isShown)),
    unbroken: [...planned.unbroken, ...unconfirmed.map((site) => ({ site, ...reason(site) }))],
    mutants: unjudged.size === 0 ? mutants : { ...mutants, reasons: new Map(late) },
  };
}

const tooLate = "the time was over before the validators were asked";

/** The vectors of a document without schema vectors: those of the semantic rules. */
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
  const result: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
  for (const { kind, vector } of judged) result[kind].push(vector);
  return result;
}

function addTag(vector: Vector, tag: string): Vector {
  return { ...vector, tags: [...vector.tags, tag] };
}
