import { type Json, type Profile, pointer } from "../../../schemas/index.ts";
import type { Response } from "../../base/http/send.ts";
import { exceededLimit, minimumSize } from "../../base/http/size-limit.ts";
import { type Room, roomOf } from "./open-messages.ts";

/** Returns the published limit that a message exceeds, given its answer; undefined if there is none, or if the message was accepted. */
export type Over = (message: string | Uint8Array, answer: Response) => Promise<string | undefined>;

/** The limits that a server publishes. */
export interface ServerLimits {
  /** Messages per minute. */
  perMinute: number | undefined;
  /** Undefined if no limits are published. */
  over: Over | undefined;
  room: Room | undefined;
}

type ReadPath = (path: string) => Promise<Json | undefined>;

/** Reads the limits early, since later requests may be postponed. `readNow` is used when other requests are already waiting. */
export async function limitsOf(
  { http, discriminator }: Profile,
  read: ReadPath,
  readNow: ReadPath,
): Promise<ServerLimits> {
  const { limits } = http;
  const published = limits?.pace === undefined ? undefined : await read(limits.path);
  const pace = limits?.pace === undefined ? undefined : pointer.at(limits.pace, published ?? null);
  return {
    perMinute: typeof pace === "number" && pace > 0 ? pace : undefined,
    over: limits && overOf(limits, async (path) => published ?? read(path)),
    room: roomOf(limits, async (path) => published ?? readNow(path), discriminator),
  };
}

/** Creates a function that finds the exceeded limit. The published limits are read once, when the server first refuses a message. */
export function overOf(limits: Profile["http"]["limits"], read: ReadPath): Over {
  if (limits === undefined) return async () => undefined;
  let published: Promise<Json | undefined> | undefined;
  let largestAccepted = 0;
  return async (message, { status, body: refusal }) => {
    if (status < 300) largestAccepted = Math.max(largestAccepted, minimumSize(message));
    if (status < 400 || status >= 500) return undefined;
    published ??= read(limits.path);
    return exceededLimit(limits, await published, { message, refusal, acceptedSize: largestAccepted });
  };
}
