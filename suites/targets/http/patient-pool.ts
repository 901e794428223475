import type { Pool } from "undici";
import type { Profile } from "../../../schemas/index.ts";
import { joinHeaderValues } from "../../base/http/redact.ts";
import { type Request, type Response, send } from "../../base/http/send.ts";
import type { Room } from "./open-messages.ts";
import { createRequestQueue, pauseFor, waitOf } from "./wait.ts";

/** The time limit for the answer to a repeated request, in milliseconds. It is needed because the time limit of the question does not apply while a request waits as the server asked. */
const maxAnswerMs = 30_000;

/** Sends requests to a server, and waits as the server asks. */
export class PatientPool {
  readonly pool: Pool;
  readonly #queue = createRequestQueue();
  readonly #now: () => number;
  readonly #later: Profile["http"]["later"];
  readonly #longest: number;
  /** The room for open messages, once it is known. */
  room: Room | undefined;

  constructor(pool: Pool, now: () => number, later: Profile["http"]["later"], longest: number = maxAnswerMs) {
    this.pool = pool;
    this.#now = now;
    this.#later = later;
    this.#longest = longest;
  }

  /** Sends one request immediately, even if others wait. */
  readonly hurried = (request: Request, signal: AbortSignal): Promise<Response> =>
    send(this.pool, request, signal).then(({ headers, ...answer }) => ({
      ...answer,
      headers: joinHeaderValues(headers),
    }));

  /** Sends one request, and repeats it as often as the server asks to, while other requests wait. */
  readonly ask = async (request: Request, signal: AbortSignal): Promise<Response> => {
    const queue = this.#queue;
    if (queue.isHeld()) await queue.held();
    let leaveQueue: (() => void) | undefined;
    let waitedMs = 0;
    try {
      for (let retries = 0; ; retries++) {
        const boundedSignal = retries === 0 ? signal : AbortSignal.any([signal, AbortSignal.timeout(this.#longest)]);
        const response = await this.hurried(request, boundedSignal);
        const limit = await this.room?.mayWait(response, retries, request.body);
        const wait = waitOf(response, retries, this.#now(), this.#later);
        queue.mayWait(response, wait, waitedMs);
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
