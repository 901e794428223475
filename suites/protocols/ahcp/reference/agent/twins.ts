import { createHmac } from "node:crypto";
import { equal, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentPolicy } from "./policy.ts";

/** An agent that keeps every rule in another way than the reference does. */
export interface AgentTwin {
  name: string;
  policy: Partial<AgentPolicy>;
}

/** Known to this agent alone, as long as it is tested. */
const key = "the seal of an agent in a test";

/** What the agent has to know of its message when the outcome comes, in a form that nobody else can make. */
function sealed(id: string): JsonObject {
  return { message: id, seal: createHmac("sha256", key).update(id).digest("base64url") };
}

export const agentTwins: readonly AgentTwin[] = [
  { name: "stateless", policy: { opens: ({ state }) => state === undefined } },
  {
    name: "sealing",
    policy: {
      seals: sealed,
      opens: ({ state }) => isObject(state) && equal(state, sealed(String(state.message))),
    },
  },
];
