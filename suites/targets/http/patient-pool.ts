import type { Pool } from "undici";
import type { Profile } from "../../../schemas/index.ts";
import { joinHeaderValues } from "../../base/http/redact.ts";
import { type Request, type Response, send } from "../../base/http/send.ts";
import type { Room } from "./open-messages.ts";
import { createRequestQueue, pauseFor, waitOf } from "./wait.ts";

/** The time limit for the answer to a repeated request, in milliseconds. The question's own limit is suspended while we wait at the server's request. */
const maxAnswerMs = 30_000;

/** Sends requests to a server, and waits as the server asks. */
export class PatientPool {
  readonly pool: Pool;
  readonly #queue = createRequestQueue();
  readonly #now: () => number;
  readonly #postponement: Profile["http"]["later"];
  readonly #maxAnswerMs: number;
  /** How many messages the server lets us have open, once known. */
  room: Room | undefined;

  constructor(
    pool: Pool,
    now: () => number,
    postponement: Profile["http"]["later"],
    maxRepeatMs: number = maxAnswerMs,
  ) {
    this.pool = pool;
    this.#now = now;
    this.#postponement = postponement;
    this.#maxAnswerMs = maxRepeatMs;
  }

  /** Sends one request immediately, even if others wait. */
  readonly sendNow = (request: Request, signal: AbortSignal): Promise<Response> =>
    send(this.pool, request, signal).then(({ headers, ...answer }) => ({
      ...answer,
      headers: joinHeaderValues(headers),
    }));

  /** Sends one request, and repeats it as often as the server asks, while other requests wait. */
  readonly ask = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const queue = this.#queue;
    if (queue.isHeld()) await queue.held();
    let leaveQueue: (() => void) | undefined;
    let waitedMs = 0;
    try {
      for (let retries = 0; ; retries++) {
        const boundedSignal =
          retries === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(this.#maxAnswerMs)]);
        const response = await this.sendNow(request, boundedSignal);
        const limit = await this.room?.findLimit(response, retries, request.body);
        const wait = waitOf(response, retries, this.#now(), this.#postponement);
        queue.refuseLongWait(response, wait, waitedMs);
        if (wait === undefined) return response;
        waitedMs += wait;
        leaveQueue ??= queue.join();
        await pauseFor({ ...response, limit }, wait, signal);
      }
    } finally {
      leaveQueue?.();
    }
  };

  readonly isHeld = (): boolean => this.#queue.isHeld();
}
