import {
  type Cases,
  type DisputedCase,
  type Document,
  type InvalidCase,
  type Json,
  pointer,
  type RuledProtocol,
  type ValidCase,
  type Vector,
} from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { atMost } from "./check.ts";
import { asPublished } from "./families.ts";

/** The vectors of a document's semantic rules: messages that keep each rule, messages that break only that rule, and messages that are read either way. */
export function semanticVectors(protocol: RuledProtocol, document: Document): Vector[] {
  const needs = ["semantic", ...(document.role === "record" || document.role === "trace" ? ["records"] : [])];
  const made = protocol.families
    .flatMap(({ cases }) => cases)
    .filter((cases) => cases.document === document.name)
    .flatMap((cases) => vectorsOf(protocol, cases, needs));
  return asPublished(protocol, document.name, made, ({ id, rule = "" }) => ({ rule, name: nameIn(id) }));
}

function nameIn(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

function describePlace(document: string, at: string): string {
  if (at === "") return document.includes(".") ? "the document" : `the ${document}`;
  return pointer
    .segments(at)
    .join(".")
    .replace(/^[0-9]+/, "entry $&");
}

function vectorsOf(protocol: RuledProtocol, cases: Cases, needs: readonly string[]): Vector[] {
  const { rule, document, valid, invalid, disputed = [] } = cases;
  const known = protocol.rules.find(({ id }) => id === rule);
  if (known === undefined) throw new Error(`${protocol.name} has no rule ${rule}`);
  const prefix = `${protocol.name}/${protocol.version}/${document}/semantic/${rule}`;
  const head = (each: ValidCase | InvalidCase | DisputedCase) => {
    const at = each.at ?? ("change" in each ? each.change?.[0]?.path : undefined) ?? "";
    return { id: `${prefix}/${each.name}`, description: `${describePlace(document, at)} ${each.says}`, at };
  };
  const textNeeds = ({ text }: ValidCase | InvalidCase | DisputedCase): string[] =>
    text === undefined ? [] : [cases.yaml ? "yaml-text" : "raw-text"];
  const tail = (each: ValidCase | InvalidCase | DisputedCase): Pick<Vector, "needs" | "tags"> => ({
    needs: [...needs, ...textNeeds(each), ...(each.needs ?? [])],
    tags: [...(each.edge === true ? ["boundary"] : []), ...familiesOf(protocol, rule)],
  });
  const membersOf = (each: InvalidCase | DisputedCase): Partial<Vector> => {
    if (each.text !== undefined) return textMembers(each.text);
    const parent = each.from === undefined ? valid[0] : valid.find(({ name }) => name === each.from);
    if (parent?.data === undefined || each.change === undefined)
      throw new Error(`${prefix}/${each.name} has no parent and change`);
    const data = applyChanges(parent.data, each.change);
    if (data === undefined) throw new Error(`${prefix}/${each.name}: its change does not apply to ${parent.name}`);
    return { data, parent: `${prefix}/${parent.name}`, change: each.change };
  };
  const open = known.verdict === "either";
  return [
    ...valid.map((validCase) => ({
      ...head(validCase),
      valid: true,
      ...instance(validCase),
      rule,
      ...(validCase.level === undefined ? {} : { level: validCase.level }),
      ...tail(validCase),
    })),
    ...invalid.map((invalidCase): Vector => {
      const weight = atMost(known, invalidCase.level);
      const verdict = open
        ? { readings: openReadings(known.position) }
        : { valid: false, ...(weight === "MUST" ? {} : { level: weight }) };
      const involves = invalidCase.involves === undefined ? {} : { involves: [...invalidCase.involves] };
      return {
        ...head(invalidCase),
        ...verdict,
        ...membersOf(invalidCase),
        rule,
        ...involves,
        fault: "rule",
        ...tail(invalidCase),
      };
    }),
    ...disputed.map((disputedCase) => ({
      ...head(disputedCase),
      readings: disputedCase.readings,
      ...membersOf(disputedCase),
      rule,
      ...tail(disputedCase),
    })),
  ].map(orderMembers);
}

/** The families by name that a rule is one of. */
function familiesOf({ profile: { families = {} } }: RuledProtocol, rule: string): string[] {
  return Object.entries(families).flatMap(([family, rules]) => (rules.includes(rule) ? [family] : []));
}

function instance({ data, text }: ValidCase): Pick<Vector, "data" | "raw" | "base64"> {
  return text === undefined ? { data: data as Json } : textMembers(text);
}

function textMembers(text: string | Uint8Array): Pick<Vector, "raw" | "base64"> {
  return typeof text === "string" ? { raw: text } : { base64: Buffer.from(text).toString("base64") };
}

/** If a rule is open, the specification itself permits both. */
function openReadings(why = "the specification leaves it open"): NonNullable<Vector["readings"]> {
  return [
    { verdict: "valid", by: ["specification"], why },
    { verdict: "invalid", by: ["rule"] },
  ];
}

const order: readonly (keyof Vector)[] = [
  "id",
  "description",
  "valid",
  "readings",
  "data",
  "raw",
  "base64",
  "rule",
  "level",
  "site",
  "at",
  "involves",
  "fault",
  "parent",
  "change",
  "needs",
  "tags",
];

/** Members in the order that all vectors have. */
function orderMembers(vector: Vector): Vector {
  return Object.fromEntries(
    order.flatMap((name) => (vector[name] === undefined ? [] : [[name, vector[name]]])),
  ) as unknown as Vector;
}
