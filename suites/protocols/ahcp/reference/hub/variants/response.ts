import { isObject, type Json } from "../../../../../../schemas/index.ts";
import { defaultActor } from "../envelope.ts";
import type { Entry } from "../store.ts";
import { enveloped, isNumeric, within } from "./change.ts";
import { bodies, type HubVariant, inner, without } from "./variant.ts";

/** The Response without an answer that is found empty. */
function emptied(isEmpty: (value: Json) => boolean): HubVariant["policy"] {
  return {
    envelope(envelope) {
      const response = inner(envelope, "response");
      const { value = null } = response;
      const isLost = envelope.resolution === "answered" && isEmpty(value);
      return isLost ? { ...envelope, response: without(response, "value") } : envelope;
    },
  };
}

const modeOf = ({ message }: Entry): string => String(inner(message, "request").mode);

/** Keeps another answer than the one that was given. */
function answered(change: (value: Json) => Json | undefined): HubVariant["policy"] {
  return {
    envelope(envelope) {
      const { value, ...response } = inner(envelope, "response");
      const kept = envelope.resolution === "answered" && value !== undefined ? change(value) : value;
      return { ...envelope, response: { ...response, ...(kept === undefined ? {} : { value: kept }) } };
    },
  };
}

/** Hubs that break a rule on the content of an outcome. */
export const responseVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-RSP-001",
    says: "gives a cancellation an empty id",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      (envelope) => ({ ...envelope, resolution_id: "" }),
    ),
  },
  {
    rule: "AHCP-RSP-002",
    says: "has a word of its own for a completed task",
    policy: enveloped(
      ({ resolution }) => resolution === "completed",
      (envelope) => ({ ...envelope, resolution: "done" }),
    ),
  },
  {
    rule: "AHCP-RSP-003",
    name: "run",
    says: "leaves the run out of the Response of a dismissed task",
    policy: bodies("read", (body) => {
      const response = inner(body, "response");
      if (response.resolution !== "dismissed") return body;
      return { ...body, response: { ...response, agent: without(inner(response, "agent"), "run_id") } };
    }),
  },
  {
    rule: "AHCP-RSP-003",
    says: "leaves the agent's run out of the Response of a dismissed task",
    policy: enveloped(
      ({ resolution }) => resolution === "dismissed",
      (envelope) => ({ ...envelope, agent: without(inner(envelope, "agent"), "run_id") }),
    ),
  },
  {
    rule: "AHCP-RSP-004",
    says: "writes the time of a cancellation without an offset",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      within((response) => ({ ...response, resolved_at: String(response.resolved_at).replace("Z", "") })),
    ),
  },
  {
    rule: "AHCP-RSP-006",
    says: "calls a cancellation an applied default",
    policy: enveloped(
      ({ resolution }) => resolution === "cancelled",
      (envelope) => ({ ...envelope, defaulted: true }),
    ),
  },
  {
    rule: "AHCP-RSP-007",
    says: "calls a dismissed task declined",
    policy: enveloped(
      ({ resolution }) => resolution === "dismissed",
      (envelope) => ({ ...envelope, resolution: "declined" }),
    ),
  },
  {
    rule: "AHCP-RSP-008",
    says: "does not say who declined",
    policy: enveloped(
      ({ resolution }) => resolution === "declined",
      (envelope) => without(envelope, "response"),
    ),
  },
  {
    rule: "AHCP-RSP-009",
    name: "value-kept",
    says: "keeps the value that comes along when a task is completed",
    policy: { checksAnswer: (_, { resolution }) => resolution !== "completed" },
  },
  {
    rule: "AHCP-RSP-009",
    says: "gives a completed task a value",
    policy: enveloped(
      ({ resolution }) => resolution === "completed",
      within((response) => ({ ...response, value: "done" })),
    ),
  },
  {
    rule: "AHCP-RSP-010",
    says: "wraps the answer to a select in an object",
    policy: enveloped(
      ({ resolution }, entry) => resolution === "answered" && modeOf(entry) === "select",
      within((response) => ({ ...response, value: { value: response.value ?? "" } })),
    ),
  },
  {
    rule: "AHCP-RSP-010",
    name: "texts",
    says: "turns the values of a form into texts",
    policy: enveloped(
      (_, entry) => modeOf(entry) === "input",
      within((response) => {
        const texts = Object.entries(inner(response, "value")).map(([name, value]) => [name, String(value)]);
        return response.value === undefined ? response : { ...response, value: Object.fromEntries(texts) };
      }),
    ),
  },
  {
    rule: "AHCP-RSP-010",
    name: "numeric",
    says: "keeps an answer that is written like a number as that is written shortest",
    policy: answered((value) => (isNumeric(value) ? String(Number(value)) : value)),
  },
  {
    rule: "AHCP-RSP-010",
    name: "whole",
    says: "keeps the whole part of a number that is filled in",
    policy: answered((value) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => [name, typeof each === "number" ? Math.trunc(each) : each]),
          )
        : value,
    ),
  },
  {
    rule: "AHCP-RSP-010",
    name: "last-line",
    says: "keeps an answer without the end of its last line",
    policy: answered((value) => (typeof value === "string" ? value.replace(/\n$/, "") : value)),
  },
  {
    rule: "AHCP-RSP-011",
    name: "no-answer",
    says: "lets an ask be answered without an answer",
    policy: { checksAnswer: (_, { resolution, value }) => resolution !== "answered" || value !== undefined },
  },
  {
    rule: "AHCP-RSP-011",
    name: "declined-with-value",
    says: "keeps the value that comes along when an ask is declined",
    policy: { checksAnswer: (_, { resolution }) => resolution !== "declined" },
  },
  {
    rule: "AHCP-RSP-011",
    name: "empty-text",
    says: "loses an answer that is the empty text",
    policy: emptied((value) => value === ""),
  },
  {
    rule: "AHCP-RSP-011",
    name: "empty-object",
    says: "loses an answer that is an empty object",
    policy: emptied((value) => isObject(value) && Object.keys(value).length === 0),
  },
  {
    rule: "AHCP-RSP-011",
    says: "loses the answer to a confirm",
    policy: enveloped(
      ({ resolution }, entry) => resolution === "answered" && modeOf(entry) === "confirm",
      within((response) => without(response, "value")),
    ),
  },
  {
    rule: "AHCP-RSP-011",
    name: "zero",
    says: 'loses the answer "0"',
    policy: answered((value) => (value === "0" ? undefined : value)),
  },
  {
    rule: "AHCP-RSP-012",
    says: "names the actor of an applied default if an ask is declined",
    policy: enveloped(
      ({ resolution }) => resolution === "declined",
      within((response) => ({ ...response, actor: defaultActor })),
    ),
  },
];
