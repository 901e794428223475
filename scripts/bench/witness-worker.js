// Finds witnesses in a separate thread, which can be terminated if it hangs. Plain JavaScript, because a thread starts without the
// loader that runs TypeScript.
import { parentPort, workerData } from "node:worker_threads";
import { tsImport } from "tsx/esm/api";

const { witnessOf } = await tsImport("./witness-of.ts", import.meta.url);

parentPort.on("message", async ({ schema, address }) => {
  parentPort.postMessage(await witnessOf(schema, address, workerData));
});
parentPort.postMessage("ready");
