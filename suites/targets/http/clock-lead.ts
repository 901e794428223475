import type { Question } from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";

/** A server's clock, as far as it is known. */
export interface ServerClock {
  /** Milliseconds since 1970, by the server's clock; synchronous if no request is necessary. */
  time(): number | Promise<number>;
  /** Whether a message was refused with times of another clock than the answer's; from then on the server's clock is known. */
  isMistaken(time: number, question: Question, response: Response): boolean;
}

/** How many milliseconds clocks may differ without invalidating a message's times. */
const toleranceMs = 60_000;

/** The server's clock according to the hook, or otherwise to the `Date` of its answers. */
export function serverClockOf(now: () => number, clock: (() => Promise<number>) | undefined): ServerClock {
  let leadMs = 0;
  let reading: Promise<void> | undefined;
  const readLead = async (readClock: () => Promise<number>): Promise<void> => {
    leadMs = (await readClock()) - now();
  };
  return {
    time() {
      if (clock === undefined) return now() + leadMs;
      reading ??= readLead(clock);
      return reading.then(() => now() + leadMs);
    },
    isMistaken(time, { data, document: { fresh = [] } }, { status, headers }) {
      if (clock !== undefined || status < 400 || data === undefined) return false;
      const date = Date.parse(headers.date ?? "");
      const isTimed = fresh.some(({ make }) => make === "date-time" || make === "unix-time");
      if (!isTimed || !Number.isFinite(date) || Math.abs(date - time) <= toleranceMs) return false;
      leadMs = date - now();
      return true;
    },
  };
}
