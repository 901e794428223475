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

/** Makes the vectors of a document's semantic rules: messages that keep a rule, messages that break only that rule, and messages on which readings differ. */
export function semanticVectors(protocol: RuledProtocol, document: Document): Vector[] {
  const needs = ["semantic", ...(document.role === "record" || document.role === "trace" ? ["records"] : [])];
  const vectors = protocol.families
    .flatMap(({ cases }) => cases)
    .filter((cases) => cases.document === document.name)
    .flatMap((cases) => vectorsOf(protocol, cases, needs));
  return asPublished(protocol, document.name, vectors, ({ id, rule = "" }) => ({ rule, name: nameIn(id) }));
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
  const ruleEntry = protocol.rules.find(({ id }) => id === rule);
  if (ruleEntry === undefined) throw new Error(`${protocol.name} has no rule ${rule}`);
  const prefix = `${protocol.name}/${protocol.version}/${document}/semantic/${rule}`;
  const headOf = (ruleCase: ValidCase | InvalidCase | DisputedCase) => {
    const at = ruleCase.at ?? ("change" in ruleCase ? ruleCase.change?.[0]?.path : undefined) ?? "";
    return { id: `${prefix}/${ruleCase.name}`, description: `${describePlace(document, at)} ${ruleCase.says}`, at };
  };
  const textNeeds = ({ text }: ValidCase | InvalidCase | DisputedCase): string[] =>
    text === undefined ? [] : [cases.yaml ? "yaml-text" : "raw-text"];
  const tailOf = (ruleCase: ValidCase | InvalidCase | DisputedCase): Pick<Vector, "needs" | "tags"> => ({
    needs: [...needs, ...textNeeds(ruleCase), ...(ruleCase.needs ?? [])],
    tags: [...(ruleCase.edge === true ? ["boundary"] : []), ...familiesOf(protocol, rule)],
  });
  const membersOf = (ruleCase: InvalidCase | DisputedCase): Partial<Vector> => {
    if (ruleCase.text !== undefined) return textMembers(ruleCase.text);
    const parent = ruleCase.from === undefined ? valid[0] : valid.find(({ name }) => name === ruleCase.from);
    if (parent?.data === undefined || ruleCase.change === undefined)
      throw new Error(`${prefix}/${ruleCase.name} has no parent and change`);
    const data = applyChanges(parent.data, ruleCase.change);
    if (data === undefined) throw new Error(`${prefix}/${ruleCase.name}: its change does not apply to ${parent.name}`);
    return { data, parent: `${prefix}/${parent.name}`, change: ruleCase.change };
  };
  const isOpen = ruleEntry.verdict === "either";
  return [
    ...valid.map((validCase) => ({
      ...headOf(validCase),
      valid: true,
      ...instanceMembers(validCase),
      rule,
      ...(validCase.level === undefined ? {} : { level: validCase.level }),
      ...tailOf(validCase),
    })),
    ...invalid.map((invalidCase): Vector => {
      const level = atMost(ruleEntry, invalidCase.level);
      const verdict = isOpen
        ? { readings: openReadings(ruleEntry.position) }
        : { valid: false, ...(level === "MUST" ? {} : { level }) };
      const involves = invalidCase.involves === undefined ? {} : { involves: [...invalidCase.involves] };
      return {
        ...headOf(invalidCase),
        ...verdict,
        ...membersOf(invalidCase),
        rule,
        ...involves,
        fault: "rule",
        ...tailOf(invalidCase),
      };
    }),
    ...disputed.map((disputedCase) => ({
      ...headOf(disputedCase),
      readings: disputedCase.readings,
      ...membersOf(disputedCase),
      rule,
      ...tailOf(disputedCase),
    })),
  ].map(orderMembers);
}

/** Lists the names of the families that a rule belongs to. */
function familiesOf({ profile: { families = {} } }: RuledProtocol, rule: string): string[] {
  return Object.entries(families).flatMap(([family, rules]) => (rules.includes(rule) ? [family] : []));
}

function instanceMembers({ data, text }: ValidCase): Pick<Vector, "data" | "raw" | "base64"> {
  return text === undefined ? { data: data as Json } : textMembers(text);
}

function textMembers(text: string | Uint8Array): Pick<Vector, "raw" | "base64"> {
  return typeof text === "string" ? { raw: text } : { base64: Buffer.from(text).toString("base64") };
}

/** Makes the readings of an open rule: the specification itself permits both verdicts. */
function openReadings(why = "the specification leaves it open"): NonNullable<Vector["readings"]> {
  return [
    { verdict: "valid", by: ["specification"], why },
    { verdict: "invalid", by: ["rule"] },
  ];
}

const memberOrder: readonly (keyof Vector)[] = [
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

/** Puts the members of a vector in their common order. */
function orderMembers(vector: Vector): Vector {
  return Object.fromEntries(
    memberOrder.flatMap((name) => (vector[name] === undefined ? [] : [[name, vector[name]]])),
  ) as unknown as Vector;
}
