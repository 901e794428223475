/** The time of one round for one protocol, in milliseconds: the whole run, its questions alone, the bare loop; the latter two also of the processor. */
export interface LoopRound {
  whole: number;
  asking: number;
  bare: number;
  askingBusy: number;
  bareBusy: number;
  vectors: number;
}

export type BareLoop = Pick<LoopRound, "bare" | "bareBusy">;
/** Of a way without a bare loop. */
export const unknownLoop: BareLoop = { bare: Number.NaN, bareBusy: Number.NaN };

/** The time of a bare loop. */
export async function timeLoop(loop: () => unknown): Promise<BareLoop> {
  const [started, before] = [performance.now(), processorTime()];
  await loop();
  return { bare: performance.now() - started, bareBusy: processorTime() - before };
}

/** Milliseconds that all threads of this process have worked. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
