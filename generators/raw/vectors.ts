import type {
  Document,
  Json,
  Protocol,
  Rule,
  TextIssue,
  TextPosition,
  TextRuling,
  Vector,
} from "../../schemas/index.ts";
import { encodeIdPart } from "../drafts/word.ts";
import type { Watch } from "../drafts/work-progress.ts";
import type { Oracle } from "../oracle/oracle.ts";
import { atMost } from "../rules/check.ts";
import { contextOf } from "./context.ts";
import { rawFamilies } from "./index.ts";
import { stances } from "./issues.ts";
import type { RawContext, RawFamily, RawProposal } from "./raw.ts";
import { yamlEditions } from "./yaml.ts";

/** Whether a vector is valid and breaks no rule. A reader has no reason to refuse a text made from it except the text's own fault. */
export function breaksNothing({ valid, data, beyond }: Vector): boolean {
  return valid === true && data !== undefined && beyond === undefined;
}

interface RawVectorOptions {
  oracle: Oracle;
  /** Whether a message keeps the rules of the protocol. */
  keeps?: ((value: Json) => boolean) | undefined;
  watch?: Watch | undefined;
  families?: readonly RawFamily[];
}

/** Makes the raw vectors of one document from its vectors that break nothing. No text occurs twice. */
export function rawVectors(
  protocol: Protocol,
  document: Document,
  vectors: readonly Vector[],
  { oracle, keeps, watch = () => true, families = rawFamilies }: RawVectorOptions,
): Vector[] {
  // Request parameters are not sent as JSON.
  if (document.endpoint?.carries === "parameters") return [];
  let doneCount = 0;
  const isOver = (): boolean => !watch({ stage: "texts", done: doneCount, total: families.length });
  const context = contextOf(protocol, document, { valid: vectors.filter(breaksNothing), oracle, keeps, isOver });
  if (context === undefined) return [];
  const position = protocol.profile.text ?? { rulings: {} };
  const vectorsByText = new Map<string, Vector>();
  for (const [index, family] of families.entries()) {
    doneCount = index;
    if (isOver()) break;
    for (const proposal of proposalsOf(family, context)) {
      const key = Buffer.from(proposal.text).toString("latin1");
      if (vectorsByText.has(key) || isAccidentallyValid(proposal)) continue;
      const parts = [
        family.name,
        proposal.detail,
        ...(proposal.detailSuffix === undefined ? [] : [proposal.detailSuffix]),
      ];
      const verdict = verdictOn(proposal, position, context.accepts);
      vectorsByText.set(key, {
        id: `${protocol.name}/${protocol.version}/${document.name}/raw/${parts.map(encodeIdPart).join("/")}`,
        description: describe(proposal),
        ...verdict,
        ...textMembers(proposal.text),
        ...ruleMembers(proposal, position, verdict.valid, protocol.rules),
        ...(proposal.at === undefined ? {} : { at: proposal.at }),
        ...(verdict.valid === true ? {} : { fault: family.name }),
        parent: proposal.parent.id,
        needs: ["raw-text", ...(proposal.needs ?? [])],
        tags: proposal.tags ?? [],
      });
    }
  }
  return [...vectorsByText.values()];
}

/** Whether a text that should be malformed is valid JSON, because the wrong character is inside a string (RFC 8259, 7). */
function isAccidentallyValid({ issue, text }: RawProposal): boolean {
  if (!isMalformed(issue) || typeof text !== "string") return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isMalformed(issue: TextIssue): boolean {
  return issue === "malformed" || issue === "extended";
}

/** Returns a profile's ruling on an issue. Without a ruling of its own, syntax of other notations has that of malformed texts. */
function rulingOn(issue: TextIssue, rulings: TextPosition["rulings"]): TextRuling | undefined {
  return rulings[issue] ?? (issue === "extended" ? rulings.malformed : undefined);
}

/** Yields the proposals of a family. If the same reader is tested with all texts of another document, one text for each issue is enough. */
function* proposalsOf(family: RawFamily, context: RawContext): Generator<RawProposal> {
  const seenIssues = new Set<TextIssue>();
  for (const proposal of family.propose(context)) {
    // For example, a truncated number is still valid JSON.
    const issue = isMalformed(proposal.issue) ? "malformed" : proposal.issue;
    if (issue === "malformed" && isJson(proposal.text)) continue;
    if (context.isReadAgain && family.dependsOnMembers !== true && seenIssues.has(issue)) continue;
    seenIssues.add(issue);
    yield proposal;
  }
}

function isJson(text: RawProposal["text"]): boolean {
  try {
    JSON.parse(
      typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text),
    );
    return true;
  } catch {
    return false;
  }
}

function describe({ says, issue, clause = stances[issue].clause }: RawProposal): string {
  return `the text ${says}${clause === undefined ? "" : ` (${clause})`}`;
}

/** Stores a text as a string, or in Base64 if an editor or a terminal might change it. */
function textMembers(text: RawProposal["text"]): Pick<Vector, "raw" | "base64"> {
  if (typeof text === "string" && !/[\u0000\ufeff]/.test(text)) return { raw: text };
  return { base64: Buffer.from(text).toString("base64") };
}

function verdictOn(
  { issue, text, clause }: RawProposal,
  { rulings, yaml }: TextPosition,
  accepts: Parameters<typeof yamlEditions>[1],
): Pick<Vector, "valid" | "readings"> {
  const stance = stances[issue];
  const ruling = rulingOn(issue, rulings);
  if (stance.readings !== undefined)
    return ruling?.invalid ? { valid: false } : { readings: withRuling(stance.readings, ruling) };
  if (stance.valid === false && yaml) {
    const editions = yamlEditions(Buffer.from(text), accepts);
    if (editions.length > 0) {
      // Many implementations of both editions accept only UTF-8, some only without a mark. So other encodings are a separate reading.
      const isPlain = typeof text === "string" && !text.includes("\ufeff");
      const by = isPlain ? editions : ["YAML, character encodings"];
      return {
        readings: [
          { verdict: "valid", by, why: "what is not JSON is YAML here" },
          { verdict: "invalid", ids: ["json"], by: [clause ?? stance.clause ?? "RFC 8259"], why: "it is not JSON" },
        ],
      };
    }
  }
  return { valid: stance.valid === true };
}

function withRuling(
  readings: NonNullable<Vector["readings"]>,
  ruling: TextRuling | undefined,
): NonNullable<Vector["readings"]> {
  if (ruling?.rule === undefined || ruling.why === undefined) return readings;
  return [...readings, { verdict: "invalid", by: [ruling.rule], why: ruling.why }];
}

function ruleMembers(
  { issue, at }: RawProposal,
  { rulings }: TextPosition,
  valid: boolean | undefined,
  rules: readonly Rule[],
): Pick<Vector, "rule" | "level"> {
  const { rule, level: ruling, except = [] } = rulingOn(issue, rulings) ?? {};
  const ruledLevel = except.includes(at ?? "") ? undefined : ruling;
  const brokenRule = valid === false ? rules.find(({ id }) => id === rule) : undefined;
  const level = brokenRule === undefined ? ruledLevel : atMost(brokenRule, ruledLevel);
  const isLowerLevel = valid !== undefined && level !== undefined && level !== "MUST";
  return { ...(rule === undefined ? {} : { rule }), ...(isLowerLevel ? { level } : {}) };
}
