import { equal, isObject, type Json, type PublishedLimits, pointer, TargetSkip } from "../../../schemas/index.ts";
import { isPutOff } from "../../http/later.ts";
import type { Response } from "../../http/send.ts";
import { parsed } from "./wait.ts";

/** The room that a server has for open messages. */
export interface Room {
  /** Takes note of an answer. Throws a TargetSkip for one that puts its message off where the run itself leaves as many open as the server publishes. */
  mayWait(response: Response, retries: number): Promise<void>;
}

/** Where the server publishes no such number, there is none to run out of. */
export function roomOf(
  { open: room, path }: Partial<PublishedLimits> = {},
  read: (path: string) => Promise<Json | undefined>,
): Room | undefined {
  if (room === undefined || path === undefined) return undefined;
  const open = new Set<string>();
  let published: Promise<Json | undefined> | undefined;
  let isFull = false;
  const isOpen = (body: Json | undefined): boolean =>
    isObject(body) && Object.entries(room.equal).every(([at, value]) => equal(pointer.at(at, body) ?? null, value));
  return {
    async mayWait({ status, headers, body }, retries) {
      if (status < 300) {
        isFull = false;
        const json = parsed(body);
        if (json !== undefined && isOpen(json)) open.add(String(pointer.at(room.id, json)));
      }
      // It may be the pace that is limited: only who has waited in vain knows better, and knows it for the others.
      if (!isPutOff({ status, headers }) || (retries === 0 && !isFull)) return;
      published ??= read(path);
      const most = pointer.at(room.published, (await published) ?? null);
      isFull = typeof most === "number" && most <= open.size;
      const name = room.published.slice(1);
      if (isFull)
        throw new TargetSkip(
          `the messages sent before take up the server's published ${name}, ${most}: raise it for the test`,
        );
    },
  };
}
