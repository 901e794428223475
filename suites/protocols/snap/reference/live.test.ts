import { afterEach, describe, expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { keyB } from "../rules/keys.ts";
import { scenarios } from "../scenarios/index.ts";
import { live } from "./live.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(options: Parameters<typeof live.serve>[0]): Promise<string> {
  const { url, close } = await live.serve(options);
  closers.push(close);
  return url;
}

async function callHook(url: string, name: string, body: string): Promise<[status: number, answer: unknown]> {
  const answer = await fetch(`${url}/operator/${name}`, { method: "POST", body });
  return [answer.status, await answer.json()];
}

describe("a served agent", () => {
  it("serves its card, and carries out its hooks over HTTP", async () => {
    const url = await serve({});
    const card = await (await fetch(`${url}/.well-known/snap-agent.json`)).json();
    expect(card).toMatchObject({ card: { identity: keyB.address.main }, publicKey: keyB.output });
    expect(await callHook(url, "handled", "{}")).toEqual([200, { count: 0 }]);
    const [, clockBefore] = await callHook(url, "clock", "");
    const [, clockAfter] = await callHook(url, "clock", '{"advanceMs": 3600000}');
    const timeOf = (answer: unknown): number => Date.parse((answer as { now: string }).now);
    expect(timeOf(clockAfter) - timeOf(clockBefore)).toBeGreaterThanOrEqual(3_600_000);
  });

  it("explains why it refuses a call of a hook", async () => {
    const url = await serve({});
    expect(await callHook(url, "nothing", "{}")).toEqual([404, { error: 'unknown operation "nothing"' }]);
    expect(await callHook(url, "clock", "{")).toEqual([400, { error: expect.stringContaining("body:1:2") }]);
    expect(await callHook(url, "clock", "[]")).toEqual([
      400,
      { error: expect.stringContaining("body: not a JSON object") },
    ]);
  });

  it("can be a variant of the reference, and rejects an unknown variant", async () => {
    const url = await serve({ variant: "without-SNAP-ENV-014" });
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

describe("a served requester", () => {
  it("is controlled by hooks over HTTP", async () => {
    const url = await serve({ side: "requester" });
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
