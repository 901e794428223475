import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, type ReferenceChange, setAt } from "../../../../../packs/reference/changes.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import { correctHubPolicy } from "../policy.ts";
import { timestamp } from "../time.ts";
import { changePush, changeRead } from "./change.ts";
import { changeReplies, type HubVariant } from "./variant.ts";

/** If no message has the requested id, shows one with an id that `matches` it. */
export function findUnder(matches: (id: string, requestedId: string) => boolean): HubVariant["policy"] {
  return changeReplies("refusal", (_, { missingId: requestedId, entry, seeking, hub }) => {
    if (requestedId === undefined || entry !== undefined || seeking !== "maySee") return undefined;
    const matchingEntry = [...hub.store.entries.values()].find(({ id }) => matches(id, requestedId));
    if (matchingEntry === undefined) return undefined;
    return {
      status: 200,
      body: {
        ...correctHubPolicy.shownMembers(matchingEntry.message, matchingEntry),
        id: matchingEntry.id,
        status: matchingEntry.status,
      },
    };
  });
}

/** Changes the pushed body of an expired message. */
export const changeExpired = (change: ReferenceChange): Partial<HubPolicy> =>
  changePush((envelope) => (envelope.resolution === "expired" ? change(envelope) : envelope));

/** The answer with the time of the read as the time of the resolution. */
export function withReadTime(body: JsonObject, { hub }: ReplySubject): JsonObject {
  return setAt("/response/response/resolved_at", timestamp(hub.clock.now()))(body);
}

/** Does not wake waiting reads when a message ends with this status. */
export const ignoreOutcome = (status: string): HubVariant["policy"] => ({
  readsToWake: (happening) =>
    happening.event === "ended" && happening.status === status ? 0 : correctHubPolicy.readsToWake(happening),
});

/** Changes the string at a JSON pointer in the answer to a read. */
export function changeText(pointer: string, change: (text: string) => string): HubVariant["policy"] {
  return changeRead(editAt(pointer, (value) => (typeof value === "string" ? change(value) : value)));
}

/** Renames the members of an object. If two get the same name, the last one wins. */
export function renameMembers(change: (name: string) => string): (value: Json) => Json {
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [change(name), member] as const))
      : value;
}

export const useUnderscores: (value: Json) => Json = renameMembers((name) => name.replaceAll("-", "_"));

/** The parts without duplicates. */
export const dropRepeated = (parts: Json): Json =>
  Array.isArray(parts)
    ? [...new Set(parts.map((part) => JSON.stringify(part)))].map((part) => JSON.parse(part) as Json)
    : parts;

/** The labels, reduced to one if names differ only in case. */
export const foldLabels = (labels: Json): Json =>
  isObject(labels)
    ? Object.fromEntries(
        new Map(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), [name, value] as const])).values(),
      )
    : labels;

export const dropNulls = (value: Json): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) : value;
