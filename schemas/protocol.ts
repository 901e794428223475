import type { JsonObject } from "./json.ts";
import type { Profile } from "./profile.ts";
import type { Rule } from "./rule.ts";

/** A protocol with everything that is known of it as data. */
export interface Protocol {
  name: string;
  version: string;
  folder: string;
  profile: Profile;
  rules: Rule[];
  /** The schema of every document, in the profile's order, and then what they refer to. */
  schemas: JsonObject[];
  /** A pack of somebody's own: its vectors lie in its folder, and its schemas may have what no validator of ours is strict about. */
  foreign?: true;
  /** What commands call it, where that is not its folder: the document of which it was made without being asked for. */
  called?: string;
}
