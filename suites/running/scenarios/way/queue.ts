import { type ScenarioContext, TargetFailure } from "../../../../schemas/index.ts";
import { sharedBound } from "../bounds.ts";

/** The next item, or the reason why there is none: the counterpart has ended, or stayed silent. */
export type NextItem<Item> = { item: Item } | "end" | "silence";

/** The maximum number of unread items: a counterpart that sends more is cut off. */
const maxItems = 10_000;

/** Items in the order of their arrival, for a reader that waits for the next one. */
export interface MessageQueue<Item> {
  put(item: Item): void;
  /** Ends the queue; a failure is thrown at the next read. */
  end(failure?: TargetFailure): void;
  /** Waits for the next item, for at most these milliseconds multiplied by the setting's time scale (by default the bound `answer`). Items that arrive later are not lost. */
  next(milliseconds?: number): Promise<NextItem<Item>>;
  readonly isOver: boolean;
}

export function queueFor<Item>(context: Pick<ScenarioContext, "signal" | "setting">): MessageQueue<Item> {
  const items: Item[] = [];
  const wakeUps = new Set<() => void>();
  let end: { failure: TargetFailure | undefined } | undefined;
  const wake = (): void => {
    for (const wakeUp of [...wakeUps]) wakeUp();
  };
  const takeNext = (): NextItem<Item> | undefined => {
    if (items.length > 0) return { item: items.shift() as Item };
    if (end?.failure !== undefined) throw end.failure;
    return end === undefined ? undefined : "end";
  };
  return {
    put(item) {
      if (end !== undefined) return;
      if (items.length >= maxItems)
        end = { failure: new TargetFailure("errored", "read", `it sends without end: ${maxItems} messages unread`) };
      else items.push(item);
      wake();
    },
    end(failure) {
      end ??= { failure };
      wake();
    },
    next(milliseconds = sharedBound(context.setting, "answer")) {
      return awaitItem(takeNext, wakeUps, { ...context, milliseconds });
    },
    get isOver() {
      return end !== undefined;
    },
  };
}

interface ItemWait extends Pick<ScenarioContext, "signal" | "setting"> {
  milliseconds: number;
}

/** Waits until an item can be read; returns "silence" when the time is over. Throws the reason of an abort. */
function awaitItem<Item>(
  takeNext: () => NextItem<Item> | undefined,
  waiting: Set<() => void>,
  { signal, setting, milliseconds }: ItemWait,
): Promise<NextItem<Item>> {
  return new Promise((resolve, reject) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      waiting.delete(check);
      signal.removeEventListener("abort", check);
    };
    const check = (): void => {
      try {
        signal.throwIfAborted();
        const nextItem = takeNext();
        if (nextItem === undefined) return;
        stopWaiting();
        resolve(nextItem);
      } catch (error) {
        stopWaiting();
        reject(error);
      }
    };
    const timer = setTimeout(
      () => {
        stopWaiting();
        resolve("silence");
      },
      milliseconds * Math.max(1, setting.timeScale ?? 1),
    );
    waiting.add(check);
    signal.addEventListener("abort", check);
    check();
  });
}
