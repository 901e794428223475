import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/run.ts";
import { live } from "../../reference/live.ts";
import { framing } from "./framing.ts";
import { paceScenarios } from "./pace.ts";

const scenarios = [...paceScenarios, ...framing];

/** A proxy that passes this many bytes in ten milliseconds on each connection. */
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
  ["others-unharmed", undefined, 100, 0.4, ["skipped", "not-shown"]],
  ["others-unharmed", undefined, 1_000_000, 0.4, ["conforms", undefined]],
  ["others-unharmed", "breaks-AAEP-BP-010", 1_000_000, 0.4, ["violates", "expectation"]],
  ["large-messages", undefined, 300, 0.2, ["conforms", undefined]],
  ["large-messages", "breaks-AAEP-TRN-010", 1_000_000, 0.2, ["violates", "expectation"]],
])(
  "does not accuse a slow producer: %s (%s) at %i bytes in ten milliseconds (scale %d)",
  async (name, variant, bytes, timeScale, expected) => {
    const { setting, close } = await live.open({ side: "producer", ...(variant === undefined ? {} : { variant }) });
    const way = await slowed(String(setting.url), bytes);
    try {
      const [result] = await playScenarios({
        protocol: protocolNamed("aaep"),
        scenarios: scenarios.filter((scenario) => scenario.name === name),
        seed: 1,
        setting: { ...setting, url: way.url, timeScale },
      });
      expect([result?.outcome, result?.cause?.kind], result?.why).toEqual(expected);
    } finally {
      way.close();
      await close();
    }
  },
);
