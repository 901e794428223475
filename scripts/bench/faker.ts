import { Worker } from "node:worker_threads";
import type { Json, JsonObject } from "../../schemas/index.ts";

/** A round of instances and its duration. An instance is undefined if the generator failed. */
export interface FakerRound {
  milliseconds: number;
  values: (Json | undefined)[];
}

/** json-schema-faker in a worker thread, because it may hang. */
export interface BenchFaker {
  /** Generates a round of instances. Returns undefined if it does not finish in time, and for every later round. */
  round(count: number, milliseconds: number): Promise<FakerRound | undefined>;
  close(): Promise<void>;
}

/** Starts json-schema-faker for one schema in a worker thread. Strings are as long as the schema allows. */
export async function startFaker(schemas: readonly JsonObject[], id: string): Promise<BenchFaker> {
  const worker = new Worker(new URL("faker-worker.js", import.meta.url), { workerData: { schemas, id } });
  const nextMessage = () =>
    new Promise<unknown>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
  await nextMessage();
  let isEnded = false;
  return {
    async round(count, milliseconds) {
      if (isEnded) return undefined;
      const { promise: timeout, cancel } = delay(milliseconds);
      const nextRound = nextMessage();
      worker.postMessage(count);
      const round = (await Promise.race([nextRound, timeout])) as FakerRound | undefined;
      cancel();
      if (round === undefined) {
        isEnded = true;
        await worker.terminate();
      }
      return round;
    },
    async close() {
      isEnded = true;
      await worker.terminate();
    },
  };
}

function delay(milliseconds: number): { promise: Promise<undefined>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const promise = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
