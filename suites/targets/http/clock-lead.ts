import type { Question } from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";

/** A server's clock, as far as it is known. */
export interface ServerClock {
  /** Returns the milliseconds since 1970 by the server's clock; synchronously if no request is necessary. */
  time(): number | Promise<number>;
  /** Whether a message was refused and its times did not match the clock of the answer. If so, the server's clock is known from then on. */
  isMistaken(time: number, question: Question, response: Response): boolean;
}

/** The milliseconds by which clocks may differ without invalidating the times of a message. */
const toleranceMs = 60_000;

/** Creates the server's clock, according to the hook, or otherwise to the header `Date` of its answers. */
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
