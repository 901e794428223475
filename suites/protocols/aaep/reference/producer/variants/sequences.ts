import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import type { Policy } from "../model.ts";
import type { ProducerVariant } from "./variant.ts";

const isOf = ({ type }: JsonObject, name: string): boolean => type === `aaep:agent.${name}`;

/** Sends other events in the place of some; none is numbered, so that their number is no breach. */
function sends(concerns: (event: JsonObject) => boolean, change: (event: JsonObject) => JsonObject[]): Partial<Policy> {
  return {
    event: ({ sequence_number: _, ...event }) => event,
    frames: (text) => {
      const event = JSON.parse(text) as Json;
      return isObject(event) && concerns(event) ? change(event).map((each) => JSON.stringify(each)) : [text];
    },
  };
}

/** Another event with the envelope of one. */
function like(event: JsonObject, members: JsonObject): JsonObject {
  return { ...event, event_id: `${event.event_id}z`, ...members };
}

/** Changes events of one type. */
function events(name: string, change: (event: JsonObject) => JsonObject): Partial<Policy> {
  return { event: (event) => (isOf(event, name) ? { ...event, ...change(event) } : event) };
}

const isLookUp = (event: JsonObject): boolean => isOf(event, "tool.completed") && event.tool === "look_up";
const progress = { type: "aaep:agent.progress.updated", progress: { percent: 100 } };

/** Sessions that do not go as they should, though each event may be right. */
export const sequenceVariants: readonly ProducerVariant[] = [
  {
    rule: "AAEP-LIFE-001",
    says: "begins a session without a word",
    policy: sends(
      (event) => isOf(event, "session.started"),
      () => [],
    ),
  },
  {
    rule: "AAEP-LIFE-002",
    says: "starts a session twice",
    policy: sends(
      (event) => isOf(event, "session.started"),
      (event) => [event, like(event, {})],
    ),
  },
  {
    rule: "AAEP-LIFE-003",
    says: "completes a session twice",
    policy: sends(
      (event) => isOf(event, "session.completed"),
      (event) => [event, like(event, {})],
    ),
  },
  {
    rule: "AAEP-LIFE-003",
    name: "cancelled-silently",
    says: "does not say that a session was cancelled",
    policy: sends(
      (event) => isOf(event, "session.cancelled"),
      () => [],
    ),
  },
  {
    rule: "AAEP-LIFE-003",
    name: "cancelled",
    says: "completes a session that was cancelled",
    policy: sends(
      (event) => isOf(event, "session.cancelled"),
      ({ cancelled_by: by = "user", ...event }) => [
        { ...event, cancelled_by: by },
        like(event, { type: "aaep:agent.session.completed" }),
      ],
    ),
  },
  {
    rule: "AAEP-LIFE-004",
    says: "goes on after the end of a session",
    policy: sends(
      (event) => isOf(event, "session.completed"),
      (event) => [event, like(event, progress)],
    ),
  },
  {
    rule: "AAEP-STATE-002",
    says: "begins in another state than idle",
    policy: events("state.changed", ({ from_state: from }) => (from === "idle" ? { from_state: "deciding" } : {})),
  },
  {
    rule: "AAEP-TOOL-008",
    says: "leaves a call open",
    policy: sends(isLookUp, () => []),
  },
  {
    rule: "AAEP-TOOL-010",
    says: "completes a call under another id",
    policy: { event: (event) => (isLookUp(event) ? { ...event, tool_call_id: `${event.tool_call_id}z` } : event) },
  },
  {
    rule: "AAEP-CONF-027",
    says: "calls twice what was accepted once",
    policy: sends(
      (event) => isOf(event, "tool.completed") && event.tool === "pay",
      ({ status, ...event }) => {
        const id = { tool_call_id: `${event.tool_call_id}z` };
        const call = { type: "aaep:agent.tool.invoked", risk_level: "high", irreversible: true };
        return [
          { ...event, status: status as Json },
          like(event, { ...call, ...id }),
          like(event, { event_id: `${event.event_id}y`, status: status as Json, ...id }),
        ];
      },
    ),
  },
  {
    rule: "AAEP-ENV-017",
    says: "stamps progress with a moment before",
    policy: events("progress.updated", ({ timestamp }) => ({
      timestamp: new Date(Date.parse(String(timestamp)) - 500).toISOString(),
    })),
  },
];
