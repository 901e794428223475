import { randomBytes, randomInt } from "node:crypto";
import { digestOf, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt, shortestNumber, withoutLastLineEnd } from "../../../../../packs/reference/changes.ts";
import { defaultActor } from "../envelope.ts";
import { rightHubPolicy } from "../policy.ts";
import type { Store, StoredMessage } from "../store.ts";
import { changeOutcome, changePush, cutBytes, cutTo32Bits, mapValues, outcomeIf, withoutNull } from "./change.ts";
import { bodies, breaks, type HubVariant, memberObject } from "./variant.ts";

const modeOf = ({ message }: StoredMessage): string => String(memberObject(message, "request").mode);
const answerIn =
  (mode: string) =>
  ({ resolution }: JsonObject, entry: StoredMessage): boolean =>
    resolution === "answered" && modeOf(entry) === mode;

/** Stores another answer than the given one, or none. */
const changeAnswer = (change: (value: Json) => Json | undefined): HubVariant["policy"] =>
  outcomeIf("answered", editAt("/response/value", change));

/** Stores another state. */
const changeState = (change: (value: Json) => Json | undefined): HubVariant["policy"] =>
  changeOutcome(editAt("/state", change));

/** The number of the next outcome of each hub. */
const outcomesSeen = new WeakMap<Store, number>();

/** Names outcomes by their number, which each hub counts from a first one. */
function countOutcomes(first: () => number, idOf: (number: number) => string): HubVariant["policy"] {
  return {
    envelope(envelope, _entry, { store }) {
      const number = outcomesSeen.get(store) ?? first();
      outcomesSeen.set(store, number + 1);
      return { ...envelope, resolution_id: idOf(number) };
    },
  };
}

/** A first number that a hub of another process is unlikely to have. */
const drawNumber = (): number => randomInt(4711, 1e6);

/** The run of the last repetition of a message. */
const lastRun = new WeakMap<StoredMessage, Json>();

/** Hubs that break a rule on an outcome: its members, its own id, and its copies from the message. */
export const responseVariants: readonly HubVariant[] = [
  ...breaks("AHCP-RSP-001", {
    "": ["gives a cancellation an empty id", outcomeIf("cancelled", setAt("/resolution_id", ""))],
  }),
  ...breaks("AHCP-RSP-002", {
    "": ["has its own word for a completed task", outcomeIf("completed", setAt("/resolution", "done"))],
  }),
  ...breaks("AHCP-RSP-003", {
    run: [
      "leaves the run out of the Response of a dismissed task",
      bodies("read", (body) =>
        memberObject(body, "response").resolution === "dismissed" ? removeAt("/response/agent/run_id")(body) : body,
      ),
    ],
    "": [
      "leaves the agent's run out of the Response of a dismissed task",
      outcomeIf("dismissed", removeAt("/agent/run_id")),
    ],
  }),
  ...breaks("AHCP-RSP-004", {
    "": [
      "writes the time of a cancellation without an offset",
      outcomeIf(
        "cancelled",
        editAt("/response/resolved_at", (time) => String(time).replace("Z", "")),
      ),
    ],
  }),
  ...breaks("AHCP-RSP-006", {
    "": ["calls a cancellation an applied default", outcomeIf("cancelled", setAt("/defaulted", true))],
  }),
  ...breaks("AHCP-RSP-007", {
    "": ["calls a dismissed task declined", outcomeIf("dismissed", setAt("/resolution", "declined"))],
  }),
  ...breaks("AHCP-RSP-008", {
    "": ["does not say who declined", outcomeIf("declined", removeAt("/response"))],
  }),
  ...breaks("AHCP-RSP-009", {
    "value-kept": [
      "keeps the value that accompanies the completion of a task",
      { checksAnswer: (_, { resolution }) => resolution !== "completed" },
    ],
    "": ["gives a completed task a value", outcomeIf("completed", setAt("/response/value", "done"))],
  }),
  ...breaks("AHCP-RSP-010", {
    "": [
      "wraps the answer to a select in an object",
      outcomeIf(
        answerIn("select"),
        editAt("/response/value", (value) => ({ value })),
      ),
    ],
    texts: [
      "turns the values of a form into texts",
      outcomeIf((_, entry) => modeOf(entry) === "input", editAt("/response/value/*", String)),
    ],
    numeric: ["keeps a numeric answer in its shortest form", changeAnswer(shortestNumber)],
    whole: [
      "keeps only the whole part of a number in a form",
      outcomeIf(
        ({ resolution, response }) => resolution === "answered" && isObject(response) && isObject(response.value),
        editAt("/response/value/*", (value) => (typeof value === "number" ? Math.trunc(value) : value)),
      ),
    ],
    "last-line": ["keeps an answer without its last line feed", changeAnswer(withoutLastLineEnd)],
  }),
  ...breaks("AHCP-RSP-011", {
    "no-answer": [
      "lets an ask be answered without an answer",
      { checksAnswer: (_, { resolution, value }) => resolution !== "answered" || value !== undefined },
    ],
    "declined-with-value": [
      "keeps the value that accompanies the refusal of an ask",
      { checksAnswer: (_, { resolution }) => resolution !== "declined" },
    ],
    "empty-text": [
      "loses an answer that is an empty text",
      changeAnswer((value) => (value === "" ? undefined : value)),
    ],
    "empty-object": [
      "loses an answer that is an empty object",
      changeAnswer((value) => (JSON.stringify(value) === "{}" ? undefined : value)),
    ],
    "": ["loses the answer to a confirm", outcomeIf(answerIn("confirm"), removeAt("/response/value"))],
    zero: ['loses the answer "0"', changeAnswer((value) => (value === "0" ? undefined : value))],
  }),
  ...breaks("AHCP-RSP-012", {
    "": [
      "names the actor of an applied default when an ask is declined",
      outcomeIf("declined", setAt("/response/actor", defaultActor)),
    ],
  }),
  ...breaks("AHCP-RSP-013", {
    long: [
      "cuts the texts of a state at 1000 characters",
      changeOutcome(editAt("/state/*", (text) => (typeof text === "string" ? text.slice(0, 1000) : text))),
    ],
    large: [
      "drops a state of more than 4 KiB",
      changeState((value) => (JSON.stringify(value).length > 4096 ? undefined : value)),
    ],
    "null-character": ["returns a state without U+0000", changeState(withoutNull)],
    "": ["normalizes the state", changeOutcome(editAt("/state/*", (value) => value || undefined))],
    empty: [
      "treats an empty state as none",
      changeState((value) => (JSON.stringify(value) === "{}" ? undefined : value)),
    ],
    rounded: [
      "keeps ten decimals of the numbers in a state",
      changeState(mapValues((value) => (typeof value === "number" ? Number(value.toFixed(10)) : value))),
    ],
    integers: ["returns a state with its integers cut to 32 bits", changeState(mapValues(cutTo32Bits))],
  }),
  ...breaks("AHCP-RSP-014", {
    "client-ref": [
      "names the client_ref of a message in its Response, if it has one",
      changeOutcome((envelope, { message, id }) => ({ ...envelope, in_reply_to: message.client_ref ?? id })),
    ],
    "run-bytes": ["names the first 64 bytes of a run_id", changeOutcome(editAt("/agent/run_id", cutBytes(64)))],
    "": ["forgets the run of a message", changeOutcome(setAt("/agent/run_id", "unknown"))],
    repeated: [
      "names the run of the last repetition of a message",
      {
        isSame(message, entry) {
          const isSame = rightHubPolicy.isSame(message, entry);
          if (isSame) lastRun.set(entry, memberObject(message, "agent").run_id ?? null);
          return isSame;
        },
        envelope: (envelope, entry) => editAt("/agent/run_id", (run) => lastRun.get(entry) ?? run)(envelope),
      },
    ],
    numeric: ["names a numeric run in its shortest form", changeOutcome(editAt("/agent/run_id", shortestNumber))],
  }),
  ...breaks("AHCP-RSP-015", {
    late: [
      "pushes under another resolution_id from the fourth attempt on",
      changePush((envelope, { number, entry }) =>
        number < 4 ? envelope : { ...envelope, resolution_id: `res_${entry.id}_${number}` },
      ),
    ],
    restart: [
      "makes ids from the number of outcomes since it was started",
      countOutcomes(
        () => 1,
        (number) => `res_${digestOf(String(number)).slice(7, 23)}`,
      ),
    ],
    word: [
      "names an outcome by its word",
      changeOutcome((envelope) => ({ ...envelope, resolution_id: `res_${envelope.resolution}` })),
    ],
    "": [
      "gives each push a resolution_id of its own",
      changePush((envelope) => ({ ...envelope, resolution_id: `res_${randomBytes(8).toString("hex")}` })),
    ],
  }),
  ...breaks("AHCP-RSP-016", {
    "counter-rid": [
      "counts its resolutions in hexadecimal behind a long prefix",
      countOutcomes(drawNumber, (number) => `res_7f3a9c21-${number.toString(16).padStart(8, "0")}`),
    ],
    time: [
      "names an outcome by its time and a counter",
      countOutcomes(drawNumber, (number) => `res_${Date.now()}_${number}`),
    ],
    "own-id": [
      "names an outcome by the id of its message",
      changeOutcome((envelope) => ({ ...envelope, resolution_id: `res-of-${envelope.in_reply_to}` })),
    ],
    "": ["counts its resolutions", countOutcomes(drawNumber, (number) => `res_${number}`)],
  }),
  ...breaks("AHCP-RSP-017", {
    "": ["puts the digest into the body", changeOutcome(setAt("/payload_sha256", "0".repeat(64)))],
    pushed: ["puts the digest into the pushed body", changePush(setAt("/payload_sha256", "0".repeat(64)))],
  }),
];
