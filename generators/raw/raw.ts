import type { Capability, Json, TextIssue } from "../../schemas/index.ts";
import type { Layout } from "./text.ts";

/** A valid vector whose text is changed. */
export interface RawParent {
  id: string;
  value: Json;
  /** Without white space. */
  layout: Layout;
}

/** The place of one value in a parent's text, with what stands before and after it. */
export interface Spot {
  parent: RawParent;
  at: string;
  value: Json;
  before: string;
  after: string;
}

/** What a family works with: one document's valid vectors. */
export interface RawContext {
  /** The one with the fewest members. */
  minimal: RawParent;
  /** JSON Pointer of the member that tells the document from others, and values of it that belong to others. */
  discriminator: { at: string; others: readonly string[] } | undefined;
  /** Whether this is the protocol's first document: what is too large to be published for each is published for this one. */
  first: boolean;
  /** Whether an earlier document is read where this one is, and has all texts: how a text is read does not depend on what it says. Never of somebody's own documents, whose sets stand alone. */
  again: boolean;
  /** How many levels of nesting no reader may refuse, where the protocol says so: RFC 8259 lets a reader set its own limit. */
  levels: number | undefined;
  accepts(value: Json): boolean;
  /** The first place with such a value. */
  find(test: (value: Json, at: string, spot: Spot) => boolean): Spot | undefined;
  /** The first place where each of these values would be valid, and none of the others. */
  spot(fitting: readonly Json[], unfit?: readonly Json[]): Spot | undefined;
  /** Another value, from the valid vectors, that would be valid there. */
  other(parent: RawParent, at: string): Json | undefined;
}

/** One text to run, or bytes where it is not text. What is to be made of it follows from the issue. */
export interface RawProposal {
  parent: RawParent;
  /** Distinguishes siblings of one family, as the last part of the id. */
  detail: string;
  /** The member concerned, where a detail has several: one more part of the id. */
  of?: string;
  text: string | Uint8Array;
  /** What is special, as a clause after "the text". */
  says: string;
  issue: TextIssue;
  /** Where it is written, when the issue alone does not tell: `RFC 8259, 4`. */
  clause?: string;
  at?: string;
  needs?: Capability[];
  tags?: string[];
}

/** A family of texts: ways to be no JSON, or to write the same value down otherwise. */
export interface RawFamily {
  name: string;
  /** It is about members of a document, so that no other document answers for it. */
  ofMembers?: true;
  propose(context: RawContext): Iterable<RawProposal>;
}
