import type { Json, JsonObject, KindMembers, KnownMistake, TimeoutMember, TokenMember } from "../../schemas/index.ts";

/** A document that differs from the tested one by one member, or shares a carrier with it. */
export interface OtherKind {
  document: string;
  title: string;
  /** The members of the document with valid values. */
  members: ReadonlyMap<string, Json>;
  /** The instance with the most members. */
  fullest: JsonObject;
}

/** The facts about a document, from its profile, that the named families need. */
export interface DocumentFacts {
  title: string;
  timeouts: readonly TimeoutMember[];
  tokens: readonly TokenMember[];
  kinds: readonly KindMembers[];
  mistakes: readonly KnownMistake[];
  /** Documents that it may be confused with. */
  others: readonly OtherKind[];
  /** Values of members, by JSON Pointer, that select the document. */
  selector: Readonly<Record<string, Json>>;
  /** Whether undeclared members are accepted. */
  isOpen: boolean;
  /** One token for each kind of token in the protocol's samples. */
  kin: readonly string[];
}
