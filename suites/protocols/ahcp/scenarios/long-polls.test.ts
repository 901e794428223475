import { expect, it } from "vitest";
import {
  type HttpReply,
  type JsonObject,
  protocolNamed,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { longPolls } from "./long-polls.ts";

/** The findings about a simulated hub. While a read waits, a locked hub does not answer other requests. */
async function findingsFor(isHubLocked: boolean): Promise<string[]> {
  const findings: string[] = [];
  let status = "open";
  const heldReplies: ((reply: HttpReply) => void)[] = [];
  const release = (): void => {
    for (const answer of heldReplies.splice(0)) answer(message());
  };
  const reply = (code: number, json: JsonObject): HttpReply =>
    ({ status: code, headers: {}, text: JSON.stringify(json), json, at: performance.now() }) as never;
  const message = (): HttpReply => reply(200, { id: "msg_1", status, ...(status === "open" ? {} : { response: {} }) });
  const context: Partial<ScenarioContext> = {
    agents: { a: "a" },
    setting: {},
    fresh: (text) => text,
    has: () => false,
    expect: (rule, holds, why) => void (holds || findings.push(`${rule}: ${why}`)),
    send({ method, path }) {
      if (path.includes("wait=")) return new Promise((resolve) => void heldReplies.push(resolve));
      if (method === "POST" && !path.endsWith("/cancel")) return Promise.resolve(reply(202, { id: "msg_1", status }));
      if (isHubLocked) release();
      if (isHubLocked) return Promise.reject(new TargetFailure("timed-out", "answer", "no answer in time"));
      if (method === "POST") status = "cancelled";
      if (method === "POST") release();
      return Promise.resolve(method === "POST" ? reply(200, { id: "msg_1", status }) : message());
    },
  };
  const scenario = longPolls.find(({ name }) => name === "reading-wait-cancelled") as Scenario;
  await scenario.play(context as ScenarioContext);
  return findings;
}

it("reports a hub that does not answer other requests while a read waits", async () => {
  expect(await findingsFor(true)).toEqual(["AHCP-GET-007: while a read waits, the hub does not answer other requests"]);
  expect(await findingsFor(false)).toEqual([]);
});

it("reports the read that should have waited as the last exchange", async () => {
  const { setting, close } = await hubEnvironment({ policy: { secondsToWait: () => 0 } });
  try {
    const scenarios = longPolls.filter(({ name }) => name === "reading-wait-cancelled");
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    const result = results.find(({ rule }) => rule === "AHCP-GET-007");
    expect(result?.why).toBe("a read that waits 15 seconds is answered immediately, while the ask is open");
    expect(result?.exchanges?.at(-1)?.request.url).toMatch(/\?wait=15$/);
  } finally {
    await close();
  }
});
