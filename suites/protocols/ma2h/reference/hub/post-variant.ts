import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { HubPolicy } from "../../../ahcp/reference/hub/hub.ts";
import type { PostDecisions } from "./post-decisions.ts";

/** A hub that breaks a rule about sessions or mailboxes. */
export interface PostVariant extends MistakenParty {
  post: Partial<PostDecisions>;
  policy?: Partial<HubPolicy>;
}

/** Hubs that break a rule, by the suffixes of their names. */
export function breaks(
  rule: string,
  mistakes: Mistakes<Partial<PostDecisions>, Pick<PostVariant, "policy">>,
): PostVariant[] {
  return variantsOf("post", `MA2H-${rule}`, mistakes);
}
