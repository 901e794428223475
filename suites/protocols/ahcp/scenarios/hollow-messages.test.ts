import { expect, it } from "vitest";
import { type Credential, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

const scenarios = allScenarios.filter(({ name }) => name === "hollow-key");

/** The results of three runs against a hub to which these agents have already sent a message with the empty key. */
async function outcomesAfterUse(users: ("a" | "b")[]): Promise<[outcome: string, why: string | undefined][]> {
  const { setting, close } = await hubEnvironment();
  const results = [];
  try {
    for (const user of users) {
      const { agent, token, apikey } = (setting.credentials as Record<string, Credential>)[user] as Credential;
      const credentialHeaders =
        token === undefined ? { "x-api-key": `${apikey}` } : { authorization: `Bearer ${token}` };
      const message = {
        ahcp_version: "0.3",
        type: "ask",
        created_at: "2026-01-15T09:30:00Z",
        title: "Another",
        agent: { id: agent, run_id: "run", runtime: "other" },
        idempotency_key: "",
        request: { mode: "confirm" },
      };
      const { status } = await fetch(`${setting.url}/v1/messages`, {
        method: "POST",
        headers: { ...credentialHeaders, "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      expect(status).toBe(202);
    }
    for (const seed of [1, 2, 3])
      results.push(...(await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed })));
    return results.map(({ outcome, why }) => [outcome, why]);
  } finally {
    await close();
  }
}

it.each([[[]], [["a"]]] as ["a"[]][])(
  "tests the empty key in every run if only agents %j used it before",
  async (users) => {
    expect(await outcomesAfterUse(users)).toEqual(Array(3).fill(["conforms", undefined]));
  },
);

it("skips the rule if every agent has used the empty key before", async () => {
  const why = "the empty key was used before, by a vector or in an earlier run";
  expect(await outcomesAfterUse(["a", "b"])).toEqual(Array(3).fill(["skipped", why]));
});
