import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/index.ts";
import { live } from "../../reference/live.ts";
import { tasks } from "./tasks.ts";

/** Starts a proxy that forwards requests, but cancellations only after a delay. */
async function startProxy(target: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (body.includes('"tasks/cancel"')) await sleep(400);
    const { "content-type": type = "application/json" } = request.headers;
    const answer = await fetch(new URL(request.url ?? "/", target), {
      method: request.method ?? "POST",
      headers: { "content-type": type },
      ...(body.length === 0 ? {} : { body }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { pathname } = new URL(target);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
  return { url, close: () => server.closeAllConnections() ?? server.close() };
}

it("does not accuse a correct agent that has already forgotten a task when a late cancellation arrives", async () => {
  const choices = ["http-alone", "without-card", "cancels-nothing", "forgets-what-is-over", "finishes-after-100"];
  const { setting, close } = await live.open({ side: "agent", choices });
  const proxy = await startProxy(setting.url as string);
  const scenarios = tasks.filter(({ name }) => name === "tasks-cancelled");
  try {
    const proxiedSetting = { ...setting, url: proxy.url };
    const results = await playScenarios({
      protocol: protocolNamed("snap"),
      scenarios,
      setting: proxiedSetting,
      seed: 1,
    });
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ outcome }) => outcome === "violates").map(({ rule, why }) => [rule, why])).toEqual([]);
  } finally {
    proxy.close();
    await close();
  }
});
