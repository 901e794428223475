export type { KeywordCoverage as Covered, MutantCounts } from "../schemas/index.ts";
export type { Acceptance, Demand } from "./accept/acceptance.ts";
export { acceptances } from "./accept/index.ts";
export { edgeArbitraryFor } from "./arbitrary/edge.ts";
export { type Faker, fakerFor } from "./arbitrary/faker.ts";
export { type Faulty, faultyArbitraryFor } from "./arbitrary/faulty.ts";
export { type Realistic, realisticArbitraryFor } from "./arbitrary/realistic-values.ts";
export { arbitraryFor } from "./arbitrary/valid.ts";
export { applyChanges, applyChanges as patched } from "./changes/patch.ts";
export {
  type Comparison,
  compareSchemas,
  type SchemaDifference,
  type SchemaVersion,
} from "./compare/compare.ts";
export { type AdoptedSchema, adoptSchema } from "./compile/adoption.ts";
export { compileModel, identifier } from "./compile/compile.ts";
export { type AssembleOptions, assemble } from "./corpus/assemble.ts";
export { type BuiltSet, buildSet, joinParts as joined, setVersion } from "./corpus/build.ts";
export { type AssembledDocument, defaultSeed, writeFiles, writeFiles as filed } from "./corpus/document-files.ts";
export { positionOf as levelOfVerdict, positionOf as standing, type SitePosition } from "./corpus/judge.ts";
export type { Extent, KeptWork } from "./corpus/kept-work.ts";
export { type FindLiftingReadings, liftingReadingsFor } from "./corpus/lifted-verdicts.ts";
export {
  findBreakableSites,
  findBreakableSites as breakable,
  type Plan,
  planVectors as plan,
  type Unbroken,
} from "./corpus/plan.ts";
export { print } from "./corpus/print.ts";
export { type ReplacedNumber, settleSample, settleSample as settled } from "./corpus/settled-samples.ts";
export { elsewhereOf, subjectOf } from "./corpus/subject.ts";
export { type Tally, tallyConfusions } from "./corpus/tally.ts";
export { withLevel, withLevel as graded } from "./corpus/vector-levels.ts";
export type { Draft, Subject } from "./drafts/draft.ts";
export type { Stage, Watch, WorkProgress } from "./drafts/work-progress.ts";
export { dependsOnFormats } from "./evaluate/deciding-formats.ts";
export { doubtIn } from "./evaluate/doubts.ts";
export { isValid } from "./evaluate/evaluate.ts";
export { type EvaluationPlace, places } from "./evaluate/places.ts";
export { sites } from "./evaluate/sites.ts";
export type { Family, FaultContext, Proposal } from "./faults/fault.ts";
export { families } from "./faults/index.ts";
export { formatHolds } from "./formats/check.ts";
export { formats } from "./formats/table.ts";
export type { Focus, Formula } from "./formulas/formula.ts";
export type { Evaluation } from "./keywords/visit.ts";
export { doubtLaw, oneFaultLaw, parentLaw, type VectorBreach, verdictLaw } from "./laws.ts";
export { explainContradiction, qualifyProof } from "./lint/exclusion.ts";
export { type LintFinding, lintKinds } from "./lint/finding.ts";
export { lint } from "./lint/lint.ts";
export type { Keyword, Location, Model, Node } from "./model/model.ts";
export {
  type Coverage,
  type CoverageOptions,
  coverageOf,
  type SurvivingMutant,
  type TestInstance,
} from "./mutation/coverage.ts";
export { countKills } from "./mutation/judge.ts";
export { listMutants as mutants } from "./mutation/mutants.ts";
export { compileAjv, inDecimal, options as ajvOptions, wrongPlacesByAjv } from "./oracle/ajv.ts";
export { contentJudge } from "./oracle/contents.ts";
export { correctEvaluated } from "./oracle/evaluated.ts";
export { foreignOracle } from "./oracle/foreign-oracle.ts";
export { compileHyperjump } from "./oracle/hyperjump.ts";
export { inOneDialect } from "./oracle/one-dialect.ts";
export { type Judgement, type Oracle, oracleFor } from "./oracle/oracle.ts";
export { followTargets, followTargets as followed } from "./oracle/schema-targets.ts";
export { rawFamilies } from "./raw/index.ts";
export { rawLaw } from "./raw/laws.ts";
export type { RawContext, RawFamily, RawProposal } from "./raw/raw.ts";
export { rawVectors } from "./raw/vectors.ts";
export { automatonOf, combine } from "./regex/automaton.ts";
export { guardPattern, guardPattern as guarded } from "./regex/guard.ts";
export { nearMisses } from "./regex/near-misses.ts";
export { words } from "./regex/words.ts";
export { add, keptCase, keptCase as kept, remove, set, withoutMember, withoutMember as without } from "./rules/case.ts";
export { findings, type RuleViolation, rulesOfAuthor, textFindings } from "./rules/check.ts";
export { checkersOf } from "./rules/families.ts";
export { readingLaw, semanticLaw } from "./rules/laws.ts";
export { readOnce } from "./rules/pass.ts";
export { breachesOf } from "./rules/rule-breaches.ts";
export {
  entryFrom,
  type Gap,
  instant,
  namesOf,
  recordingOf,
  recordingOf as recorded,
  type Sent,
  type SessionModel,
  type SessionStep,
  walk,
} from "./rules/trace.ts";
export { semanticVectors } from "./rules/vectors.ts";
export { walksOf } from "./rules/walks.ts";
export { annotatedSamples } from "./sample/annotated-samples.ts";
export { fresherFor } from "./sample/fresh-texts.ts";
export { type Random, randomFrom } from "./sample/random.ts";
export { type Sampler, type SamplerOptions, samplerFor } from "./sample/sampler.ts";
export { setLaw } from "./set-laws.ts";
export { type Solution, type SolveOptions, solutions, solve } from "./solve/solve.ts";
