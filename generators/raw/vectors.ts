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

/** A reader that misreads a text made from such a vector has no other reason to refuse it. */
export function breaksNothing({ valid, data, beyond }: Vector): boolean {
  return valid === true && data !== undefined && beyond === undefined;
}

interface RawVectorOptions {
  oracle: Oracle;
  /** Whether a message that is made from a vector keeps the rules of the protocol. */
  keeps?: ((value: Json) => boolean) | undefined;
  watch?: Watch | undefined;
  families?: readonly RawFamily[];
}

/** The texts for one document, made from those of its vectors that break nothing. The same text never comes twice. */
export function rawVectors(
  protocol: Protocol,
  document: Document,
  all: readonly Vector[],
  { oracle, keeps, watch = () => true, families = rawFamilies }: RawVectorOptions,
): Vector[] {
  // Parameters of a request are not written as JSON.
  if (document.endpoint?.carries === "parameters") return [];
  let done = 0;
  const isOver = (): boolean => !watch({ stage: "texts", done, total: families.length });
  const context = contextOf(protocol, document, { valid: all.filter(breaksNothing), oracle, keeps, isOver });
  if (context === undefined) return [];
  const position = protocol.profile.text ?? { rulings: {} };
  const vectors = new Map<string, Vector>();
  for (const [index, family] of families.entries()) {
    done = index;
    if (isOver()) break;
    for (const proposal of proposalsOf(family, context)) {
      const key = Buffer.from(proposal.text).toString("latin1");
      if (vectors.has(key) || isSound(proposal)) continue;
      const parts = [family.name, proposal.detail, ...(proposal.of === undefined ? [] : [proposal.of])];
      const verdict = verdictOn(proposal, position, context.accepts);
      vectors.set(key, {
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
  return [...vectors.values()];
}

/** Whether a text meant as malformed is not: a character that spoils an object or a list may be inside a string, as an ordinary character (RFC 8259, 7). */
function isSound({ issue, text }: RawProposal): boolean {
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

/** A profile's position on an issue: syntax of other notations is as malformed as any other, unless the profile says more. */
function rulingOn(issue: TextIssue, rulings: TextPosition["rulings"]): TextRuling | undefined {
  return rulings[issue] ?? (issue === "extended" ? rulings.malformed : undefined);
}

/** The proposals of a family; if the same reader was tested in full with another document, one text of each issue is enough. */
function* proposalsOf(family: RawFamily, context: RawContext): Generator<RawProposal> {
  const seen = new Set<TextIssue>();
  for (const proposal of family.propose(context)) {
    // A part of a number or a string may be a valid JSON text too.
    const issue = isMalformed(proposal.issue) ? "malformed" : proposal.issue;
    if (issue === "malformed" && isJson(proposal.text)) continue;
    if (context.again && family.ofMembers !== true && seen.has(issue)) continue;
    seen.add(issue);
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

/** Text as a string, unless an editor or a terminal might change it on the way. */
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
      // Many readers of either edition accept only UTF-8, without a mark or with one: an implementation of an edition may be one of them.
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
  const stated = except.includes(at ?? "") ? undefined : ruling;
  const known = valid === false ? rules.find(({ id }) => id === rule) : undefined;
  const level = known === undefined ? stated : atMost(known, stated);
  const counts = valid !== undefined && level !== undefined && level !== "MUST";
  return { ...(rule === undefined ? {} : { rule }), ...(counts ? { level } : {}) };
}
