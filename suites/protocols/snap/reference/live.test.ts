import { afterEach, describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { keyB } from "../rules/keys.ts";
import { scenarios } from "../scenarios/index.ts";
import { live } from "./live.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function served(options: Parameters<typeof live.serve>[0]): Promise<string> {
  const { url, close } = await live.serve(options);
  closing.push(close);
  return url;
}

async function operate(url: string, name: string, body: string): Promise<[status: number, answer: unknown]> {
  const answer = await fetch(`${url}/operator/${name}`, { method: "POST", body });
  return [answer.status, await answer.json()];
}

describe("an agent at the terminal", () => {
  it("serves its card, and follows the operator's commands", async () => {
    const url = await served({});
    const card = await (await fetch(`${url}/.well-known/snap-agent.json`)).json();
    expect(card).toMatchObject({ card: { identity: keyB.address.main }, publicKey: keyB.output });
    expect(await operate(url, "handled", "{}")).toEqual([200, { count: 0 }]);
    const [, before] = await operate(url, "clock", "");
    const [, after] = await operate(url, "clock", '{"advanceMs": 3600000}');
    const time = (answer: unknown): number => Date.parse((answer as { now: string }).now);
    expect(time(after) - time(before)).toBeGreaterThanOrEqual(3_600_000);
  });

  it("explains the fault of an operation", async () => {
    const url = await served({});
    expect(await operate(url, "nothing", "{}")).toEqual([404, { error: 'unknown operation "nothing"' }]);
    expect(await operate(url, "clock", "{")).toEqual([400, { error: expect.stringContaining("body:1:2") }]);
    expect(await operate(url, "clock", "[]")).toEqual([
      400,
      { error: expect.stringContaining("body: not a JSON object") },
    ]);
  });

  it("plays any variant of the reference, and rejects an unknown variant", async () => {
    const url = await served({ variant: "without-SNAP-ENV-014" });
    const answer = await fetch(`${url}/snap`, {
      method: "POST",
      body: "{",
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(400);
    await expect(live.serve({ variant: "nobody" })).rejects.toMatchObject({ kind: "usage" });
    await expect(live.open({ side: "requester", variant: "nobody" })).rejects.toMatchObject({ kind: "usage" });
  });
});

describe("a requester at the terminal", () => {
  it("is controlled by hooks over HTTP", async () => {
    const url = await served({ side: "requester" });
    const names = ["send", "stream", "discover", "find", "mail"];
    const hooks = Object.fromEntries(names.map((name) => [name, { http: { url: `${url}/operator/${name}` } }]));
    const protocol = protocolNamed("snap");
    const requesterScenarios = ofSide(protocol, scenarios, "requester").filter(({ name }) =>
      /^(?:requests-(?:http|version)|taking-stranger|following-plain|finding)/.test(name),
    );
    const results = await playScenarios({
      protocol,
      scenarios: requesterScenarios,
      setting: { side: "requester", hooks },
      seed: 3,
    });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.length).toBeGreaterThan(9);
  });
});
