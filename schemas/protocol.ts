import type { ExtendsFile } from "./extension.ts";
import type { JsonObject } from "./json.ts";
import type { Profile } from "./profile.ts";
import type { Rule } from "./rule.ts";

/**
 * Who may name a folder from which code is loaded: the command line or the caller of a function (`given`), or the configuration of a command
 * that runs a target (`configured`). Reports, recordings, certificates, ids and working folders may not.
 */
export type CodeSource = "given" | "configured";

/** A protocol with all of its data. */
export interface Protocol {
  name: string;
  version: string;
  folder: string;
  profile: Profile;
  rules: Rule[];
  /** The schema of every document, in the profile's order, then the schemas that they refer to. */
  schemas: JsonObject[];
  /** The pack that it extends: its rules, documents and schemas are among those above. */
  extends?: Extension;
  /** A user's pack: its vectors are in its folder, and its schemas may have keywords that our validators do not check strictly. */
  foreign?: true;
  /** The party that named the folder of such a pack, which decides whether its code may be loaded; if absent, its code is never loaded. */
  code?: CodeSource;
  /** Its name in commands, if it is not the folder: the document from which the pack was made implicitly. */
  called?: string;
}

/** The pack that another extends, loaded, and the changes to it. */
export interface Extension extends Omit<ExtendsFile, "pack"> {
  parent: Protocol;
  /** Rules of the parent, by its ids, with scenarios only in code: such code uses the names of the parent, and is not inherited. */
  played?: readonly string[];
}
