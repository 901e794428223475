import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type {
  Arrival,
  Callback,
  HttpReply,
  JsonObject,
  Scenario,
  ScenarioContext,
  ScenarioFinding,
} from "../../../../schemas/index.ts";
import { destinations } from "./destinations.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type PushesTo = (host: string, agent: string) => boolean;

/** A simulated hub that pushes this many real milliseconds after an outcome, even if its clock is moved. `pushesTo` decides to which hosts. */
function hubWith(delayMs: number, pushesTo: PushesTo): { context: ScenarioContext; findings: ScenarioFinding[] } {
  const findings: ScenarioFinding[] = [];
  const callbacks: Callback[] = [];
  const messages: JsonObject[] = [];
  let freshCount = 0;
  const reply = (status: number, json: JsonObject): HttpReply => ({
    status,
    headers: {},
    text: JSON.stringify(json),
    json,
    exchange: {} as never,
    at: 0,
  });
  const push = (message: JsonObject): void => {
    const { callback } = message.request as { callback?: { url: string } };
    if (callback === undefined) return;
    const [, host = "", index = ""] = /^http:\/\/(.*)\/(\d+)$/.exec(callback.url) ?? [];
    const headers: Record<string, string> = { authorization: "Bearer known" };
    const arrival = { method: "POST", target: "/", headers, body: Buffer.from("{}"), reaction: 200, at: 0 };
    const { arrivals } = callbacks[Number(index)] as Callback;
    if (pushesTo(host, String((message.agent as JsonObject).id)))
      setTimeout(() => (arrivals as Arrival[]).push(arrival), delayMs);
  };
  const context: Partial<ScenarioContext> = {
    async send({ method, path, body }) {
      if (path.startsWith("/.well-known")) return reply(404, {});
      if (method !== "POST") return reply(200, { status: messages[Number(path.slice(-1))]?.status ?? "open" });
      messages.push({ ...(body as JsonObject) });
      return reply(202, { id: `msg_${messages.length - 1}`, status: "open" });
    },
    async hook(name, { id, resolution }) {
      if (name !== "resolve") return { token_ref: "vault://token", token: "known" };
      const message = messages[Number(String(id).slice(4))] as JsonObject;
      message.status = resolution as string;
      push(message);
      return { applied: true, status: 200 };
    },
    async callback() {
      const callback = { url: `http://127.0.0.1/${callbacks.length}`, arrivals: [], come: async () => false };
      callbacks.push(callback);
      return callback;
    },
    async come({ arrivals }, count, milliseconds) {
      for (const end = performance.now() + milliseconds; arrivals.length < count && performance.now() < end; )
        await new Promise((resolve) => setTimeout(resolve, 50));
      return arrivals.length >= count;
    },
    has: () => true,
    expect: (rule, holds, why, level) =>
      void findings.push({ rule, outcome: holds ? "conforms" : level === "SHOULD" ? "warns" : "violates", why }),
    skip: (rule, why) => void findings.push({ rule, outcome: "skipped", why }),
    fresh: (text) => `${text}-${++freshCount}`,
    pass: async () => {},
    agents: { a: "a", b: "b" },
    setting: {},
  };
  return { context: context as ScenarioContext, findings };
}

async function worstFinding(name: string, delayMs: number, serves: PushesTo): Promise<ScenarioFinding | undefined> {
  const { context, findings } = hubWith(delayMs, serves);
  const { play } = destinations.find((destination) => destination.name === name) as Scenario;
  const pendingPlay = play(context);
  await vi.runAllTimersAsync();
  await pendingPlay;
  return findings.find(({ outcome }) => outcome !== "conforms") ?? findings[0];
}

it.each([0, 2000, 8000])("reports a token sent to an unbound host even if pushes are %d ms late", async (delayMs) => {
  const onlyBoundHost: PushesTo = (host) => host === "agent.localhost";
  expect(await worstFinding("destinations-look-alikes", delayMs, onlyBoundHost)).toMatchObject({ outcome: "conforms" });
  const alsoSubdomain: PushesTo = (host) => host === "agent.localhost" || host === "sub.agent.localhost";
  expect(await worstFinding("destinations-look-alikes", delayMs, alsoSubdomain)).toMatchObject({ outcome: "violates" });
  const onlyForOwner: PushesTo = (host, agent) => host === "only-a.localhost" && agent === "a";
  expect(await worstFinding("destinations-others-hosts", delayMs, onlyForOwner)).toMatchObject({ outcome: "conforms" });
  const forAnyAgent: PushesTo = (host) => host === "only-a.localhost";
  expect(await worstFinding("destinations-others-hosts", delayMs, forAnyAgent)).toMatchObject({ outcome: "violates" });
});

it("only warns if a hub sends tokens to any host, and explains that it may be in development", async () => {
  const why = expect.stringContaining("a hub in development may relax its checks of callbacks (AHCP-SSR-006)");
  expect(await worstFinding("destinations-look-alikes", 0, () => true)).toMatchObject({ outcome: "warns", why });
  expect(await worstFinding("destinations-others-hosts", 0, () => true)).toMatchObject({ outcome: "skipped", why });
});

it("skips if no token reaches the bound host, and reports how long it waited", async () => {
  const why =
    "no token reached agent.localhost within 120 s of the outcome, although the host was made the agent's: check that the hub looks it up as the loopback interface";
  expect(await worstFinding("destinations-look-alikes", 0, () => false)).toMatchObject({ outcome: "skipped", why });
});
