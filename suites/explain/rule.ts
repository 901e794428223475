import {
  type Check,
  calledBy,
  type Protocol,
  type Rule,
  type RuleStatus,
  type Vector,
  verdictOf,
} from "../../schemas/index.ts";
import { assertionAt } from "./assertion.ts";
import { exampleLines } from "./vector.ts";

/** A rule: what it demands, of whom, where it stands, how it is tested, and what to do about it. */
export function ruleLines(protocol: Protocol, rule: Rule, all: readonly Vector[]): string[] {
  const { id, level, clause, statement, binds, tier, check, sites = [], position, verdict, status } = rule;
  const own = all.filter((vector) => vector.rule === id);
  const counted = (["valid", "invalid", "disputed"] as const).map(
    (each) => [each, own.filter((vector) => verdictOf(vector) === each).length] as const,
  );
  const told = counted.filter(([, count]) => count > 0).map(([each, count]) => `${count} ${each}`);
  const wrong = own.filter((vector) => vector.valid === false);
  const half = wrong[Math.floor(wrong.length / 2)];
  const examples = wrong.length > 1 && half !== undefined ? [wrong[0] as Vector, half] : wrong;
  const line = (name: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${name.padEnd(8)}  ${text}`];
  return [
    `${id}  ${level}, ${protocol.profile.title} ${protocol.version}, clause ${clause}`,
    `  ${statement}`,
    "",
    ...line("binds", binds.join(", ")),
    ...line("tier", tier),
    ...line("reading", position),
    ...line("counts", verdict === undefined ? undefined : verdicts[verdict]),
    ...line("checked", `${checks[check]}; ${statusIn(status)}`),
    ...sites.flatMap((site) => line("site", `${site}${assertionAt(protocol, site)}`)),
    ...line("vectors", own.length === 0 ? "none in its own name" : `${own.length}: ${told.join(", ")}`),
    ...examples.flatMap((vector) => ["", ...exampleLines(vector)]),
    "",
    ...fix(protocol, rule, own),
  ];
}

const verdicts = { fail: "as a failure", warn: "as a warning only", either: "for nobody: either answer is fine" };

const checks: Record<Check, string> = {
  schema: "by the schema, which states it",
  semantic: "by a checker of this rule, on one document",
  trace: "on a recorded session: touchstone validate --trace",
  stateful: "by a scenario of several exchanges: touchstone run --scenarios",
  delivery: "by watching what is sent elsewhere",
  manual: "by people",
};

function statusIn(status: RuleStatus): string {
  const [[word = "", how = ""] = []] = Object.entries(status);
  return `${word}: ${how}`;
}

function fix(protocol: Protocol, { id, check, sites = [] }: Rule, own: readonly Vector[]): string[] {
  if (own.length === 0)
    return [
      `No vector asks for it. ${check === "stateful" ? `touchstone run ${calledBy(protocol)} --scenarios plays what bears on it.` : ""}`.trim(),
    ];
  const where = check === "schema" && sites.length > 0 ? "the schema at the sites above" : "what the rule says";
  return [
    `To fix it: refuse what breaks ${where}, and nothing more: the valid vectors show what has to be accepted.`,
    `  touchstone run ${calledBy(protocol)} --only ${id} …`,
  ];
}
