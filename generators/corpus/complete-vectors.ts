import {
  type Document,
  inexactIn,
  isObject,
  type Json,
  type RuledProtocol,
  type Vector,
  type VectorKind,
} from "../../schemas/index.ts";
import { decidingFormats } from "../evaluate/deciding-formats.ts";
import { keywordAt } from "../evaluate/sites.ts";
import { type Model, nodeAt } from "../model/model.ts";
import { contentOf } from "../rules/content.ts";
import { rulesRefusing } from "../rules/rule-breaches.ts";
import { withReadingIds } from "./reading-ids.ts";

/** Adds derived members to all vectors of a document: formats, further broken rules, the need for numbers beyond 64 bits, a tag for U+0000, and ids of readings. */
export function completeVectors(
  protocol: RuledProtocol,
  document: Document,
  model: Model,
  vectors: Readonly<Record<VectorKind, Vector[]>>,
): Record<VectorKind, Vector[]> {
  const complete = (vector: Vector): Vector => {
    const steps = [
      (incomplete: Vector) => withFormat(model, incomplete),
      (incomplete: Vector) => withAlsoBroken(protocol, document, incomplete),
      withBigNumbers,
      tagNul,
      (incomplete: Vector) => withReadingIds(protocol, incomplete),
    ];
    return steps.reduce((completed, add) => add(completed), vector);
  };
  return Object.fromEntries(
    Object.entries(vectors).map(([kind, vectorsOfKind]) => [kind, vectorsOfKind.map(complete)]),
  ) as Record<VectorKind, Vector[]>;
}

/** Adds the format that the vector is about or that decides its verdict, if there is one. */
function withFormat(model: Model, vector: Vector): Vector {
  const format = formatOf(model, vector);
  if (format === undefined) return vector;
  const { tags, ...rest } = vector;
  return { ...rest, format, tags };
}

function formatOf(model: Model, vector: Vector): Vector["format"] {
  const ownFormat = vector.site === undefined ? undefined : formatAt(model, vector.site);
  if (ownFormat !== undefined) return ownFormat;
  if (!vector.needs.includes("format-assertion")) return undefined;
  const { value } = contentOf(vector);
  const formats = value === undefined ? [] : decidingFormats(model, value);
  return formats.length > 1 ? formats : formats[0];
}

function formatAt(model: Model, site: string): string | undefined {
  const step = keywordAt(model, site);
  if (step?.kind !== "format") return undefined;
  const keyword = nodeAt(model, step.node).keywords.find((each) => each.site === step.site);
  return keyword?.kind === "format" ? keyword.format : undefined;
}

/** Lists the rules, of any level, that an invalid vector breaks besides its main fault. An implementation that enforces them refuses it anyway. */
export function alsoBrokenBy(protocol: RuledProtocol, document: Document, vector: Vector): string[] {
  if (vector.valid !== false) return [];
  const inexact = inexactIn(protocol, vector.data);
  const allRules = [...rulesRefusing(protocol, document, vector), ...(inexact === undefined ? [] : [inexact])];
  return [...new Set(allRules)].filter((rule) => rule !== vector.rule);
}

function withAlsoBroken(protocol: RuledProtocol, document: Document, vector: Vector): Vector {
  const furtherRules = alsoBrokenBy(protocol, document, vector);
  if (furtherRules.length === 0) return vector;
  const entries = Object.entries(vector);
  const insertionIndex = entries.findIndex(([name]) => lateMembers.has(name));
  return Object.fromEntries([
    ...entries.slice(0, insertionIndex),
    ["alsoBreaks", furtherRules],
    ...entries.slice(insertionIndex),
  ]) as unknown as Vector;
}

/** The members that follow `alsoBreaks` in the file. */
const lateMembers: ReadonlySet<string> = new Set(["site", "at", "involves", "fault", "parent", "change", "needs"]);

const maxInt64 = 2n ** 63n - 1n;

/** Marks a vector that needs a reader of integers beyond 64 bits. */
function withBigNumbers(vector: Vector): Vector {
  const { data, raw, needs } = vector;
  const needsBigNumbers = data === undefined ? raw !== undefined && hasBigNumeral(raw) : containsBigInteger(data);
  return !needsBigNumbers || needs.includes("big-numbers") ? vector : { ...vector, needs: [...needs, "big-numbers"] };
}

/** Whether a value contains an integer above 2^63 - 1 or below -(2^63 - 1). */
export function containsBigInteger(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && exceeds64Bits(BigInt(value));
  return typeof value === "object" && value !== null && Object.values(value).some(containsBigInteger);
}

function exceeds64Bits(integer: bigint): boolean {
  return integer > maxInt64 || integer < -maxInt64;
}

/** Whether a JSON text contains an integer beyond 64 bits outside its strings, in any notation. */
export function hasBigNumeral(text: string): boolean {
  const textWithoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  return [...textWithoutStrings.matchAll(/-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g)].some(([numeral]) =>
    isBigNumeral(numeral),
  );
}

function isBigNumeral(numeral: string): boolean {
  if (/^-?[0-9]+$/.test(numeral)) return exceeds64Bits(BigInt(numeral));
  const value = Number(numeral);
  return Number.isInteger(value) ? exceeds64Bits(BigInt(value)) : Math.abs(value) === Number.POSITIVE_INFINITY;
}

/** Tags a vector that contains U+0000. A reader for which strings end there, as in C, reads a different message. */
function tagNul(vector: Vector): Vector {
  const { data, raw, base64, tags } = vector;
  const text = raw ?? (base64 === undefined ? "" : Buffer.from(base64, "base64").toString("latin1"));
  const containsNul = data === undefined ? /\u0000|\\u0000/.test(text) : hasNul(data);
  return containsNul ? { ...vector, tags: [...tags, "nul"] } : vector;
}

function hasNul(value: Json): boolean {
  if (typeof value === "string") return value.includes("\u0000");
  if (Array.isArray(value)) return value.some(hasNul);
  return isObject(value) && Object.entries(value).some(([name, member]) => name.includes("\u0000") || hasNul(member));
}
