// Runs json-schema-faker in a separate thread, which can be terminated if it hangs. Plain JavaScript, because a thread starts without
// the loader that runs TypeScript.
import { parentPort, workerData } from "node:worker_threads";
import { tsImport } from "tsx/esm/api";

const { fakerFor } = await tsImport("../../generators/index.ts", import.meta.url);
const { schemas, id } = workerData;
const fake = await fakerFor(schemas, id, Number.POSITIVE_INFINITY);
let seed = 0;

parentPort.on("message", (count) => {
  const values = [];
  const startedAt = performance.now();
  for (let remaining = count; remaining > 0; remaining -= 1) values.push(fake(seed++));
  parentPort.postMessage({ milliseconds: performance.now() - startedAt, values });
});
parentPort.postMessage("ready");
