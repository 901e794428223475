import { setTimeout as sleep } from "node:timers/promises";
import { TargetFailure } from "../../../schemas/index.ts";
import { parseAddress } from "../../base/http/address.ts";
import { headersFrom } from "../../base/http/headers.ts";
import { send } from "../../base/http/send.ts";

/** Milliseconds between two probes, and for the answer to one. */
const [pauseMs, answerTimeoutMs] = [50, 5000];
/** The number of probes before the restart, which show whether the target keeps connections open at all. */
const probesBefore = 3;

/** Restarts a target, and returns whether it was seen to go down: no answer came, or a connection that had stayed open was closed. */
export async function sawDowntime(url: string, signal: AbortSignal, restart: () => Promise<void>): Promise<boolean> {
  const { origin, prefix } = parseAddress(url);
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1, connections: 1 });
  let closedCount = 0;
  // A connection that the client itself closes shows nothing.
  pool.on("disconnect", (_origin, _targets, { code }) => {
    if (code !== "UND_ERR_INFO") closedCount += 1;
  });
  const request = { method: "GET", path: `${prefix}/`, headers: headersFrom({}), body: "" } as const;
  const isUp = async (): Promise<boolean> => {
    try {
      const { status } = await send(pool, request, AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]));
      return ![502, 503, 504].includes(status);
    } catch (error) {
      // A slow target is not down.
      return error instanceof TargetFailure && error.outcome === "timed-out";
    }
  };
  let [isOver, isDown] = [false, false];
  try {
    let wasUp = true;
    for (let count = 0; count < probesBefore; count++) wasUp = (await isUp()) && wasUp;
    const isSteady = closedCount === 0;
    const probing = (async () => {
      for (; !isOver && !isDown && !signal.aborted; await sleep(pauseMs)) isDown = wasUp && !(await isUp());
    })();
    await restart().finally(() => {
      isOver = true;
    });
    await probing;
    return isDown || (isSteady && closedCount > 0);
  } finally {
    isOver = true;
    await pool.destroy();
  }
}
