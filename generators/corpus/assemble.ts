import {
  canonical,
  type Document,
  digestOf,
  type JsonObject,
  type Manifest,
  type Protocol,
  pointer,
  type Rule,
  ruleAt,
  type Vector,
  type VectorFile,
  type VectorKind,
  version,
} from "../../schemas/index.ts";
import { tableOf } from "../forcing/table.ts";
import { compileModel, identifier } from "../model/compile.ts";
import type { Model } from "../model/model.ts";
import { sites } from "../model/paths.ts";
import { type Oracle, oracleFor } from "../oracle/oracle.ts";
import { rawVectors } from "../raw/vectors.ts";
import { type Draft, subjectOf } from "./draft.ts";
import { Names } from "./name.ts";
import { type Plan, plan } from "./plan.ts";

/** The vectors of one document, by file, and what is known of its sites. */
export interface Assembled {
  files: { kind: VectorKind; file: VectorFile }[];
  sites: Manifest["documents"][number];
}

export interface AssembleOptions {
  /** Foreign schemas have keywords and formats that nobody knows, and corners where validators break. */
  foreign?: boolean;
  /** Recorded in the files. Every vector is deterministic by construction: nothing is drawn at random yet. */
  seed?: number;
}

export const defaultSeed = 42;

/** Plans, judges and names the vectors of one document. A vector that both oracles judge otherwise than planned is a fault of ours: it throws. */
export async function assemble(
  protocol: Protocol,
  document: Document,
  { foreign = false, seed = defaultSeed }: AssembleOptions = {},
): Promise<Assembled> {
  const model = await compileModel(protocol.schemas, document.schema);
  const oracle = await oracleFor(protocol.schemas, document.schema, foreign ? "lenient" : "strict");
  const planned = plan(subjectOf(protocol, document, model), protocol.schemas);
  const vectors = judge(protocol, document, planned, oracle, foreign);
  if (document.role === "entry") vectors.raw = rawVectors(protocol, document, vectors.valid, oracle);
  const used = protocol.schemas.filter((schema) => usedResources(model).has(identifier(schema)));
  const file = (kind: VectorKind, description: string) => ({
    kind,
    file: fileOf(kind, description),
  });
  const fileOf = (kind: VectorKind, description: string): VectorFile => ({
    $schema: "https://touchstone.example/schemas/touchstone/vector-file.schema.json",
    description,
    protocol: protocol.name,
    version: protocol.version,
    document: document.name,
    schema: document.schema,
    schemaDigest: digestOf(canonical(used)),
    generator: { name: "touchstone", version, seed },
    count: vectors[kind].length,
    tests: vectors[kind],
  });
  const title = `${protocol.profile.title} ${protocol.version}, ${document.title}`;
  return {
    files: [
      file("valid", `${title}: instances that must be accepted`),
      file("invalid", `${title}: instances that break one assertion each and must be refused`),
      file("disputed", `${title}: instances on which readings differ; never failed`),
      file("raw", `${title}: texts and bytes, to be sent as they are`),
    ].filter(({ file: { count } }) => count > 0),
    sites: siteTable(protocol, document, model, planned),
  };
}

function usedResources(model: Model): Set<string> {
  return new Set([...model.nodes.values()].map((node) => node.resource));
}

function siteTable(
  protocol: Protocol,
  document: Document,
  model: Model,
  { broken, unbroken, forcing }: Plan,
): Assembled["sites"] {
  const all = sites(model);
  // The members of an enumeration and the branches of a choice are exercised by valid vectors and have no fault of their own.
  const breakable = all.filter((site) => !/\/(enum|oneOf|anyOf)\/[0-9]+$/.test(site));
  const reasons = new Map(unbroken.map(({ site, why }) => [site, why]));
  return {
    protocol: protocol.name,
    version: protocol.version,
    document: document.name,
    schema: document.schema,
    sites: breakable.length,
    broken: breakable.filter((site) => broken.has(site)).length,
    unbroken: breakable
      .filter((site) => !broken.has(site))
      .map((site) => ({ site, why: reasons.get(site) ?? "no valid instance reaches it" })),
    forcing: tableOf(forcing),
  };
}

function judge(
  protocol: Protocol,
  document: Document,
  planned: Plan,
  oracle: Oracle,
  foreign: boolean,
): Record<VectorKind, Vector[]> {
  const result: Record<VectorKind, Vector[]> = { valid: [], invalid: [], semantic: [], disputed: [], raw: [] };
  const names = new Names(`${protocol.name}/${protocol.version}/${document.name}`);
  const ids = new Map<Draft, string>();
  for (const draft of [...planned.valid, ...planned.invalid]) {
    const { verdict, readings } = oracle.judge(draft.data);
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
    result[kind].push({
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
    });
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

/** One test a line, so that a changed vector is one changed line. */
export function print(file: VectorFile): string {
  const { tests, ...head } = file;
  const lines = JSON.stringify({ ...head, tests: [] } satisfies JsonObject | object, null, 2);
  return `${lines.slice(0, -"[]\n}".length)}[\n${tests.map((test) => `    ${JSON.stringify(test)}`).join(",\n")}\n  ]\n}\n`;
}
