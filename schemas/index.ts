export { type FileReader, filesIn, packArchive } from "./archive.ts";
export * from "./assertion.ts";
export type * from "./baseline.ts";
export { asDoubles, type Decimal, decimalIn } from "./beyond-doubles.ts";
export * from "./canonical.ts";
export * from "./catalogue.ts";
export * from "./cause.ts";
export * from "./compact-json.ts";
export type * from "./config.ts";
export * from "./contracts/index.ts";
export { type Contradiction, type Lift, type NamedReading, type PartialLift, placeOfLift } from "./contradiction.ts";
export * from "./coverage.ts";
export { dialectOf, dialects, isStandard, subschemas } from "./dialect.ts";
export { discretionsIn } from "./discretion.ts";
export type { EmbeddedSchema } from "./embedded.ts";
export * from "./endpoint.ts";
export * from "./error.ts";
export type { ExtendsFile, Renames } from "./extension.ts";
export * from "./fail-on.ts";
export { besideFirst, type Fault, faultsBy, faultsIn, mustBe, placeOf } from "./faults.ts";
export { filesBeneath, shownPath } from "./files.ts";
export * from "./format.ts";
export { currentId, formerIds } from "./former-ids.ts";
export type * from "./freedom.ts";
export * from "./grounds.ts";
export * from "./home.ts";
export { inexactIn } from "./inexact-integers.ts";
export * from "./json.ts";
export { kebab, kebabWithCapitals } from "./kebab-case.ts";
export { keywordsOf, suggestKeyword as keywordMeant } from "./keywords.ts";
export * from "./load.ts";
export type * from "./loaded-schemas.ts";
export * from "./manifest.ts";
export { misjudgedIf, withoutMistake } from "./misjudgement.ts";
export type * from "./mutant-counts.ts";
export * from "./nearest-name.ts";
export {
  exactNumbersIn,
  exactNumbersKey,
  exactText,
  hasStandIn,
  rawWithExactNumbers,
  rawWithStandIns,
  replaceNumbers,
  replaceNumbers as renumbered,
  StandIns,
  textWithExactNumbers,
  withMessageStandIns,
  wordsWithExactNumbers,
} from "./number-stand-ins.ts";
export { outlinesFile, packOutlines, readOutlines } from "./outline.ts";
export * from "./own-schemas.ts";
export { builtTexts, familiesFile, hasFamilies } from "./pack/built-files.ts";
export type { RuleEntry, RulesFile } from "./pack/file.ts";
export { namesOf } from "./pack/inherit.ts";
export { type NewRule, withNewRule } from "./pack/new-rule.ts";
export { changedSince, fileDigest, type Origins, originsFile } from "./pack/origins.ts";
export { calledBy, isPackPath, scenarioFiles } from "./pack/path.ts";
export { nameOf as documentName } from "./pack/profile.ts";
export {
  allInFiles,
  documentLine,
  fixturesOf,
  publishedOrder,
  readPack,
  rulesInFiles,
  rulesWithLines,
  sourceAmong,
  sourceIn,
  withCode,
} from "./pack/read.ts";
export { type NameChange, renamedData, renamedSchema, renameKinds } from "./pack/renaming.ts";
export type * from "./pack/rule-file.ts";
export { namesCode, type PlacedRule, type RuleFile, ruleFault, ruleLine } from "./pack/rule-files.ts";
export type { Ending, Expectation, ScenarioEntry, ScenarioFile, StepEntry } from "./pack/scenario.ts";
export * from "./packs.ts";
export { patternFault, tooDeep } from "./patterns.ts";
export * as pointer from "./pointer.ts";
export * from "./profile.ts";
export type { CodeSource, Extension, Protocol } from "./protocol.ts";
export { besideRef } from "./publish.ts";
export type * from "./published-limits.ts";
export * from "./reading.ts";
export * from "./recording.ts";
export { widePattern } from "./regex-flavours.ts";
export * from "./report.ts";
export type * from "./report-line.ts";
export * from "./report-options.ts";
export * from "./rule.ts";
export * from "./set-version.ts";
export * from "./text.ts";
export type { Text, TextPlace } from "./text-place.ts";
export * from "./time.ts";
export { unicodeSource } from "./unicode.ts";
export { compareItemsAsTexts } from "./unique-items.ts";
export { schemasUsed } from "./used-schemas.ts";
export { type Dependence, dependenceFault, isPattern, type ValueConditions } from "./value-conditions.ts";
export { maxValues, refuseMany } from "./value-limit.ts";
export * from "./vector.ts";
export { longestFile, readParts, readWhole } from "./whole-file.ts";
export * from "./wire.ts";
export * from "./yaml.ts";
