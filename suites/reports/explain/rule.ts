import {
  calledBy,
  coverageOfRule,
  type DocumentVectors,
  isByAnswers,
  namedReadings,
  type Protocol,
  type Rule,
  type RuleCoverage,
  type RuleStatus,
  statusOf,
  type Vector,
  verdictOf,
} from "../../../schemas/index.ts";
import { countNoun } from "../wording/phrases.ts";
import { assertionAt } from "./assertion.ts";
import { examplesOf } from "./example.ts";
import { groundLines } from "./grounds.ts";
import { mapLines, type RulePlaces } from "./map.ts";
import { nothingToFix } from "./reading.ts";
import { type Playable, playCommands } from "./scenario.ts";

/** The parts of a scenario that the explanation of a rule needs. */
type PlayedScenario = Pick<Playable, "name" | "rules" | "side" | "takesCommand" | "isOfAgent">;

/** Explains a rule: its requirement, the bound party, its clause, its tests, and the remedy for a breach. */
export function ruleLines(
  protocol: Protocol,
  rule: Rule,
  {
    files,
    scenarios,
    places,
  }: { files: readonly DocumentVectors[]; scenarios: readonly PlayedScenario[]; places?: RulePlaces | undefined },
): string[] {
  const { id, level, clause, statement, binds, tier, sites = [], position, verdict, author, follows, status } = rule;
  const coverage = coverageOfRule(protocol.profile, rule, files, scenarios);
  const coverageWithoutReadings = coverageOfRule({ ...protocol.profile, contradictions: [] }, rule, files, scenarios);
  const vectorsOfRule = files.flatMap(({ tests }) => tests.filter((vector) => vector.rule === id));
  const countByVerdict = (["valid", "invalid", "disputed"] as const).map(
    (verdict) => [verdict, vectorsOfRule.filter((vector) => verdictOf(vector) === verdict).length] as const,
  );
  const counts = countByVerdict
    .filter(([, count]) => count > 0)
    .map(([vectorVerdict, count]) => `${count} ${vectorVerdict}`);
  const examples = vectorsOfRule.filter(({ valid }) => valid === isByAccepting(status));
  const labelledLine = (name: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${name.padEnd(8)}  ${text}`];
  return [
    `${id}  ${level}, ${protocol.profile.title} ${protocol.version}, clause ${clause}`,
    `  ${statement}`,
    "",
    ...labelledLine("binds", binds.join(", ")),
    ...labelledLine("tier", tier),
    ...groundLines(protocol, rule),
    ...labelledLine("reading", position),
    ...namedReadings(protocol.profile)
      .filter(({ of }) => of.rules.includes(id))
      .flatMap((namedReading) => labelledLine("", `--reading ${namedReading.name}: ${namedReading.says}`)),
    ...labelledLine(
      "counts",
      verdict === undefined ? undefined : `${verdicts[verdict]}${author === undefined ? "" : authorNote}`,
    ),
    ...labelledLine("follows", follows?.join(", ")),
    ...labelledLine("status", formatStatus(statusOf(rule, coverage))),
    ...labelledLine("checked", describeChecks(coverage, coverageWithoutReadings, status)),
    ...sites.flatMap((site) => labelledLine("site", `${site}${assertionAt(protocol, site)}`)),
    ...labelledLine(
      "vectors",
      vectorsOfRule.length === 0
        ? "none under its own id"
        : `${vectorsOfRule.length} under its own id: ${counts.join(", ")}`,
    ),
    ...mapLines(places),
    ...examplesOf(examples),
    "",
    ...adviceFor(protocol, rule, vectorsOfRule, { ...coverage, played: playCommandsOf(protocol, rule, scenarios) }),
  ];
}

const verdicts = { fail: "as a failure", warn: "as a warning only", either: "not as a failure: either answer is fine" };

const authorNote = "; the level binds the author of the document";

/** Lists what detects a breach (the number of vectors, and the names of scenarios), or states that nothing does. */
function describeChecks(
  { vectors, documents, scenarios }: RuleCoverage,
  uncovered: RuleCoverage,
  status: RuleStatus,
): string {
  const { message, record, trace } = vectors;
  const countWithReadings = (count: number, withoutReadings: number): string =>
    `${countNoun(count, "vector")}${count === withoutReadings ? "" : ` (${withoutReadings}, and ${count - withoutReadings} more with a --reading)`}`;
  const checks = [
    ...(isByAnswers(status) ? ["the answers of a server to the vectors of its document, in each run with --http"] : []),
    ...(message > 0 ? [`${countWithReadings(message, uncovered.vectors.message)} with messages`] : []),
    ...(record > 0 || trace > 0
      ? [
          `${countWithReadings(record + trace, uncovered.vectors.record + uncovered.vectors.trace)} with records or traces, which are formats of this tool: ${documents.join(", ")}`,
        ]
      : []),
    ...(scenarios.length > 0 ? [`scenarios, with a live implementation: ${scenarios.join(", ")}`] : []),
  ];
  return checks.length === 0
    ? "not here: no vector or scenario fails an implementation that breaks it"
    : `by ${checks.join("; ")}`;
}

/** Whether an implementation breaks the rule by refusing a message, so that valid vectors test the rule. */
function isByAccepting(status: RuleStatus): boolean {
  return "covered" in status && status.covered === "valid vectors";
}

function formatStatus(status: RuleStatus): string {
  const [[state = "", detail = ""] = []] = Object.entries(status);
  return `${state}: ${detail}`;
}

/** Returns the commands that play the scenarios of a rule, one for each party. */
function playCommandsOf(protocol: Protocol, { id }: Rule, scenarios: readonly PlayedScenario[]): string[] {
  const playCommand = `run ${calledBy(protocol)} --scenarios --only ${id} --http URL`;
  const scenariosOfRule = scenarios.filter(({ rules }) => rules.includes(id));
  return [
    ...new Set(scenariosOfRule.flatMap((playedScenario) => playCommands(protocol, playedScenario, id, playCommand))),
  ];
}

function adviceFor(
  protocol: Protocol,
  { id, check, sites = [], status }: Rule,
  vectorsOfRule: readonly Vector[],
  { scenarios, vectors, documents, played }: RuleCoverage & { played: readonly string[] },
): string[] {
  const count = vectors.message + vectors.record + vectors.trace;
  if (isByAnswers(status))
    return ["It is judged by the answers to other vectors:", `  touchstone run ${calledBy(protocol)} --http URL`];
  if (vectorsOfRule.length === 0 && count > 0) return ["Vectors of other rules test it: see the status above."];
  if (vectorsOfRule.length === 0)
    return scenarios.length === 0 ? ["No vector tests it."] : ["It is tested by scenarios:", ...played];
  if (count === 0 && vectorsOfRule.every(({ valid }) => valid !== false))
    return played.length === 0
      ? [nothingToFix]
      : ["Its vectors are disputed and fail no implementation. It is tested by scenarios:", ...played];
  const requirement = check === "schema" && sites.length > 0 ? "the schema at the sites above" : "the rule";
  const remedy = isByAccepting(status)
    ? "accept every message that the rule allows: its valid vectors are examples"
    : `refuse only messages that break ${requirement}: the valid vectors show the messages to accept`;
  // A rule about recorded messages binds their sender, which does not refuse anything.
  if (vectors.message === 0 && !isByAccepting(status))
    return [
      "To fix it: follow the rule; the invalid vectors show its violations.",
      ...played,
      `A checker of ${documents.join(" and ")}: ${remedy}.`,
      `  touchstone run ${calledBy(protocol)} --only ${id} --module FILE`,
    ];
  return [`To fix it: ${remedy}.`, `  touchstone run ${calledBy(protocol)} --only ${id} --module FILE`, ...played];
}
