import type { LiveChoice } from "../../../../../schemas/index.ts";
import type { PostDecisions } from "./post-decisions.ts";

/** A freedom that AHCP does not have, and the decisions that it replaces. */
export interface PostChoice extends LiveChoice {
  post: Partial<PostDecisions>;
}

export const postChoices: readonly PostChoice[] = [
  {
    name: "lets-no-agents-write",
    kind: "freedom",
    freedoms: [],
    says: "does not let agents write to each other",
    post: { offersMail: false },
  },
];
