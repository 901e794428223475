import { placedAssertion } from "../../schemas/index.ts";
import type { RenderOptions } from "./format.ts";
import type { Group } from "./group.ts";

/** What a group of results is called: a rule by its id, an assertion by where it stands in the user's file, where that is known. */
export function headingOf({ name, site }: Group, sourceOf: RenderOptions["sourceOf"]): string {
  const source = site === undefined ? undefined : sourceOf?.(site);
  return site === undefined || source === undefined ? name : placedAssertion(site, source);
}
