import type { Json } from "../../../schemas/index.ts";
import type { ComparedRules } from "./rules.ts";

/** The parties that a new version can break: producers if it refuses more messages, consumers if it accepts more. */
export const parties = ["producers", "consumers"] as const;
export type ComparedParty = (typeof parties)[number];

/** The parties that a comparison covers. Clients of an API send bodies and parameters, and receive answers. */
export type ComparisonAudience = ComparedParty | "both" | "clients";

/** A place in a schema, with file and line if known. */
export interface SchemaPlace {
  location: string;
  file?: string;
  line?: number;
  column?: number;
}

/** Differences that are breaking only on request: a new optional parameter, which servers of the old version may ignore or refuse, and a `format` if formats are annotations. */
export const policies = ["added-parameter", "format"] as const;
export type ComparisonPolicy = (typeof policies)[number];

/** A message on which two versions of a document disagree, and the cause; for `NAME.request` a whole request. */
export interface Difference {
  /** The verdict of the new version on a message that the old one judges differently. */
  change: "refused" | "accepted";
  breaks: ComparedParty;
  /** The policy that makes the difference non-breaking by default. */
  allowed?: ComparisonPolicy;
  message: Json;
  /** The message as JSON text, if it has a number that a double cannot hold. */
  text?: string;
  /** JSON Pointer to the refused part. */
  at: string;
  /** The assertion in the version that refuses the message, and its counterpart in the other version. */
  asserts: string;
  beside?: string;
  old?: SchemaPlace;
  new?: SchemaPlace;
  /** Further messages that the same assertion refuses. */
  others: Json[];
  /** Locations of other assertions that refuse the message as well. */
  also: string[];
  /** The verdicts of the validators on the message, if they do not all confirm the difference. */
  disputed?: string;
}

/** The result for one document. */
export interface ComparedDocument {
  name: string;
  /** `same`: both are proven to accept the same messages. `differs`: at least one message shows a difference. */
  state: "same" | "differs" | "undecided" | "added" | "removed";
  differences: Difference[];
  /** For an API: whether clients send or receive the document. A refusal is an answer that clients must expect anyway. */
  of?: "request" | "answer" | "refusal";
  /** Why it is not known whether the new version refuses or accepts (more) messages. */
  open: { refused?: string; accepted?: string };
}

/** The result of comparing two versions. */
export interface VersionComparison {
  touchstone: string;
  old: string;
  new: string;
  /** The parties that the comparison covers. */
  for: ComparisonAudience;
  documents: ComparedDocument[];
  /** The rules of two packs. */
  rules?: ComparedRules;
  /** Parts that may change messages of an API and were not compared. */
  notCompared?: string[];
  exitCode: number;
}

export const partyOf: Readonly<Record<Difference["change"], ComparedParty>> = {
  refused: "producers",
  accepted: "consumers",
};

/** Differences that the validators confirm: only these count. */
export function provenDifferences({ differences }: ComparedDocument): Difference[] {
  return differences.filter(({ disputed }) => disputed === undefined);
}

/** Differences that are breaking. */
export function breakingDifferences(document: ComparedDocument): Difference[] {
  return provenDifferences(document).filter(({ allowed }) => allowed === undefined);
}

/** The parties that a report covers, for one of its documents. */
export function comparedPartiesOf(
  { for: audience }: Pick<VersionComparison, "for">,
  { of }: ComparedDocument,
): readonly ComparedParty[] {
  if (audience !== "clients") return audience === "both" ? parties : [audience];
  return of === undefined || of === "request" ? ["producers"] : ["consumers"];
}

/** Whether a document breaks a party: a removed document breaks its senders, and a new one breaks receivers that do not know it. */
export function breaks(document: ComparedDocument, party: ComparedParty): boolean {
  // RFC 9110, 15: clients treat an unknown status as the first of its class.
  if (document.of === "refusal") return false;
  if (document.state === "removed") return party === "producers";
  if (document.state === "added") return party === "consumers";
  return breakingDifferences(document).some((difference) => difference.breaks === party);
}

/** Why it is unknown whether a document breaks a party. Undefined if it is known, or if a proven difference breaks the party anyway. */
export function undecidedFor(document: ComparedDocument, party: ComparedParty): string | undefined {
  if (breaks(document, party)) return undefined;
  const change = party === "producers" ? "refused" : "accepted";
  const why = document.open[change];
  if (why !== undefined) return why;
  return document.differences.some((difference) => difference.breaks === party && difference.allowed === undefined)
    ? "validators do not agree on the found message"
    : undefined;
}
