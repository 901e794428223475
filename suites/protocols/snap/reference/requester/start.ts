import { setTimeout as sleep } from "node:timers/promises";
import { type Hook, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { serve } from "../../../../packs/reference/serve.ts";
import { keyA } from "../../rules/keys.ts";
import { serveHooks } from "../hook-server.ts";
import { discover, find } from "./discover.ts";
import { mail } from "./mail.ts";
import { rightRequesterDecisions } from "./policy.ts";
import { type Requester, type RequesterDecisions, SnapFailure } from "./requester.ts";
import { send, stream } from "./send.ts";

export interface StartedRequester {
  /** The operations of the requester, by the names of hooks in the profile. */
  hooks: Readonly<Record<string, Hook>>;
  close(): void;
}

/** Starts a requester with the test key A. */
export function startRequester(policy: Partial<RequesterDecisions> = {}): StartedRequester {
  const requester: Requester = {
    key: keyA,
    policy: { ...rightRequesterDecisions, ...policy },
    ending: new AbortController(),
  };
  const objectOrEmpty = (value: JsonObject[string] | undefined): JsonObject => (isObject(value) ? value : {});
  const hooks: Record<string, Hook> = {
    send: hookFor(requester, async ({ card, method, payload }) => ({
      response: await send(requester, objectOrEmpty(card), String(method), objectOrEmpty(payload)),
    })),
    stream: hookFor(requester, async ({ card, payload }) => ({
      messages: await stream(requester, objectOrEmpty(card), objectOrEmpty(payload)),
    })),
    discover: hookFor(requester, async ({ url }) => ({ card: await discover(requester, String(url)) })),
    find: hookFor(requester, async ({ relays }) => {
      const cards = await find(requester, Array.isArray(relays) ? relays.map(String) : []);
      return { cards: requester.policy.mergeCards(cards.map(({ card }) => card)) };
    }),
    mail: hookFor(requester, async (input) => ({ response: await mail(requester, input) })),
  };
  return { hooks, close: () => requester.ending.abort() };
}

/** Makes a hook of an operation. It waits for the requester's delay first, and returns failures as answers. */
function hookFor({ policy }: Requester, operate: (input: JsonObject) => Promise<JsonObject>): Hook {
  return async (input) => {
    if (policy.delay > 0) await sleep(policy.delay);
    try {
      return await operate(input);
    } catch (error) {
      if (error instanceof SnapFailure) return { error: { code: error.code, message: error.message } };
      throw error;
    }
  };
}

/** Serves a requester's hooks at `/operator/NAME` on a loopback port until it is closed. Throws a usage error for a port that cannot be used. */
export async function serveRequester(
  policy: Partial<RequesterDecisions> = {},
  port?: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const { Hono } = await import("hono");
  const { hooks, close } = startRequester(policy);
  const app = new Hono();
  serveHooks(app, () => hooks);
  app.get("/", () => Response.json({ about: "A requester, only for testing.", hooks: Object.keys(hooks) }));
  return serve(
    Object.assign(async (request: Request) => app.fetch(request), { close }),
    port,
  );
}
