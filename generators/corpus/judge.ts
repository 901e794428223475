import { type Document, type Protocol, pointer, type Rule, ruleAt, type Vector } from "../../schemas/index.ts";
import type { Oracle } from "../oracle/oracle.ts";
import type { Draft } from "./draft.ts";
import { Names } from "./name.ts";
import type { Plan } from "./plan.ts";
import type { Watch } from "./watch.ts";

/** A draft as a vector, with what both oracles make of it. */
export interface Judged {
  draft: Draft;
  kind: "valid" | "invalid" | "disputed";
  vector: Vector;
}

/** Gives every draft its verdict and its name: what is left out afterwards renames nothing. */
export function judge(
  protocol: Protocol,
  document: Document,
  planned: Plan,
  oracle: Oracle,
  foreign: boolean,
  watch: Watch = () => true,
): Judged[] {
  const result: Judged[] = [];
  const names = new Names(`${protocol.name}/${protocol.version}/${document.name}`);
  const ids = new Map<Draft, string>();
  const drafts = [...planned.valid, ...planned.invalid];
  for (const [done, draft] of drafts.entries()) {
    if (!watch({ stage: "judging", done, total: drafts.length })) break;
    const { verdict, readings } = oracle.judge(draft.data);
    // Neither could say: a pattern may take for ever on it.
    if (readings.length === 0) continue;
    const expected = draft.fault === undefined ? "valid" : "invalid";
    const rule = ruleOf(protocol.rules, draft);
    const open = rule?.verdict === "either" && expected === "invalid";
    if (verdict !== "disputed" && verdict !== expected) {
      // In a foreign schema the validators are right, and the draft is not published.
      if (foreign) continue;
      throw new Error(
        `${document.name} ${draft.name.join(" ")}: planned as ${expected}, but the oracles say ${verdict}: ${JSON.stringify(draft.data)}`,
      );
    }
    const kind = verdict === "disputed" || open ? "disputed" : expected;
    const id = names.id(kind, draft);
    ids.set(draft, id);
    const onlyFormat = draft.site?.endsWith("/format") === true && draft.fault !== undefined;
    const lenient = rule?.verdict === "warn" || (onlyFormat && protocol.profile.formats === "annotate");
    const parent = draft.parent === undefined ? undefined : ids.get(draft.parent);
    const vector: Vector = {
      id,
      description: `${draft.at === "" ? "the document" : pointer.segments(draft.at).join(".")} ${draft.says}`,
      ...(kind === "disputed"
        ? { readings: open ? openReadings(readings, rule) : readings }
        : { valid: expected === "valid" }),
      data: draft.data,
      ...(rule === undefined ? {} : { rule: rule.id }),
      ...(lenient && expected === "invalid" ? { level: "SHOULD" as const } : {}),
      ...(draft.site === undefined ? {} : { site: draft.site }),
      at: draft.at,
      ...(draft.fault === undefined ? {} : { fault: draft.fault }),
      ...(parent === undefined ? {} : { parent }),
      ...(draft.change === undefined ? {} : { change: draft.change }),
      needs: onlyFormat ? ["format-assertion"] : [],
      tags: draft.tags,
    };
    result.push({ draft, kind, vector });
  }
  return result;
}

function openReadings(readings: Vector["readings"], rule: Rule | undefined): NonNullable<Vector["readings"]> {
  const why = rule?.position ?? "the specification leaves it open";
  return [...(readings ?? []), { verdict: "valid", by: ["specification"], why }];
}

/** The rule that a site states; a rule on the very place of a reference comes before the rule on the definition referred to. */
function ruleOf(rules: readonly Rule[], draft: Draft): Rule | undefined {
  if (draft.site === undefined) return undefined;
  for (const step of [...(draft.place?.steps ?? [])].reverse()) {
    if (!step.site.endsWith("/$ref")) break;
    const holder = step.site.slice(0, -"/$ref".length);
    const named = rules.find((rule) => rule.sites?.includes(holder));
    if (named !== undefined) return named;
  }
  return ruleAt(rules, draft.site);
}
