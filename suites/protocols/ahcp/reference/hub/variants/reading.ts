import type { JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt, shortestNumber, withoutLastLineEnd } from "../../../../../packs/reference/changes.ts";
import { correctHubPolicy } from "../policy.ts";
import { fault } from "../reply.ts";
import type { StoredMessage } from "../store.ts";
import { timestamp } from "../time.ts";
import {
  cacheEnding,
  changePush,
  changeRead,
  cutBytes,
  cutTo32Bits,
  mapValues,
  withoutNull,
  withTexts,
} from "./change.ts";
import {
  changeExpired,
  changeText,
  dropNulls,
  dropRepeated,
  findUnder,
  foldLabels,
  ignoreOutcome,
  renameMembers,
  useUnderscores,
  withReadTime,
} from "./read-changes.ts";
import { breaks, changeBodies, changeReplies, type HubVariant, memberObject, withoutMembers } from "./variant.ts";

/** How often each ended task was read. */
const readCounts = new WeakMap<StoredMessage, number>();

/** Messages that an agent has read. */
const seenMessages = new WeakSet<StoredMessage>();

/** The agent member of the last repetition of each message. */
const lastAgents = new WeakMap<StoredMessage, JsonObject>();

/** Hubs that break a rule on reads: long polls, reads of changes, and the message in the answer. */
export const readingVariants: readonly HubVariant[] = [
  ...breaks("AHCP-GET-001", {
    "expired-task": [
      "adds an empty request to an expired task",
      changeBodies("read", (body) =>
        body.type === "task" && body.status === "expired" ? { ...body, request: {} } : body,
      ),
    ],
    "": [
      "shows missing members as null",
      changeBodies("read", (body) => ({ ...body, client_ref: body.client_ref ?? null })),
    ],
  }),
  ...breaks("AHCP-GET-002", {
    id: [
      "shows the id of a task without its prefix",
      changeBodies("read", (body) => (body.type === "task" ? { ...body, id: String(body.id).slice(4) } : body)),
    ],
    "": [
      "shows a declined ask as answered",
      changeBodies("read", (body) => (body.status === "declined" ? { ...body, status: "answered" } : body)),
    ],
    "after-waiting": [
      "omits the Response from a read that waited",
      changeBodies("read", (body, { hasWaited }) => (hasWaited === true ? withoutMembers(body, "response") : body)),
    ],
  }),
  ...breaks("AHCP-GET-003", {
    "label-case": [
      "shows the names of labels in lower case",
      changeRead(
        editAt(
          "/agent/labels",
          renameMembers((name) => name.toLowerCase()),
        ),
      ),
    ],
    "label-dash": [
      "shows the names of labels with underscores instead of dashes",
      changeRead(editAt("/agent", mapValues(useUnderscores))),
    ],
    "tag-case": ["shows tags in lower case", changeText("/tags/*", (tag) => tag.toLowerCase())],
    "equal-parts": ["drops duplicate Parts", changeRead(editAt("/context", dropRepeated))],
    "long-body": ["shows only the first 4096 characters of a body", changeText("/body", (body) => body.slice(0, 4096))],
    "callback-url": [
      "shows the URL of a callback in normalized form",
      changeText("/request/callback/url", (url) => new URL(url).href),
    ],
    ended: [
      "omits the body and the parts of an ended message",
      changeBodies("read", (body) => (body.response === undefined ? body : withoutMembers(body, "body", "context"))),
    ],
    sensitive: [
      "omits the body of a sensitive message",
      changeRead((message, entry) => (entry.message.sensitive === true ? withoutMembers(message, "body") : message)),
    ],
    "title-bytes": ["cuts titles after 255 bytes", changeRead(editAt("/title", cutBytes(255)))],
    "null-title": ["drops U+0000 from titles", changeRead(editAt("/title", withoutNull))],
    "null-character": ["drops U+0000 from bodies", changeRead(editAt("/body", withoutNull))],
    "trimmed-body": ["trims white space from bodies", changeText("/body", (body) => body.trim())],
    "": ["loses the tags", changeRead(removeAt("/tags"))],
    large: [
      "shows a state of more than 4 KiB as empty",
      changeRead(editAt("/state", (state) => (JSON.stringify(state).length > 4096 ? {} : state))),
    ],
    labels: ["loses the labels of the agent", changeRead(removeAt("/agent/labels"))],
    verification: ["loses the verification of a task", changeRead(removeAt("/action/verification"))],
    "other-run": [
      "shows the run of a message's last repetition",
      {
        isSame(message, entry) {
          const isSame = correctHubPolicy.isSame(message, entry);
          if (isSame) lastAgents.set(entry, memberObject(message, "agent"));
          return isSame;
        },
        ...changeRead((message, entry) => ({
          ...message,
          agent: lastAgents.get(entry) ?? memberObject(message, "agent"),
        })),
      },
    ],
    integers: ["shows a state with its integers cut to 32 bits", changeRead(editAt("/state", mapValues(cutTo32Bits)))],
    nulls: ["drops null members in the parts of a message", changeRead(editAt("/context", mapValues(dropNulls)))],
    "labels-case": [
      "keeps one of two labels that differ only in case",
      changeRead(editAt("/agent/labels", foldLabels)),
    ],
    "data-numbers": ["shows the numbers of a data Part as strings", changeRead(editAt("/context/*/data", withTexts))],
    "last-line": ["drops the last line feed of a body", changeRead(editAt("/body", withoutLastLineEnd))],
    zero: [
      'loses members with the value "0"',
      changeRead(editAt("/*", (value) => (value === "0" ? undefined : value))),
    ],
    numeric: ["shows a numeric client_ref in its shortest form", changeRead(editAt("/client_ref", shortestNumber))],
  }),
  ...breaks("AHCP-GET-004", {
    "": ["dates an outcome at the time of the read", changeBodies("read", withReadTime)],
    withdrawn: [
      "dates a cancellation at the time of the read",
      changeBodies("read", (body, subject) => (body.status === "cancelled" ? withReadTime(body, subject) : body)),
    ],
    overdue: [
      "dates an expiry at the time of the read",
      changeBodies("read", (body, subject) => (body.status === "expired" ? withReadTime(body, subject) : body)),
    ],
    tasks: [
      "adds a read counter to an ended task",
      changeBodies("read", (body, { entry }) => {
        if (entry === undefined || body.type !== "task" || body.response === undefined) return body;
        readCounts.set(entry, (readCounts.get(entry) ?? 0) + 1);
        return { ...body, reads: readCounts.get(entry) ?? 0 };
      }),
    ],
    once: [
      "shows an ended message only once",
      changeReplies("read", (reply, { entry }) => {
        if (entry?.envelope === undefined) return undefined;
        const isSeen = seenMessages.has(entry);
        seenMessages.add(entry);
        return isSeen ? fault("not_found", "there is no such message") : reply;
      }),
    ],
    cache: ["shows an answered ask as it was before, for ten seconds", cacheEnding("answered")],
  }),
  ...breaks("AHCP-GET-005", {
    beginning: [
      "accepts a prefix of an id",
      changeReplies("refusal", (reply, { missingId: requestedId, hub, seeking }) => {
        const entries = [...hub.store.entries.values()];
        const isPrefix = (id: string): boolean =>
          requestedId !== undefined && id !== requestedId && id.startsWith(requestedId);
        const entry = requestedId === "" ? undefined : entries.find(({ id }) => isPrefix(id));
        if (entry === undefined || reply.status !== 404 || seeking !== "maySee") return reply;
        return {
          status: 200,
          body: { ...correctHubPolicy.shownMembers(entry.message, entry), id: entry.id, status: entry.status },
        };
      }),
    ],
    case: [
      "finds a message under its id in another case",
      findUnder((id, requestedId) => id.toLowerCase() === requestedId.toLowerCase()),
    ],
    "last-line": [
      "finds a message under its id followed by a line feed",
      findUnder((id, requestedId) => `${id}\n` === requestedId),
    ],
    wildcard: [
      "treats % in an id as a wildcard",
      findUnder((id, pattern) => pattern.includes("%") && new RegExp(`^${pattern.replaceAll("%", ".*")}$`).test(id)),
    ],
    path: [
      "finds a message under the last part of a path",
      findUnder((id, requestedId) => requestedId.split("/").at(-1) === id),
    ],
    "": [
      "answers 400 to an unknown id",
      changeReplies("refusal", (reply, { seeking, isStranger }) =>
        reply.status === 404 && seeking === "maySee" && isStranger !== true
          ? fault("validation_error", "the id is not one of ours")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-GET-006", {
    cancel: [
      "accepts the cancellation of a deleted message",
      changeReplies("refusal", (reply, { entry, seeking }) =>
        reply.status === 410 && seeking === "mayCancel"
          ? { status: 200, body: { id: entry?.id ?? "", status: "cancelled" } }
          : reply,
      ),
    ],
    restart: [
      "keeps deletions in memory only",
      { recordedEvent: (happening) => (happening.event === "deleted" ? undefined : happening) },
    ],
    ended: [
      "still shows the status of a deleted message",
      changeReplies("refusal", (reply, { entry }) =>
        reply.status === 410 && entry !== undefined && entry.status !== "open"
          ? { status: 200, body: { id: entry.id, status: entry.status } }
          : undefined,
      ),
    ],
    "": [
      "answers 404 for a deleted message",
      changeReplies("refusal", (reply) =>
        reply.status === 410 ? fault("not_found", "there is no such message") : reply,
      ),
    ],
  }),
  ...breaks("AHCP-GET-007", {
    "": ["does not wait in long polls", { secondsToWait: () => 0 }],
    cancelled: ["does not wake a waiting read when the ask is cancelled", ignoreOutcome("cancelled")],
    declined: ["does not wake a waiting read when the ask is declined", ignoreOutcome("declined")],
    task: ["does not wake a waiting read when the task is completed", ignoreOutcome("completed")],
    expired: ["does not wake a waiting read when the deadline passes", ignoreOutcome("expired")],
    one: ["wakes only one of the waiting reads", { readsToWake: () => 1 }],
  }),
  ...breaks("AHCP-GET-008", {
    fraction: [
      "crashes on a wait of one and a half seconds",
      {
        secondsToWait(seconds, waitText) {
          if (waitText?.includes(".") === true) throw new Error(`wait is not an integer: ${waitText}`);
          return seconds;
        },
      },
    ],
    "": [
      "answers 408 to a read that waited in vain",
      changeReplies("read", (reply, { entry, hasWaited }) =>
        hasWaited === true && entry?.status === "open" ? { ...fault("gone", "nothing came"), status: 408 } : reply,
      ),
    ],
    "no-number": [
      "crashes on a wait that is not a number",
      {
        secondsToWait(seconds, waitText) {
          if (waitText !== undefined && !/^-?\d+$/.test(waitText)) throw new Error(`wait is not a number: ${waitText}`);
          return seconds;
        },
      },
    ],
  }),
  ...breaks("AHCP-GET-009", {
    empty: [
      "answers with an empty object if nothing has changed",
      changeReplies("read", (reply) => (reply.status === 304 ? { status: 200, body: {} } : reply)),
    ],
    created: [
      "compares `since` with the time of the submit",
      { isUnchanged: ({ acceptedAt }, since) => since !== undefined && acceptedAt <= since },
    ],
    seconds: [
      "compares `since` only in whole seconds",
      {
        isUnchanged: ({ changedAt }, since) =>
          since !== undefined && Math.floor(changedAt / 1000) <= Math.floor(since / 1000),
      },
    ],
    "no-time": [
      "crashes on a since that is not a time",
      {
        isUnchanged(entry, since) {
          if (since === undefined) throw new Error("since is not a time");
          return correctHubPolicy.isUnchanged(entry, since);
        },
      },
    ],
    "since-always": ["always answers that nothing has changed", { isUnchanged: () => true }],
    "": [
      "answers 400 if nothing has changed",
      changeReplies("read", (reply) => (reply.status === 304 ? fault("validation_error", "nothing changed") : reply)),
    ],
    future: [
      "crashes on a time in the future",
      {
        isUnchanged(entry, since) {
          if ((since ?? 0) > Date.now() + 60_000) throw new Error("since is in the future");
          return correctHubPolicy.isUnchanged(entry, since);
        },
      },
    ],
  }),
  ...breaks("AHCP-GET-010", {
    "": ["keeps messages for only half of the published days", { retention: (publishedDays) => publishedDays / 2 }],
    last: [
      "keeps only the last twenty notifies",
      changeReplies("read", (_, { entry, hub }) => {
        const notifies = [...hub.store.entries.values()].filter(({ status }) => status === "delivered");
        const isOld = entry?.status === "delivered" && !notifies.slice(-20).includes(entry);
        return isOld ? fault("not_found", "there is no such message") : undefined;
      }),
    ],
  }),
  ...breaks("AHCP-GET-011", {
    "": [
      "answers 404 to every read of a notify",
      changeReplies("read", (reply, { entry }) =>
        entry?.message.type === "notify" ? fault("not_found", "there is no such message") : reply,
      ),
    ],
    once: [
      "shows a notify only once",
      changeReplies("read", (reply, { entry }) => {
        if (entry?.message.type !== "notify") return undefined;
        const isSeen = seenMessages.has(entry);
        seenMessages.add(entry);
        return isSeen ? fault("not_found", "there is no such message") : reply;
      }),
    ],
  }),
  ...breaks("AHCP-GET-012", {
    sensitive: [
      "pushes the answer to a sensitive ask without its comment",
      changePush((envelope, { entry }) =>
        entry.message.sensitive === true ? removeAt("/response/comment")(envelope) : envelope,
      ),
    ],
    default: ["pushes an expired message without its default", changeExpired(removeAt("/response/value"))],
    defaulted: ["does not mark an applied default in a push", changeExpired(removeAt("/defaulted"))],
    comment: ["omits the comment from pushes", changePush(removeAt("/response/comment"))],
    time: [
      "pushes an expiry with the time of the push as resolved_at",
      changeExpired((envelope) => setAt("/response/resolved_at", timestamp(Date.now()))(envelope)),
    ],
    "": [
      "pushes a different resolved_at than it shows",
      changePush(editAt("/response/resolved_at", (time) => String(time).replace(/\.\d+/, ""))),
    ],
  }),
];
