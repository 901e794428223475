import { randomBytes, randomInt } from "node:crypto";
import { digestOf, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { editAt, removeAt, setAt, shortestNumber, withoutLastLineEnd } from "../../../../../packs/reference/changes.ts";
import { defaultActor } from "../envelope.ts";
import { correctHubPolicy } from "../policy.ts";
import type { Store, StoredMessage } from "../store.ts";
import { changeOutcome, changePush, cutBytes, cutTo32Bits, mapValues, outcomeIf, withoutNull } from "./change.ts";
import { breaks, changeBodies, type HubVariant, memberObject } from "./variant.ts";

const modeOf = ({ message }: StoredMessage): string => String(memberObject(message, "request").mode);
const isAnswerIn =
  (mode: string) =>
  ({ resolution }: JsonObject, entry: StoredMessage): boolean =>
    resolution === "answered" && modeOf(entry) === mode;

/** Changes the answer before it is stored; `undefined` drops it. */
const changeAnswer = (change: (value: Json) => Json | undefined): HubVariant["policy"] =>
  outcomeIf("answered", editAt("/response/value", change));

/** Changes the state in the Response; `undefined` drops it. */
const changeState = (change: (value: Json) => Json | undefined): HubVariant["policy"] =>
  changeOutcome(editAt("/state", change));

/** The number of each hub's next outcome. */
const nextNumbers = new WeakMap<Store, number>();

/** Makes the id of each outcome from a counter that starts at `first()`. */
function numberOutcomes(first: () => number, idOf: (number: number) => string): HubVariant["policy"] {
  return {
    envelope(envelope, _entry, { store }) {
      const number = nextNumbers.get(store) ?? first();
      nextNumbers.set(store, number + 1);
      return { ...envelope, resolution_id: idOf(number) };
    },
  };
}

/** A random first number, so that two processes are unlikely to use the same one. */
const drawNumber = (): number => randomInt(4711, 1e6);

/** The run of each message's last repetition. */
const lastRuns = new WeakMap<StoredMessage, Json>();

/** Hubs that break a rule on an outcome: its members, its id, and the values that it copies from the message. */
export const responseVariants: readonly HubVariant[] = [
  ...breaks("AHCP-RSP-001", {
    "": ["sets an empty resolution_id for a cancellation", outcomeIf("cancelled", setAt("/resolution_id", ""))],
  }),
  ...breaks("AHCP-RSP-002", {
    "": ["reports done instead of completed", outcomeIf("completed", setAt("/resolution", "done"))],
  }),
  ...breaks("AHCP-RSP-003", {
    run: [
      "omits the run from a dismissed task's Response in reads",
      changeBodies("read", (body) =>
        memberObject(body, "response").resolution === "dismissed" ? removeAt("/response/agent/run_id")(body) : body,
      ),
    ],
    "": ["omits the run from a dismissed task's Response", outcomeIf("dismissed", removeAt("/agent/run_id"))],
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
    "": ["marks a cancellation as an applied default", outcomeIf("cancelled", setAt("/defaulted", true))],
  }),
  ...breaks("AHCP-RSP-007", {
    "": ["reports a dismissed task as declined", outcomeIf("dismissed", setAt("/resolution", "declined"))],
  }),
  ...breaks("AHCP-RSP-008", {
    "": ["omits the response member of a declined ask", outcomeIf("declined", removeAt("/response"))],
  }),
  ...breaks("AHCP-RSP-009", {
    "value-kept": [
      "keeps the value that accompanies the completion of a task",
      { checksAnswer: (_, { resolution }) => resolution !== "completed" },
    ],
    "": ["adds a value to a completed task", outcomeIf("completed", setAt("/response/value", "done"))],
  }),
  ...breaks("AHCP-RSP-010", {
    "": [
      "wraps the answer to a select in an object",
      outcomeIf(
        isAnswerIn("select"),
        editAt("/response/value", (value) => ({ value })),
      ),
    ],
    texts: [
      "converts the values of a form to strings",
      outcomeIf((_, entry) => modeOf(entry) === "input", editAt("/response/value/*", String)),
    ],
    numeric: ["stores a numeric answer in its shortest form", changeAnswer(shortestNumber)],
    whole: [
      "truncates the numbers in a form",
      outcomeIf(
        ({ resolution, response }) => resolution === "answered" && isObject(response) && isObject(response.value),
        editAt("/response/value/*", (value) => (typeof value === "number" ? Math.trunc(value) : value)),
      ),
    ],
    "last-line": ["drops the last line feed of an answer", changeAnswer(withoutLastLineEnd)],
  }),
  ...breaks("AHCP-RSP-011", {
    "no-answer": [
      "lets an ask be answered without an answer",
      { checksAnswer: (_, { resolution, value }) => resolution !== "answered" || value !== undefined },
    ],
    "declined-with-value": [
      "keeps the value that accompanies the decline of an ask",
      { checksAnswer: (_, { resolution }) => resolution !== "declined" },
    ],
    "empty-text": [
      "loses an answer that is an empty string",
      changeAnswer((value) => (value === "" ? undefined : value)),
    ],
    "empty-object": [
      "loses an answer that is an empty object",
      changeAnswer((value) => (JSON.stringify(value) === "{}" ? undefined : value)),
    ],
    "": ["loses the answer to a confirm", outcomeIf(isAnswerIn("confirm"), removeAt("/response/value"))],
    zero: ['loses the answer "0"', changeAnswer((value) => (value === "0" ? undefined : value))],
  }),
  ...breaks("AHCP-RSP-012", {
    "": [
      "records the actor of an applied default when an ask is declined",
      outcomeIf("declined", setAt("/response/actor", defaultActor)),
    ],
  }),
  ...breaks("AHCP-RSP-013", {
    long: [
      "cuts the strings of a state after 1000 characters",
      changeOutcome(editAt("/state/*", (text) => (typeof text === "string" ? text.slice(0, 1000) : text))),
    ],
    large: [
      "drops a state of more than 4 KiB",
      changeState((value) => (JSON.stringify(value).length > 4096 ? undefined : value)),
    ],
    "null-character": ["returns a state without U+0000", changeState(withoutNull)],
    "": ["drops falsy values from the state", changeOutcome(editAt("/state/*", (value) => value || undefined))],
    empty: [
      "treats an empty state as no state",
      changeState((value) => (JSON.stringify(value) === "{}" ? undefined : value)),
    ],
    rounded: [
      "rounds the numbers of a state to ten decimals",
      changeState(mapValues((value) => (typeof value === "number" ? Number(value.toFixed(10)) : value))),
    ],
    integers: ["returns a state with its integers cut to 32 bits", changeState(mapValues(cutTo32Bits))],
  }),
  ...breaks("AHCP-RSP-014", {
    "client-ref": [
      "puts the client_ref, if there is one, into in_reply_to",
      changeOutcome((envelope, { message, id }) => ({ ...envelope, in_reply_to: message.client_ref ?? id })),
    ],
    "run-bytes": ["cuts a run_id after 64 bytes", changeOutcome(editAt("/agent/run_id", cutBytes(64)))],
    "": ["reports the run of every message as unknown", changeOutcome(setAt("/agent/run_id", "unknown"))],
    repeated: [
      "reports the run of a message's last repetition",
      {
        isSame(message, entry) {
          const isSame = correctHubPolicy.isSame(message, entry);
          if (isSame) lastRuns.set(entry, memberObject(message, "agent").run_id ?? null);
          return isSame;
        },
        envelope: (envelope, entry) => editAt("/agent/run_id", (run) => lastRuns.get(entry) ?? run)(envelope),
      },
    ],
    numeric: ["reports a numeric run in its shortest form", changeOutcome(editAt("/agent/run_id", shortestNumber))],
  }),
  ...breaks("AHCP-RSP-015", {
    late: [
      "pushes under another resolution_id from the fourth attempt on",
      changePush((envelope, { number, entry }) =>
        number < 4 ? envelope : { ...envelope, resolution_id: `res_${entry.id}_${number}` },
      ),
    ],
    restart: [
      "hashes a counter that starts at 1 after each restart",
      numberOutcomes(
        () => 1,
        (number) => `res_${digestOf(String(number)).slice(7, 23)}`,
      ),
    ],
    word: [
      "uses the resolution as the resolution_id",
      changeOutcome((envelope) => ({ ...envelope, resolution_id: `res_${envelope.resolution}` })),
    ],
    "": [
      "sends each push with a different resolution_id",
      changePush((envelope) => ({ ...envelope, resolution_id: `res_${randomBytes(8).toString("hex")}` })),
    ],
  }),
  ...breaks("AHCP-RSP-016", {
    "counter-rid": [
      "appends a hexadecimal counter to a long prefix as resolution_id",
      numberOutcomes(drawNumber, (number) => `res_7f3a9c21-${number.toString(16).padStart(8, "0")}`),
    ],
    time: [
      "uses the time and a counter as resolution_id",
      numberOutcomes(drawNumber, (number) => `res_${Date.now()}_${number}`),
    ],
    "own-id": [
      "derives the resolution_id from the id of the message",
      changeOutcome((envelope) => ({ ...envelope, resolution_id: `res-of-${envelope.in_reply_to}` })),
    ],
    "": ["uses a counter as resolution_id", numberOutcomes(drawNumber, (number) => `res_${number}`)],
  }),
  ...breaks("AHCP-RSP-017", {
    "": ["adds the payload digest to the Response", changeOutcome(setAt("/payload_sha256", "0".repeat(64)))],
    pushed: ["adds the payload digest to the pushed body", changePush(setAt("/payload_sha256", "0".repeat(64)))],
  }),
];
