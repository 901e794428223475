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
  /** Records an answer. If the answer postpones its message, and the run has left as many messages open as the server allows, that may be the reason, and the published limit is returned in words. Throws a TargetSkip once a message has waited for room in vain. */
  findLimit(response: Response, retries: number, body: Request["body"]): Promise<string | undefined>;
}

/** Creates the room for open messages; undefined if no limit is published. `discriminator` is the place of the kind of a message. */
export function roomOf(
  { open: room, path }: Partial<PublishedLimits> = {},
  read: (path: string) => Promise<Json | undefined>,
  discriminator?: string,
): Room | undefined {
  if (room === undefined || path === undefined) return undefined;
  const openIds = new Set<string>();
  /** Kinds of messages that do not need room, because they are completed when they are accepted. */
  const roomless = new Set<Json>();
  let publishedLimits: Promise<Json | undefined> | undefined;
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
      openIds.add(String(pointer.at(room.id, json)));
      return;
    }
    const kind = kindOf(message);
    if (kind !== undefined) roomless.add(kind);
  };
  return {
    async findLimit(response, retries, message) {
      if (response.status < 300) noteAccepted(response, message);
      if (!isRateLimited(response)) return undefined;
      const kind = kindOf(message);
      if (kind !== undefined && roomless.has(kind)) return undefined;
      publishedLimits ??= read(path);
      const maxOpen = pointer.at(room.published, (await publishedLimits) ?? null);
      if (typeof maxOpen !== "number" || maxOpen > openIds.size) return undefined;
      // The answer may instead be due to a limit on the rate of requests. Only a wait in vain shows which limit it is, and shows it for other messages too.
      isFull ||= retries > 0;
      const limit = `${room.published.slice(1)}, ${maxOpen}`;
      if (!isFull) return limit;
      throw new TargetSkip(`the messages sent before use up the server's published ${limit}: raise it for the test`, {
        kind: "limit",
      });
    },
  };
}
