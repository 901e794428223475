import { type AddressInfo, connect, createServer } from "node:net";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");

/** Starts a relay to a server, which opens each connection after a delay. */
async function startSlowRelay(url: string, milliseconds: number) {
  const { hostname, port } = new URL(url);
  const proxy = createServer((clientSocket) => {
    clientSocket.on("error", () => {});
    setTimeout(() => {
      const serverSocket = connect(Number(port), hostname);
      serverSocket.on("error", () => clientSocket.destroy());
      clientSocket.on("close", () => serverSocket.destroy());
      clientSocket.pipe(serverSocket).pipe(clientSocket);
    }, milliseconds);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}

async function playResumption(...choices: string[]): Promise<unknown[]> {
  const { setting, close } = await live.open({ side: "producer", choices, timeScale: 0.2 });
  const relay = await startSlowRelay(String(setting.url), 300);
  try {
    const results = await playScenarios({
      protocol,
      scenarios: scenarios.filter(({ name }) => name === "resumed"),
      setting: { ...setting, url: relay.url, timeScale: 0.2, bounds: { event: 2 } },
      seed: 7,
      holdsExchanges: false,
    });
    return results.map(({ rule, outcome, why }) => [rule, outcome, why]);
  } finally {
    relay.close();
    await close();
  }
}

it("reports no violation for a distant producer that sends the headers of a resumed stream only with its first event", {
  timeout: 60_000,
}, async () => {
  const results = await playResumption("last-state-repeated", "without-handshake", "headers-with-the-first-event");
  expect(results).toEqual([["AAEP-TRN-011", "conforms", undefined]]);
});

it("skips a resumption that a distant producer refuses late", { timeout: 60_000 }, async () => {
  const why = "a subscription ends with its connection here, so none can be resumed: HTTP 404";
  const results = await playResumption("lost-subscriptions-ended", "headers-with-the-first-event");
  expect(results).toEqual([["AAEP-TRN-011", "skipped", why]]);
});
