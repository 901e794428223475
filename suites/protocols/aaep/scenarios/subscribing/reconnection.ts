import type { TargetFailure } from "../../../../../schemas/index.ts";
import { wasClosed } from "../../../../base/http/send.ts";
import type { Inbox } from "./inbox.ts";

/** A requested stream, and the status of its answer. */
export interface ReopenedStream {
  answered: Promise<number>;
  destroy(): void;
}

/** If a connection ends sooner than this (milliseconds), so many times in a row, it is refused rather than idle. */
const [idle, mostRefused] = [20, 3];

/** The maximum number of requests for one stream. */
const maxAttempts = 1000;

/**
 * A stream that is requested again whenever its connection ends before anything was sent. A producer, or a proxy, may end an idle connection, and a
 * subscriber of SSE then connects again (HTML, 9.2).
 */
export function keptOpen(
  inbox: Inbox,
  ask: (inbox: Inbox) => ReopenedStream,
  now = (): number => performance.now(),
): ReopenedStream {
  let [isCut, refused, count] = [false, 0, 0];
  const connect = (): ReopenedStream => {
    const begun = now();
    let isOver = false;
    let hasCome = false;
    const end = (why?: TargetFailure): void => {
      if (isOver) return;
      isOver = true;
      refused = now() - begun < idle ? refused + 1 : 0;
      count += 1;
      const endInbox = (): void => inbox.end(why);
      if (hasCome || isCut || inbox.isEndExpected() || refused >= mostRefused || count > maxAttempts) endInbox();
      else {
        current = connect();
        statusOf(current).then((status) => (status === 200 ? undefined : endInbox()), endInbox);
      }
    };
    return ask({
      ...inbox,
      push(...came) {
        hasCome = true;
        inbox.push(...came);
      },
      end,
    });
  };
  /** The status of an answer; a connection that is closed before an answer is opened again, too. */
  const statusOf = async ({ answered }: ReopenedStream, tries = 0): Promise<number> => {
    try {
      return await answered;
    } catch (error) {
      if (isCut || tries >= mostRefused || !(error instanceof Error && wasClosed(error.cause))) throw error;
      current = connect();
      return statusOf(current, tries + 1);
    }
  };
  let current = connect();
  const answered = statusOf(current);
  // A caller that does not wait for it ignores its failure.
  answered.catch(() => {});
  return {
    answered,
    destroy() {
      isCut = true;
      current.destroy();
    },
  };
}
