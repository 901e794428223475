/** Maps the parent's names to the pack's names. Only whole names are replaced, all in one pass. */
export interface Renames {
  /** Prefixes of rule ids. */
  ids?: Record<string, string>;
  /** Members of messages, at any depth. */
  members?: Record<string, string>;
  /** Headers, in upper or lower case. */
  headers?: Record<string, string>;
  /** Paths of servers, and the paths below them. */
  paths?: Record<string, string>;
  /** Parts of texts, such as the beginning of each `$id`. */
  texts?: Record<string, string>;
}

/** Rules of a parent that are inherited only as statements, without cases, since a rename changes the meaning of their messages. */
export interface StatedOnly {
  why: string;
  /** Ids of the parent's rules, by the parent's names. */
  rules: string[];
}

/** The pack that another one extends, as a profile names it. */
export interface ExtendsFile {
  /** A built-in protocol (`NAME` or `NAME@VERSION`), or the folder of a pack, relative to the profile. */
  pack: string;
  rename?: Renames;
  /** The parts of the parent that the pack removes, by the parent's names. */
  gone?: { rules?: string[]; documents?: string[]; readings?: string[] };
  stated?: StatedOnly[];
}
