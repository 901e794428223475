import type { Capability, Json, TextIssue } from "../../schemas/index.ts";
import type { Layout } from "./text.ts";

/** A valid vector from which texts are made. */
export interface RawParent {
  id: string;
  value: Json;
  /** The text without white space, and the places of its parts. */
  layout: Layout;
}

/** The place of one value in a parent's text, with the text before and after it. */
export interface Spot {
  parent: RawParent;
  at: string;
  value: Json;
  before: string;
  after: string;
}

/** The input of a family: one document's valid vectors. */
export interface RawContext {
  /** The vector with the fewest members. */
  minimal: RawParent;
  /** JSON Pointer to the member that distinguishes the document from others, and the values of the others. */
  discriminator: { at: string; others: readonly string[] } | undefined;
  /** Whether this is the protocol's first document. Very large texts are published only for this one. */
  isFirstDocument: boolean;
  /** Whether an earlier document with the same reader has all texts. Then fewer are enough here, because parsing does not depend on the document. */
  isReadAgain: boolean;
  /** The number of nested levels that every reader must accept, if the protocol states it. RFC 8259 lets readers set their own limit. */
  requiredLevels: number | undefined;
  accepts(value: Json): boolean;
  /** Finds the first place with a value that passes the test. */
  find(test: (value: Json, at: string, spot: Spot) => boolean): Spot | undefined;
  /** Finds the first place at which all `fitting` values would be valid, and none of the `unfit` ones. */
  spot(fitting: readonly Json[], unfit?: readonly Json[]): Spot | undefined;
  /** Finds a different value that would be valid at a location of a parent, from the valid vectors. */
  otherValue(parent: RawParent, at: string): Json | undefined;
}

/** A proposed text, or bytes if it is not text. Its verdict follows from the issue. */
export interface RawProposal {
  parent: RawParent;
  /** The part of the id that distinguishes the texts of one family. */
  detail: string;
  /** A further part of the id, such as the name of a member, if several texts have the same detail. */
  detailSuffix?: string;
  text: string | Uint8Array;
  /** A description, as a clause that follows "the text". */
  says: string;
  issue: TextIssue;
  /** The clause of a specification, such as `RFC 8259, 4`, if the issue does not imply it. */
  clause?: string;
  at?: string;
  needs?: Capability[];
  tags?: string[];
}

/** A family of similar texts: malformed ones, or other spellings of the same value. */
export interface RawFamily {
  name: string;
  /** Whether the texts depend on the members of a document, so that each document needs its own. */
  dependsOnMembers?: true;
  propose(context: RawContext): Iterable<RawProposal>;
}
