/** Names of a parent and the pack's names for them. Each is replaced as a whole, all at once. */
export interface Renames {
  /** Beginnings of rule ids. */
  ids?: Record<string, string>;
  /** Members of messages, at any place. */
  members?: Record<string, string>;
  /** Headers, in any case of letters. */
  headers?: Record<string, string>;
  /** Paths of servers, and the paths below them. */
  paths?: Record<string, string>;
  /** Parts of texts, such as the beginning of each `$id`. */
  texts?: Record<string, string>;
}

/** Rules of a parent that are inherited as statements alone, since a rename changes the meaning of their messages, and why. */
export interface StatedOnly {
  why: string;
  /** Ids as the parent has them. */
  rules: string[];
}

/** The pack that another one extends, as a profile names it. */
export interface ExtendsFile {
  /** A protocol of ours (`NAME` or `NAME@VERSION`), or the folder of a pack, relative to the profile. */
  pack: string;
  rename?: Renames;
  /** The parts of the parent that the pack does not have, by the parent's names. */
  gone?: { rules?: string[]; documents?: string[]; readings?: string[] };
  stated?: StatedOnly[];
}
