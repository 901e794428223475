import type { JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt, shortestNumber, withoutLastLineEnd } from "../../../../../packs/reference/changes.ts";
import { rightHubPolicy } from "../policy.ts";
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
import { bodies, breaks, type HubVariant, memberObject, replies, withoutMembers } from "./variant.ts";

/** The number of reads of an ended task. */
const readCounts = new WeakMap<StoredMessage, number>();

/** The notifies that were read. */
const seenMessages = new WeakSet<StoredMessage>();

/** The agent of the last repetition of a message. */
const lastRun = new WeakMap<StoredMessage, JsonObject>();

/** Hubs that break a rule on reads, including long polls and reads of changes, and on the message in the answer. */
export const readingVariants: readonly HubVariant[] = [
  ...breaks("AHCP-GET-001", {
    "expired-task": [
      "shows the request of a task after it has looked for its default",
      bodies("read", (body) => (body.type === "task" && body.status === "expired" ? { ...body, request: {} } : body)),
    ],
    "": ["shows missing members as null", bodies("read", (body) => ({ ...body, client_ref: body.client_ref ?? null }))],
  }),
  ...breaks("AHCP-GET-002", {
    id: [
      "shows the id of a task without its prefix",
      bodies("read", (body) => (body.type === "task" ? { ...body, id: String(body.id).slice(4) } : body)),
    ],
    "": [
      "calls a declined ask answered",
      bodies("read", (body) => (body.status === "declined" ? { ...body, status: "answered" } : body)),
    ],
    "after-waiting": [
      "shows no Response in a read that waited",
      bodies("read", (body, { hasWaited }) => (hasWaited === true ? withoutMembers(body, "response") : body)),
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
    "equal-parts": ["shows equal Parts once", changeRead(editAt("/context", dropRepeated))],
    "long-body": ["shows 4096 characters of a body", changeText("/body", (body) => body.slice(0, 4096))],
    "callback-url": [
      "shows the URL of a callback in normalized form",
      changeText("/request/callback/url", (url) => new URL(url).href),
    ],
    ended: [
      "does not show the body and the parts of an ended message",
      bodies("read", (body) => (body.response === undefined ? body : withoutMembers(body, "body", "context"))),
    ],
    sensitive: [
      "does not show the body of a sensitive message",
      changeRead((message, entry) => (entry.message.sensitive === true ? withoutMembers(message, "body") : message)),
    ],
    "title-bytes": ["keeps only 255 bytes of a title", changeRead(editAt("/title", cutBytes(255)))],
    "null-title": ["keeps titles without U+0000", changeRead(editAt("/title", withoutNull))],
    "null-character": ["keeps bodies without U+0000", changeRead(editAt("/body", withoutNull))],
    "trimmed-body": ["keeps bodies without the white space around them", changeText("/body", (body) => body.trim())],
    "": ["loses the tags", changeRead(removeAt("/tags"))],
    large: [
      "shows a state of more than 4 KiB as empty",
      changeRead(editAt("/state", (state) => (JSON.stringify(state).length > 4096 ? {} : state))),
    ],
    labels: ["loses the labels of the agent", changeRead(removeAt("/agent/labels"))],
    verification: ["loses the verification of a task", changeRead(removeAt("/action/verification"))],
    "other-run": [
      "shows the run of the last repetition of a message",
      {
        isSame(message, entry) {
          const isSame = rightHubPolicy.isSame(message, entry);
          if (isSame) lastRun.set(entry, memberObject(message, "agent"));
          return isSame;
        },
        ...changeRead((message, entry) => ({
          ...message,
          agent: lastRun.get(entry) ?? memberObject(message, "agent"),
        })),
      },
    ],
    integers: ["shows a state with its integers cut to 32 bits", changeRead(editAt("/state", mapValues(cutTo32Bits)))],
    nulls: ["drops null members in the parts of a message", changeRead(editAt("/context", mapValues(dropNulls)))],
    "labels-case": [
      "keeps one of two labels that differ only in case",
      changeRead(editAt("/agent/labels", foldLabels)),
    ],
    "data-numbers": ["keeps the numbers of a data Part as texts", changeRead(editAt("/context/*/data", withTexts))],
    "last-line": ["keeps a body without its last line feed", changeRead(editAt("/body", withoutLastLineEnd))],
    zero: ['loses members with the text "0"', changeRead(editAt("/*", (value) => (value === "0" ? undefined : value)))],
    numeric: ["keeps a numeric client_ref in its shortest form", changeRead(editAt("/client_ref", shortestNumber))],
  }),
  ...breaks("AHCP-GET-004", {
    "": ["dates an outcome at the time of the read", bodies("read", withReadTime)],
    withdrawn: [
      "dates a cancellation at the time of the read",
      bodies("read", (body, subject) => (body.status === "cancelled" ? withReadTime(body, subject) : body)),
    ],
    overdue: [
      "dates an expiry at the time of the read",
      bodies("read", (body, subject) => (body.status === "expired" ? withReadTime(body, subject) : body)),
    ],
    tasks: [
      "counts the reads of an ended task",
      bodies("read", (body, { entry }) => {
        if (entry === undefined || body.type !== "task" || body.response === undefined) return body;
        readCounts.set(entry, (readCounts.get(entry) ?? 0) + 1);
        return { ...body, reads: readCounts.get(entry) ?? 0 };
      }),
    ],
    once: [
      "shows an ended message only once",
      replies("read", (reply, { entry }) => {
        if (entry?.envelope === undefined) return undefined;
        const isSeen = seenMessages.has(entry);
        seenMessages.add(entry);
        return isSeen ? fault("not_found", "there is no such message") : reply;
      }),
    ],
    cache: ["shows an ask for ten seconds as it was read before its answer", cacheEnding("answered")],
  }),
  ...breaks("AHCP-GET-005", {
    beginning: [
      "accepts the beginning of an id as the id",
      replies("refusal", (reply, { missingId: askedId, hub, seeking }) => {
        const entries = [...hub.store.entries.values()];
        const isBeginning = (id: string): boolean => askedId !== undefined && id !== askedId && id.startsWith(askedId);
        const entry = askedId === "" ? undefined : entries.find(({ id }) => isBeginning(id));
        if (entry === undefined || reply.status !== 404 || seeking !== "maySee") return reply;
        return {
          status: 200,
          body: { ...rightHubPolicy.shownMembers(entry.message, entry), id: entry.id, status: entry.status },
        };
      }),
    ],
    case: [
      "finds a message under its id in another case",
      findUnder((id, askedId) => id.toLowerCase() === askedId.toLowerCase()),
    ],
    "last-line": [
      "finds a message under its id followed by a line feed",
      findUnder((id, asked) => `${id}\n` === asked),
    ],
    wildcard: [
      "reads % in an id as any text",
      findUnder((id, asked) => asked.includes("%") && new RegExp(`^${asked.replaceAll("%", ".*")}$`).test(id)),
    ],
    path: ["finds a message under the last part of a path", findUnder((id, asked) => asked.split("/").at(-1) === id)],
    "": [
      "calls an unknown id malformed",
      replies("refusal", (reply, { seeking, isStranger }) =>
        reply.status === 404 && seeking === "maySee" && isStranger !== true
          ? fault("validation_error", "the id is not one of ours")
          : reply,
      ),
    ],
  }),
  ...breaks("AHCP-GET-006", {
    cancel: [
      "lets a deleted message be cancelled",
      replies("refusal", (reply, { entry, seeking }) =>
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
      replies("refusal", (reply, { entry }) =>
        reply.status === 410 && entry !== undefined && entry.status !== "open"
          ? { status: 200, body: { id: entry.id, status: entry.status } }
          : undefined,
      ),
    ],
    "": [
      "does not remember that a message was deleted",
      replies("refusal", (reply) => (reply.status === 410 ? fault("not_found", "there is no such message") : reply)),
    ],
  }),
  ...breaks("AHCP-GET-007", {
    "": ["answers every wait at once", { secondsToWait: () => 0 }],
    cancelled: ["lets a read continue to wait after the ask is cancelled", ignoreOutcome("cancelled")],
    declined: ["does not inform a waiting read that an ask was declined", ignoreOutcome("declined")],
    task: ["does not inform a waiting read that a task was completed", ignoreOutcome("completed")],
    expired: ["does not inform a waiting read that a deadline has passed", ignoreOutcome("expired")],
    one: ["informs only one of the waiting reads of the end of an ask", { readsToWake: () => 1 }],
  }),
  ...breaks("AHCP-GET-008", {
    fraction: [
      "crashes on a wait of one and a half seconds",
      {
        secondsToWait(asked, changeText) {
          if (changeText?.includes(".") === true) throw new Error(`wait is not an integer: ${changeText}`);
          return asked;
        },
      },
    ],
    "": [
      "calls a wait without an outcome a timeout",
      replies("read", (reply, { entry, hasWaited }) =>
        hasWaited === true && entry?.status === "open" ? { ...fault("gone", "nothing came"), status: 408 } : reply,
      ),
    ],
    "no-number": [
      "crashes on a wait that is not a number",
      {
        secondsToWait(asked, changeText) {
          if (changeText !== undefined && !/^-?\d+$/.test(changeText))
            throw new Error(`wait is not a number: ${changeText}`);
          return asked;
        },
      },
    ],
  }),
  ...breaks("AHCP-GET-009", {
    empty: [
      "answers with an empty object if nothing has changed",
      replies("read", (reply) => (reply.status === 304 ? { status: 200, body: {} } : reply)),
    ],
    created: [
      "compares `since` with the time of the submit",
      { isUnchanged: ({ acceptedAt }, since) => since !== undefined && acceptedAt <= since },
    ],
    seconds: [
      "compares `since` only to the second",
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
          return rightHubPolicy.isUnchanged(entry, since);
        },
      },
    ],
    "since-always": ["finds no changes although there are some", { isUnchanged: () => true }],
    "": [
      "refuses a read of changes without any",
      replies("read", (reply) => (reply.status === 304 ? fault("validation_error", "nothing changed") : reply)),
    ],
    future: [
      "crashes on a time in the future",
      {
        isUnchanged(entry, since) {
          if ((since ?? 0) > Date.now() + 60_000) throw new Error("since is in the future");
          return rightHubPolicy.isUnchanged(entry, since);
        },
      },
    ],
  }),
  ...breaks("AHCP-GET-010", {
    "": ["keeps messages for half of the published days", { retention: (publishedDays) => publishedDays / 2 }],
    last: [
      "keeps only the last twenty notifies",
      replies("read", (_, { entry, hub }) => {
        const notifies = [...hub.store.entries.values()].filter(({ status }) => status === "delivered");
        const isOld = entry?.status === "delivered" && !notifies.slice(-20).includes(entry);
        return isOld ? fault("not_found", "there is no such message") : undefined;
      }),
    ],
  }),
  ...breaks("AHCP-GET-011", {
    "": [
      "does not show a notify again",
      replies("read", (reply, { entry }) =>
        entry?.message.type === "notify" ? fault("not_found", "there is no such message") : reply,
      ),
    ],
    once: [
      "shows a notify only once",
      replies("read", (reply, { entry }) => {
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
    comment: ["pushes no comment", changePush(removeAt("/response/comment"))],
    time: [
      "pushes the time of the push as that of an expiry",
      changeExpired((envelope) => setAt("/response/resolved_at", timestamp(Date.now()))(envelope)),
    ],
    "": [
      "pushes a different time of resolution than it shows",
      changePush(editAt("/response/resolved_at", (time) => String(time).replace(/\.\d+/, ""))),
    ],
  }),
];
