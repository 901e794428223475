import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/run.ts";
import { live } from "../../reference/live.ts";
import { framingScenarios } from "./framing.ts";
import { paceScenarios } from "./pace.ts";

const scenarios = [...paceScenarios, ...framingScenarios];

/** Starts a proxy that forwards this many bytes in ten milliseconds on each connection. */
async function startSlowProxy(url: string, bytes: number): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(url);
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(port), hostname);
    const forwardSlowly = async (): Promise<void> => {
      for await (const chunk of serverSocket as AsyncIterable<Buffer>)
        for (let offset = 0; offset < chunk.length && !clientSocket.destroyed; offset += bytes) {
          clientSocket.write(chunk.subarray(offset, offset + bytes));
          await sleep(10);
        }
      clientSocket.end();
    };
    forwardSlowly().catch(() => clientSocket.destroy());
    clientSocket.on("error", () => {}).on("close", () => serverSocket.destroy());
    clientSocket.pipe(serverSocket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it.each([
  ["others-unharmed", undefined, 100, 0.4, ["skipped", "not-shown"]],
  ["others-unharmed", undefined, 1_000_000, 0.4, ["conforms", undefined]],
  ["others-unharmed", "breaks-AAEP-BP-010", 1_000_000, 0.4, ["violates", "expectation"]],
  ["large-messages", undefined, 300, 0.2, ["conforms", undefined]],
  ["large-messages", "breaks-AAEP-TRN-010", 1_000_000, 0.2, ["violates", "expectation"]],
])(
  "accuses only a faulty producer, not a slow one: %s (%s) at %i bytes in ten milliseconds (scale %d)",
  async (name, variant, bytes, timeScale, expected) => {
    const { setting, close } = await live.open({ side: "producer", ...(variant === undefined ? {} : { variant }) });
    const proxy = await startSlowProxy(String(setting.url), bytes);
    try {
      const [result] = await playScenarios({
        protocol: protocolNamed("aaep"),
        scenarios: scenarios.filter((scenario) => scenario.name === name),
        seed: 1,
        setting: { ...setting, url: proxy.url, timeScale },
      });
      expect([result?.outcome, result?.cause?.kind], result?.why).toEqual(expected);
    } finally {
      proxy.close();
      await close();
    }
  },
);
