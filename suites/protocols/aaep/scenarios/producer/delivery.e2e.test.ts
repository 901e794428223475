import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../scenarios/run.ts";
import { live } from "../../reference/live.ts";
import { delivery } from "./delivery.ts";

const scenarios = delivery.filter(({ name }) => name === "others-unharmed");

/** A way to a server on which so many bytes get through in ten milliseconds, on each connection. */
async function slowed(url: string, bytes: number): Promise<{ url: string; close(): void }> {
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const passOn = async (): Promise<void> => {
      for await (const all of far as AsyncIterable<Buffer>)
        for (let at = 0; at < all.length && !near.destroyed; at += bytes) {
          near.write(all.subarray(at, at + bytes));
          await sleep(10);
        }
      near.end();
    };
    passOn().catch(() => near.destroy());
    near.on("error", () => {}).on("close", () => far.destroy());
    near.pipe(far);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

it.each([
  [undefined, 100, ["skipped", "not-shown"]],
  [undefined, 1_000_000, ["conforms", undefined]],
  ["breaks-AAEP-BP-010", 1_000_000, ["violates", "expectation"]],
])(
  "a producer (%s) at %i bytes in ten milliseconds is accused only of what others do to it",
  async (variant, bytes, expected) => {
    const { setting, close } = await live.open({ side: "producer", ...(variant === undefined ? {} : { variant }) });
    const way = await slowed(String(setting.url), bytes);
    try {
      const given = { ...setting, url: way.url, timeScale: 0.4 };
      const [result] = await playScenarios({ protocol: protocolNamed("aaep"), scenarios, setting: given, seed: 1 });
      expect([result?.outcome, result?.cause?.kind], result?.why).toEqual(expected);
    } finally {
      way.close();
      await close();
    }
  },
);
