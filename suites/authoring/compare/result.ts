import type { Json } from "../../../schemas/index.ts";

/** Who is broken: those who send what the old version accepts, or those who receive by it. */
export const parties = ["producers", "consumers"] as const;
export type Party = (typeof parties)[number];

/** Whom a comparison is about; clients of an API send bodies and parameters, and receive answers. */
export type Whom = Party | "both" | "clients";

/** A place in a schema, with file and line where these are known. */
export interface SchemaPlace {
  location: string;
  file?: string;
  line?: number;
  column?: number;
}

/**
 * What is a break only where that is wanted: a new optional parameter, which servers of the old version may ignore as well as refuse, and a `format`
 * where formats only describe.
 */
export const policies = ["added-parameter", "format"] as const;
export type Policy = (typeof policies)[number];

/** A message on which two versions of a document differ, and where that comes from; of `NAME.request` a request as a whole. */
export interface Difference {
  /** What the new version does with a message that the old one judges otherwise. */
  change: "refused" | "accepted";
  breaks: Party;
  /** By which policy it is no break unless that is wanted. */
  allowed?: Policy;
  message: Json;
  /** The message as JSON text, where it has a number that no double is. */
  text?: string;
  /** JSON Pointer to the part of it that is refused. */
  at: string;
  /** What the version that refuses it asserts, and what the other does there instead. */
  asserts: string;
  beside?: string;
  old?: SchemaPlace;
  new?: SchemaPlace;
  /** Further messages that the same assertion refuses. */
  others: Json[];
  /** Locations of assertions that refuse the message as well. */
  also: string[];
  /** What validators say of the message, where they do not all confirm the difference. */
  disputed?: string;
}

/** Result of one document. */
export interface ComparedDocument {
  name: string;
  /** `same`: proven that both accept the same. `differs`: at least one message shows it. */
  state: "same" | "differs" | "undecided" | "added" | "removed";
  differences: Difference[];
  /** Of an API: whether clients send it, or receive it, and whether they have to expect it anyway, as they have any refusal. */
  of?: "request" | "answer" | "refusal";
  /** Why it is not known whether there are messages, or more, that the new version refuses or accepts. */
  open: { refused?: string; accepted?: string };
}

/** Result of comparing two versions. */
export interface Compared {
  touchstone: string;
  old: string;
  new: string;
  /** Whom it is about. */
  for: Whom;
  documents: ComparedDocument[];
  /** What may change messages of an API, and was not compared. */
  notCompared?: string[];
  exitCode: number;
}

export const partyOf: Readonly<Record<Difference["change"], Party>> = { refused: "producers", accepted: "consumers" };

/** Differences that count: those that validators confirm. */
export function sure({ differences }: ComparedDocument): Difference[] {
  return differences.filter(({ disputed }) => disputed === undefined);
}

/** Differences that are breaks. */
export function breaking(document: ComparedDocument): Difference[] {
  return sure(document).filter(({ allowed }) => allowed === undefined);
}

/** The parties that a report is about, for one of its documents. */
export function meant({ for: whom }: Pick<Compared, "for">, { of }: ComparedDocument): readonly Party[] {
  if (whom !== "clients") return whom === "both" ? parties : [whom];
  return of === undefined || of === "request" ? ["producers"] : ["consumers"];
}

/** Whether a document breaks a party: a document that is gone those who send it, one that is new those who do not know it. */
export function breaks(document: ComparedDocument, party: Party): boolean {
  // RFC 9110, 15: clients take a refusal that they do not know for one of its class.
  if (document.of === "refusal") return false;
  if (document.state === "removed") return party === "producers";
  if (document.state === "added") return party === "consumers";
  return breaking(document).some((difference) => difference.breaks === party);
}

/** Why it is not known whether a document breaks a party; undefined where it is, and where it does so anyway. */
export function undecidedFor(document: ComparedDocument, party: Party): string | undefined {
  if (breaks(document, party)) return undefined;
  const change = party === "producers" ? "refused" : "accepted";
  const why = document.open[change];
  if (why !== undefined) return why;
  return document.differences.some((each) => each.breaks === party && each.allowed === undefined)
    ? "validators do not agree on what was found"
    : undefined;
}
