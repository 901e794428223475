import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, type ReferenceChange, setAt } from "../../../../../packs/reference/changes.ts";
import type { HubPolicy, ReplySubject } from "../hub.ts";
import { rightHubPolicy } from "../policy.ts";
import { timestamp } from "../time.ts";
import { changePush, changeRead } from "./change.ts";
import { type HubVariant, replies } from "./variant.ts";

/** Also finds a message under any other id that this function accepts. */
export function findUnder(matches: (id: string, askedId: string) => boolean): HubVariant["policy"] {
  return replies("refusal", (_, { missingId: askedId, entry, seeking, hub }) => {
    if (askedId === undefined || entry !== undefined || seeking !== "maySee") return undefined;
    const entryFound = [...hub.store.entries.values()].find(({ id }) => matches(id, askedId));
    if (entryFound === undefined) return undefined;
    return {
      status: 200,
      body: {
        ...rightHubPolicy.shownMembers(entryFound.message, entryFound),
        id: entryFound.id,
        status: entryFound.status,
      },
    };
  });
}

/** Changes the pushed body of an expired message. */
export const changeExpired = (change: ReferenceChange): Partial<HubPolicy> =>
  changePush((envelope) => (envelope.resolution === "expired" ? change(envelope) : envelope));

/** The answer with the time of the read as that of the outcome. */
export function withReadTime(body: JsonObject, { hub }: ReplySubject): JsonObject {
  return setAt("/response/response/resolved_at", timestamp(hub.clock.now()))(body);
}

/** Does not wake a waiting read for one kind of outcome. */
export const ignoreOutcome = (status: string): HubVariant["policy"] => ({
  readsToWake: (happening) =>
    happening.event === "ended" && happening.status === status ? 0 : rightHubPolicy.readsToWake(happening),
});

/** Shows a changed text at a pointer. */
export function changeText(pointer: string, change: (changeText: string) => string): HubVariant["policy"] {
  return changeRead(editAt(pointer, (value) => (typeof value === "string" ? change(value) : value)));
}

/** Renames the members of an object; of those with the same new name, the last remains. */
export function renameMembers(change: (name: string) => string): (value: Json) => Json {
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [change(name), each] as const))
      : value;
}

export const useUnderscores: (value: Json) => Json = renameMembers((name) => name.replaceAll("-", "_"));

/** The parts without repetitions. */
export const dropRepeated = (parts: Json): Json =>
  Array.isArray(parts)
    ? [...new Set(parts.map((part) => JSON.stringify(part)))].map((part) => JSON.parse(part) as Json)
    : parts;

/** The labels, with only one for names that differ only in case. */
export const foldLabels = (labels: Json): Json =>
  isObject(labels)
    ? Object.fromEntries(
        new Map(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), [name, value] as const])).values(),
      )
    : labels;

export const dropNulls = (value: Json): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value;
