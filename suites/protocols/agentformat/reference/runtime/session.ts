import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { Decisions } from "./decisions.ts";
import { RunError, type RuntimeOrder, type World } from "./order.ts";
import { runAgent } from "./run.ts";

/** A runtime that exchanges messages with the suite. */
export interface RuntimeSession {
  /** Receives a message: a run, or the answer to a call-back. */
  tell(message: JsonObject): void;
}

/** Starts the session of a runtime. A new run replaces a pending one, which sends no more messages. */
export function startSession(
  decisions: Decisions,
  write: (message: JsonObject) => void,
  now: () => number,
  hasTextIds = false,
): RuntimeSession {
  let lastNumber = 0;
  let waitingCalls = new Map<Json, (answer: JsonObject) => void>();
  const beginRun = async (order: RuntimeOrder): Promise<void> => {
    const callsOfRun = new Map<Json, (answer: JsonObject) => void>();
    waitingCalls = callsOfRun;
    const send = (message: JsonObject): void => {
      if (waitingCalls === callsOfRun) write(message);
    };
    const world: World = {
      now,
      async ask(kind, payload) {
        lastNumber += 1;
        // A multiplication modulo a prime makes ids that differ but are not in order.
        const id = hasTextIds ? `call-${((lastNumber * 7919) % 104_729).toString(36)}` : lastNumber;
        const answer = await new Promise<JsonObject>((resolve) => {
          callsOfRun.set(id, resolve);
          send({ id, [kind]: payload });
        });
        if (answer.error !== undefined) throw new RunError(String(answer.error));
        return answer;
      },
    };
    try {
      send({ done: { output: await runAgent(order, world, decisions) } });
    } catch (error) {
      const unsupported = error instanceof RunError ? error.unsupported : undefined;
      const message = error instanceof Error ? error.message : String(error);
      send({ error: { message, ...(unsupported === undefined ? {} : { unsupported }) } });
    }
  };
  return {
    tell(message) {
      const { run: order, id = null } = message;
      if (isObject(order)) void beginRun(order as unknown as RuntimeOrder);
      else waitingCalls.get(id)?.(message);
    },
  };
}
