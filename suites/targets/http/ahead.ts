import type { Question } from "../../../schemas/index.ts";
import type { Response } from "../../http/send.ts";

/** A server's clock, as far as it is known. */
export interface Ahead {
  /** Milliseconds since 1970, by the server's clock. */
  time(): Promise<number>;
  /** Whether a message was refused that bears times of another clock than the answer; from then on that clock is known. */
  isMistaken(time: number, question: Question, response: Response): boolean;
}

/** Milliseconds by which clocks may differ without a message's times being off. */
const tolerable = 60_000;

/** The server's clock by what tells it, or otherwise by the `Date` of its answers. */
export function aheadOf(now: () => number, clock: (() => Promise<number>) | undefined): Ahead {
  let ahead = 0;
  let asked: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    if (clock !== undefined) ahead = (await clock()) - now();
  };
  return {
    async time() {
      asked ??= learn();
      await asked;
      return now() + ahead;
    },
    isMistaken(time, { data, document: { fresh = [] } }, { status, headers }) {
      const date = Date.parse(headers.date ?? "");
      const isTimed = data !== undefined && fresh.some(({ make }) => make === "date-time" || make === "unix-time");
      if (clock !== undefined || !isTimed || status < 400 || !Number.isFinite(date)) return false;
      if (Math.abs(date - time) <= tolerable) return false;
      ahead = date - now();
      return true;
    },
  };
}
