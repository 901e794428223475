import {
  calledBy,
  capabilities,
  type Json,
  namedReadings,
  type Protocol,
  pointer,
  readingInWords,
  toleratesAll,
  type Vector,
} from "../../../schemas/index.ts";
import { truncate, truncateMiddle } from "../../base/text/escape.ts";
import { describeChange } from "../wording/change.ts";
import { countNoun } from "../wording/phrases.ts";
import { assertionAt } from "./assertion.ts";
import { expectedOf, showText } from "./example.ts";
import { decidingReadings, nothingToFix } from "./reading.ts";

/** Explains a vector: the expected answer and its reason, its origin, the message itself, and the remedy. */
export function vectorLines(protocol: Protocol, vector: Vector): string[] {
  const {
    id,
    description,
    site,
    at,
    involves,
    fault,
    parent,
    change,
    needs,
    readings = [],
    beyond,
    alsoBreaks: alsoBroken = [],
    format,
    data,
    raw,
    base64,
  } = vector;
  const claims = needs.map((need) => `${need} (${(capabilities as Record<string, string>)[need] ?? "unknown"})`);
  return [
    `${id}`,
    // Without this prefix, the description of a valid vector would read like a fault.
    `  ${vector.valid === true ? "valid: " : ""}${description}`,
    "",
    ...labelledLine("expected", expectedOf(vector)),
    ...readings.flatMap((reading) => labelledLine("reading", readingText(reading))),
    ...decidingReadings(protocol, vector).map((readingOption) => `  ${"".padEnd(8)}  ${readingOption}`),
    ...labelledLine("rule", describeRule(protocol, vector)),
    ...labelledLine(
      "beyond",
      beyond === undefined
        ? undefined
        : `refusing it is also correct, because it touches ${beyond.join(", ")}${describeTolerance(protocol, vector)}`,
    ),
    ...labelledLine("fault", fault),
    ...labelledLine(
      "also",
      alsoBroken.length === 0
        ? undefined
        : `breaks ${alsoBroken.join(", ")}: an implementation of that rule refuses it anyway`,
    ),
    ...labelledLine("at", at === "" ? "the whole document" : at),
    ...labelledLine("involves", involves?.join(", ")),
    ...labelledLine("site", site === undefined ? undefined : `${site}${assertionAt(protocol, site)}`),
    ...labelledLine("format", format === undefined ? undefined : [format].flat().join(", ")),
    ...labelledLine("needs", needs.length === 0 ? undefined : claims.join(", ")),
    ...labelledLine("parent", parent),
    ...labelledLine("change", change === undefined ? undefined : describeChange(change)),
    ...labelledLine("text", raw === undefined ? undefined : showText(raw)),
    ...labelledLine("base64", base64 === undefined ? undefined : truncateMiddle(base64, 400)),
    ...(data === undefined ? [] : ["", ...formatData(data, calledBy(protocol))]),
    "",
    ...adviceFor(vector),
    `  touchstone replay ${id} …`,
  ];
}

/** Formats a line with a label; empty if there is no text. */
function labelledLine(name: string, text: string | undefined): string[] {
  return text === undefined ? [] : [`  ${name.padEnd(8)}  ${text}`];
}

/** Describes the rule of a vector, with its level, clause and statement if the protocol defines it. */
function describeRule({ rules }: Protocol, { rule: id, level }: Vector): string | undefined {
  const rule = rules.find((candidate) => candidate.id === id);
  return rule === undefined ? id : `${rule.id} ${level ?? rule.level}, clause ${rule.clause}: ${rule.statement}`;
}

function readingText(reading: NonNullable<Vector["readings"]>[number]): string {
  const { verdict, ids } = reading;
  return `${verdict}, by ${readingInWords(reading)}${ids === undefined ? "" : ` (${ids.join(", ")})`}`;
}

/** Lists the readings that require accepting a vector in spite of the rules that it touches. */
function describeTolerance({ profile }: Protocol, vector: Vector): string {
  const names = namedReadings(profile).flatMap((reading) =>
    toleratesAll([reading], vector) ? [`--reading ${reading.name}`] : [],
  );
  return names.length === 0 ? "" : `; with ${names.join(" or ")} it has to be accepted`;
}

/** The maximum number of printed lines of a message. */
const maxDataLines = 80;

/** Formats the content of a vector, cut to a readable length. `touchstone export` writes all of it. */
function formatData(data: Json, protocol: string): string[] {
  const lines = JSON.stringify(data, null, 2).split("\n");
  const hiddenLines = lines.length - maxDataLines;
  return [
    ...lines.slice(0, maxDataLines).map((dataLine) => `  ${truncate(dataLine, 200)}`),
    ...(hiddenLines <= 0
      ? []
      : [`  … ${countNoun(hiddenLines, "more line")}; for all of it: touchstone export ${protocol} --out DIR`]),
  ];
}

function adviceFor(vector: Vector): string[] {
  const { valid, beyond, rule } = vector;
  if (valid === undefined) return [nothingToFix];
  if (beyond !== undefined) return ["Nothing to fix: accepting it and refusing it are both correct."];
  if (valid)
    return [
      `If it is refused, the implementation checks something that the protocol does not require. Remove that check, or relax it to what is required by ${rule === undefined ? "the schema" : "the rule"}.`,
    ];
  return [`If it is accepted: ${uncheckedNote(vector)}.${describePlace(vector)}`];
}

/** Describes the check that an implementation lacks if it accepts the vector. */
function uncheckedNote({ site, rule, data }: Vector): string {
  if (site !== undefined) return "the assertion at its site is not checked";
  if (rule !== undefined) return "the rule is not checked";
  return data === undefined
    ? "the text is not parsed as the JSON grammar requires"
    : "none of the assertions that refuse it is checked";
}

/** Locates the mistake, and adds that it is the only one if that is certain. */
function describePlace({ id, site, at, fault, involves = [] }: Vector): string {
  if (at === undefined || at === "") return "";
  const otherSites = involves.length === 0 ? "" : ` (a refusal may also name ${involves.join(", ")})`;
  const isSemantic = id.split("/", 4)[3] === "semantic";
  const schemaRemark = site === undefined ? "" : "; nothing else breaks the schema";
  const remark = isSemantic ? "; the rest is correct" : schemaRemark;
  return ` The mistake is ${mistakeAt(at, site, fault)}${otherSites}${remark}.`;
}

/** Locates the mistake. The name of a member has no JSON Pointer, so it is described in words. */
function mistakeAt(at: string, site: string | undefined, fault: string | undefined): string {
  if (site === undefined || !/\/propertyNames(\/|$)/.test(site)) return `at ${at}`;
  if (fault !== "bad-name") return `the name of a member at ${at}`;
  const { parent } = pointer.split(at);
  return `the name ${JSON.stringify(pointer.segments(at).at(-1))} of a member of ${parent === "" ? "the document" : parent}`;
}
