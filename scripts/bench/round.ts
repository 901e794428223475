/** The time of one round for one protocol, in milliseconds: the whole run, only its questions, and the bare loop; the latter two also in processor time. */
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

/** The time of a bare loop. */
export async function timeLoop(loop: () => unknown): Promise<BareLoop> {
  const [started, before] = [performance.now(), processorTime()];
  await loop();
  return { bare: performance.now() - started, bareBusy: processorTime() - before };
}

/** The milliseconds of processor time of all threads in this process. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
