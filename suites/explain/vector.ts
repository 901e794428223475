import { capabilities, type Protocol, readingInWords, type Vector } from "../../schemas/index.ts";
import { changeInWords } from "../reports/change.ts";
import { cut, cutWithin } from "../text/escape.ts";
import { assertionAt } from "./assertion.ts";
import { expectedOf } from "./example.ts";
import { deciding, failsNobody } from "./reading.ts";

/** A vector: what is expected and why, how it was made, the message itself, and what to do about it. */
export function vectorLines(protocol: Protocol, vector: Vector): string[] {
  const {
    id,
    description,
    rule: named,
    site,
    at,
    involves,
    fault,
    parent,
    change,
    needs,
    readings = [],
    beyond,
    data,
    raw,
    base64,
  } = vector;
  const rule = protocol.rules.find((each) => each.id === named);
  const line = (name: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${name.padEnd(8)}  ${text}`];
  const claims = needs.map((need) => `${need} (${(capabilities as Record<string, string>)[need] ?? "unknown"})`);
  return [
    `${id}`,
    `  ${description}`,
    "",
    ...line("expected", expectedOf(vector)),
    ...readings.flatMap((each) => line("reading", `${each.verdict}, by ${readingInWords(each)}`)),
    ...deciding(protocol, vector).map((each) => `  ${"".padEnd(8)}  ${each}`),
    ...line(
      "rule",
      rule === undefined ? named : `${rule.id} ${vector.level ?? rule.level}, clause ${rule.clause}: ${rule.statement}`,
    ),
    ...line(
      "beyond",
      beyond === undefined ? undefined : `refusing it is no fault, since it touches ${beyond.join(", ")}`,
    ),
    ...line("fault", fault),
    ...line("at", at === "" ? "the whole document" : at),
    ...line("involves", involves?.join(", ")),
    ...line("site", site === undefined ? undefined : `${site}${assertionAt(protocol, site)}`),
    ...line("needs", needs.length === 0 ? undefined : claims.join(", ")),
    ...line("parent", parent),
    ...line("change", change === undefined ? undefined : changeInWords(change)),
    ...line("text", raw === undefined ? undefined : cutWithin(raw, 400)),
    ...line("base64", base64 === undefined ? undefined : cutWithin(base64, 400)),
    ...(data === undefined
      ? []
      : [
          "",
          ...JSON.stringify(data, null, 2)
            .split("\n")
            .slice(0, 80)
            .map((each) => `  ${cut(each, 200)}`),
        ]),
    "",
    ...fix(vector),
    `  touchstone replay ${id} …`,
  ];
}

function fix({ valid, site, at }: Vector): string[] {
  if (valid === undefined) return [failsNobody];
  if (valid)
    return [
      "If it is refused: something is checked that the protocol does not demand. Take that check out, or loosen it to what the rule says.",
    ];
  const what = site === undefined ? "what the rule says" : "the assertion at its site";
  const place = at === undefined || at === "" ? "" : ` The mistake is at ${at}; the rest of the message is right.`;
  return [`If it is accepted: ${what} is not checked.${place}`];
}
