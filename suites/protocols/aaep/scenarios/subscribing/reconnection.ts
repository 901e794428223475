import type { TargetFailure } from "../../../../../schemas/index.ts";
import { wasClosed } from "../../../../base/http/send.ts";
import type { Inbox } from "./inbox.ts";

/** A requested stream. */
export interface ReopenedStream {
  status: Promise<number>;
  destroy(): void;
}

/** A stream counts as refused, not idle, if `maxRefusals` connections in a row end within `minIdleMs`. */
const [minIdleMs, maxRefusals] = [20, 3];

/** The maximum number of requests for one stream. */
const maxAttempts = 1000;

/**
 * Keeps a stream open: requests it again whenever its connection ends without a message. A producer or a proxy may end an idle connection, and a
 * subscriber of SSE then connects again (HTML, 9.2).
 */
export function keepOpen(
  inbox: Inbox,
  requestStream: (inbox: Inbox) => ReopenedStream,
  now = (): number => performance.now(),
): ReopenedStream {
  let [isCut, refusals, connections] = [false, 0, 0];
  const connect = (): ReopenedStream => {
    const startedAt = now();
    let isOver = false;
    let hasMessage = false;
    const end = (why?: TargetFailure): void => {
      if (isOver) return;
      isOver = true;
      refusals = now() - startedAt < minIdleMs ? refusals + 1 : 0;
      connections += 1;
      const endInbox = (): void => inbox.end(why);
      if (hasMessage || isCut || inbox.isEndExpected() || refusals >= maxRefusals || connections > maxAttempts)
        endInbox();
      else {
        current = connect();
        awaitStatus(current).then((status) => (status === 200 ? undefined : endInbox()), endInbox);
      }
    };
    return requestStream({
      ...inbox,
      push(...message) {
        hasMessage = true;
        inbox.push(...message);
      },
      end,
    });
  };
  /** Waits for the status of a stream. A connection that is closed before the answer is opened again. */
  const awaitStatus = async ({ status }: ReopenedStream, attempts = 0): Promise<number> => {
    try {
      return await status;
    } catch (error) {
      if (isCut || attempts >= maxRefusals || !(error instanceof Error && wasClosed(error.cause))) throw error;
      current = connect();
      return awaitStatus(current, attempts + 1);
    }
  };
  let current = connect();
  const status = awaitStatus(current);
  // If the caller does not wait for the status, its failure is ignored.
  status.catch(() => {});
  return {
    status,
    destroy() {
      isCut = true;
      current.destroy();
    },
  };
}
