import type { Twin } from "../variant.ts";
import type { Policy } from "./policy.ts";

/** Producers that break no rule, and use the freedoms that the protocol leaves. */
export const producerTwins: readonly Twin<Policy>[] = [
  {
    name: "strict",
    freedoms: ["status-of-ignored-replies", "status-of-malformed-replies", "questions-to-the-mute"],
    policy: {
      answerTo: (objection) =>
        objection === "authentication"
          ? { status: 401 }
          : { status: 400, body: { error: "ignored", message: "the reply was not taken" } },
    },
  },
];
