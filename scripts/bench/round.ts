/** One round for one protocol, in milliseconds: the whole run, its requests alone, and the bare loop. The last two also in processor time. */
export interface LoopRound {
  whole: number;
  asking: number;
  bare: number;
  askingBusy: number;
  bareBusy: number;
  vectors: number;
}

export type BareLoop = Pick<LoopRound, "bare" | "bareBusy">;

/** The time for a transport without a bare loop. */
export const unknownLoop: BareLoop = { bare: Number.NaN, bareBusy: Number.NaN };

/** Measures the time of a bare loop. */
export async function timeLoop(loop: () => unknown): Promise<BareLoop> {
  const [startedAt, processorBefore] = [performance.now(), processorTime()];
  await loop();
  return { bare: performance.now() - startedAt, bareBusy: processorTime() - processorBefore };
}

/** The milliseconds of processor time of all threads in this process. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
