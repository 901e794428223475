import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { quote } from "../../../base/text/show.ts";
import { startProcess } from "../../../targets/command/process.ts";
import { reachHook } from "./reach.ts";

/** A party that exchanges messages, one JSON object each, in both directions. */
export interface LineParty {
  tell(message: JsonObject): Promise<void>;
  /** Waits for the next message; undefined if none arrived within these milliseconds, multiplied by the setting's time scale. Throws a TargetFailure if no message can arrive, or if a line is not a message. */
  next(milliseconds: number): Promise<JsonObject | undefined>;
  /** Whether the party has ended by itself and everything was read. */
  hasEnded(): boolean;
  /** Ends the party. Never throws. */
  end(): Promise<void>;
}

/** The maximum number of unread messages. A party that sends more is cut off. The total is not limited, because scenarios may be long. */
const maxUnread = 500;
/** Milliseconds between polls of a party that answers immediately that it has nothing to send. */
const pollMs = 10;

/**
 * Opens a party: by its command, which reads and writes one JSON object per line; or by the hooks `tell`, which receives { message }, and `hear`,
 * which returns { messages }, in the setting or at its address. Skips the scenario if the party has none of these.
 */
export function openLines(context: ScenarioContext, name: string): LineParty {
  const { command } = context.setting;
  if (command !== undefined) return recordLines(context, name, openCommand(context, name, command));
  if ((context.has("tell") && context.has("hear")) || context.setting.url !== undefined)
    return recordLines(context, name, openHooks(context));
  throw new TargetSkip(
    'needs a command that starts it (--command), its address (--http), or the hooks "tell" and "hear"',
    missingNeeds("command", "url", "tell", "hear"),
  );
}

function recordLines(context: ScenarioContext, name: string, party: LineParty): LineParty {
  // Messages to a party are recorded once it has answered, so that a silent party can be recognised.
  let unrecorded: string[] = [];
  const show = (text: string): void => {
    for (const unrecordedText of unrecorded) context.record({ from: "suite", to: name, text: unrecordedText });
    unrecorded = [];
    context.record({ from: name, to: "suite", text });
  };
  context.closing(() => party.end());
  return {
    ...party,
    async tell(message) {
      unrecorded.push(JSON.stringify(message));
      await party.tell(message);
    },
    async next(milliseconds) {
      context.signal.throwIfAborted();
      const message = await party.next(milliseconds);
      if (message === undefined) return undefined;
      show(JSON.stringify(message));
      return message;
    },
  };
}

function openCommand(context: ScenarioContext, name: string, command: string): LineParty {
  const unread: JsonObject[] = [];
  let failure: TargetFailure | undefined;
  let hasEnded = false;
  let wake = (): void => {};
  const child = startProcess(command, (line) => {
    if (failure !== undefined) return;
    const message = line === undefined ? undefined : messageFrom(line);
    if (line === undefined)
      failure = new TargetFailure("errored", "answer", `the ${name} writes a line without an end`);
    else if (message === undefined)
      failure = new TargetFailure(
        "errored",
        "answer",
        `the ${name} writes a line that is not a JSON object: ${quote(line)}`,
      );
    else if (unread.length >= maxUnread)
      failure = new TargetFailure("errored", "answer", `the ${name} floods: ${maxUnread} messages wait to be read`);
    else unread.push(message);
    if (failure !== undefined) child.kill();
    wake();
  });
  let endText = "";
  void child.ended.then((ending) => {
    endText = ending;
    hasEnded = true;
    wake();
  });
  const currentFailure = (): TargetFailure | undefined =>
    failure ??
    (hasEnded
      ? new TargetFailure("errored", "answer", `the ${name} is gone: ${endText}${child.outputTail()}`)
      : undefined);
  return {
    async tell(message) {
      child.write(JSON.stringify(message));
    },
    async next(milliseconds) {
      const deadline = performance.now() + milliseconds * (context.setting.timeScale ?? 1);
      for (;;) {
        context.signal.throwIfAborted();
        const message = unread.shift();
        if (message !== undefined) return message;
        const why = currentFailure();
        if (why !== undefined) throw why;
        const timeLeft = deadline - performance.now();
        if (timeLeft <= 0) return undefined;
        await waitForWake(timeLeft, context.signal, (wakeReader) => {
          wake = wakeReader;
        });
      }
    },
    hasEnded: () => hasEnded && failure === undefined && unread.length === 0,
    async end() {
      child.kill();
      await child.ended;
    },
  };
}

function openHooks(context: ScenarioContext): LineParty {
  const unread: JsonObject[] = [];
  return {
    async tell(message) {
      await reachHook(context, "tell", { message });
    },
    async next(milliseconds) {
      const deadline = performance.now() + milliseconds * (context.setting.timeScale ?? 1);
      for (;;) {
        const message = unread.shift();
        if (message !== undefined) return message;
        unread.push(...messagesIn(await reachHook(context, "hear", {})));
        if (unread.length > 0) continue;
        if (performance.now() >= deadline) return undefined;
        await sleep(pollMs, undefined, { signal: context.signal });
      }
    },
    hasEnded: () => false,
    end: async () => {},
  };
}

function messagesIn({ messages }: JsonObject): JsonObject[] {
  if (Array.isArray(messages) && messages.every(isObject) && messages.length <= maxUnread) return messages;
  throw new TargetFailure(
    "errored",
    "hook",
    `the hook "hear" does not give {"messages": […]} of ${maxUnread} objects at most`,
  );
}

function messageFrom(line: string): JsonObject | undefined {
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function waitForWake(milliseconds: number, signal: AbortSignal, listen: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const stopWaiting = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stopWaiting);
      resolve();
    };
    const timer = setTimeout(stopWaiting, milliseconds);
    signal.addEventListener("abort", stopWaiting, { once: true });
    listen(stopWaiting);
  });
}
