import {
  equal,
  isObject,
  type Json,
  jsonOf,
  type PublishedLimits,
  pointer,
  TargetSkip,
} from "../../../schemas/index.ts";
import { isRateLimited } from "../../base/http/postponement.ts";
import type { Request, Response } from "../../base/http/send.ts";

/** The room that a server has for open messages. */
export interface Room {
  /** Notes an answer. Returns the published number, in words, if the run itself leaves that many open and the answer postpones its message: that may be the reason. Throws a TargetSkip if a message has waited in vain meanwhile. */
  mayWait(response: Response, retries: number, body: Request["body"]): Promise<string | undefined>;
}

/** Without a published number there is no limit. `discriminator` is the place of the kind of messages. */
export function roomOf(
  { open: room, path }: Partial<PublishedLimits> = {},
  read: (path: string) => Promise<Json | undefined>,
  discriminator?: string,
): Room | undefined {
  if (room === undefined || path === undefined) return undefined;
  const open = new Set<string>();
  /** Kinds of messages that need no room, since accepting them completes them. */
  const roomless = new Set<Json>();
  let published: Promise<Json | undefined> | undefined;
  let isFull = false;
  const isOpen = (body: Json): boolean =>
    isObject(body) && Object.entries(room.equal).every(([at, value]) => equal(pointer.at(at, body) ?? null, value));
  const kindOf = (body: Request["body"]): Json | undefined =>
    discriminator === undefined || typeof body !== "string"
      ? undefined
      : pointer.at(discriminator, jsonOf(body) ?? null);
  const noteAccepted = ({ body }: Response, message: Request["body"]): void => {
    const json = jsonOf(body);
    if (json === undefined) return;
    if (isOpen(json)) {
      isFull = false;
      open.add(String(pointer.at(room.id, json)));
      return;
    }
    const kind = kindOf(message);
    if (kind !== undefined) roomless.add(kind);
  };
  return {
    async mayWait(response, retries, message) {
      if (response.status < 300) noteAccepted(response, message);
      if (!isRateLimited(response)) return undefined;
      const kind = kindOf(message);
      if (kind !== undefined && roomless.has(kind)) return undefined;
      published ??= read(path);
      const maxOpen = pointer.at(room.published, (await published) ?? null);
      if (typeof maxOpen !== "number" || maxOpen > open.size) return undefined;
      // The limit may be on the rate of requests: only waiting in vain shows which, and shows it for the others too.
      isFull ||= retries > 0;
      const limit = `${room.published.slice(1)}, ${maxOpen}`;
      if (!isFull) return limit;
      throw new TargetSkip(`the messages sent before use up the server's published ${limit}: raise it for the test`, {
        kind: "limit",
      });
    },
  };
}
