// json-schema-faker in a thread of its own, which can be ended when it does not come back. Plain JavaScript: a thread starts without
// the loader that runs TypeScript.
import { parentPort, workerData } from "node:worker_threads";
import { tsImport } from "tsx/esm/api";

const { fakerFor } = await tsImport("../../generators/index.ts", import.meta.url);
const { schemas, id } = workerData;
const fake = await fakerFor(schemas, id, Number.POSITIVE_INFINITY);
let seed = 0;

parentPort.on("message", (count) => {
  const values = [];
  const started = performance.now();
  for (let left = count; left > 0; left -= 1) values.push(fake(seed++));
  parentPort.postMessage({ milliseconds: performance.now() - started, values });
});
parentPort.postMessage("ready");
