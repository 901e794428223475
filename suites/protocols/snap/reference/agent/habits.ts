import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentDecisions } from "./agent.ts";
import { terminal } from "./policy.ts";
import type { AgentChoice } from "./tempos.ts";

/** Returns the same instant in the time zone of India, with nine fractional digits. */
function inIndia(time: string): string {
  const offsetMinutes = 5 * 60 + 30;
  const indianTime = new Date(Date.parse(time) + offsetMinutes * 60_000).toISOString();
  return `${indianTime.slice(0, -1)}000007+05:30`;
}

/** Makes a choice that leaves some messages unsigned. */
const unsignedChoice = (
  name: string,
  says: string,
  freedom: string,
  isUnsigned: (message: JsonObject, isRefusal: boolean) => boolean,
): AgentChoice => ({
  name,
  kind: "freedom",
  freedoms: [freedom],
  says,
  policy: ({ signs }): Partial<AgentDecisions> => ({
    signs: (message, sign, about) =>
      isUnsigned(message, about.fault !== undefined) ? message : signs(message, sign, about),
  }),
});

/** Behaviour of conforming agents that the reference does not have. */
export const agentHabits: readonly AgentChoice[] = [
  unsignedChoice(
    "signs-no-events",
    "leaves the events of a stream unsigned",
    "signed-responses",
    ({ type }) => type === "event",
  ),
  unsignedChoice(
    "signs-no-refusals",
    "leaves its refusals unsigned",
    "unsigned-answers",
    (_message, isRefusal) => isRefusal,
  ),
  {
    name: "forgets-what-is-over",
    kind: "freedom",
    freedoms: ["forgotten-tasks"],
    says: "keeps no finished task",
    // It refuses every request about a finished task as unknown, which hides these mistakes.
    moots: [
      "breaks-SNAP-PAY-004",
      "breaks-SNAP-TASK-010",
      "breaks-SNAP-TIME-001-tasks",
      "breaks-SNAP-SIG-009-reads",
      "breaks-SNAP-RCPT-002-reads",
    ],
    policy: ({ isShown }) => ({ isShown: (task, from) => !terminal.includes(task.state) && isShown(task, from) }),
  },
  {
    name: "extends-its-answers",
    kind: "freedom",
    freedoms: [],
    says: "adds its own members to its messages",
    policy: ({ editMessage }) => ({
      editMessage(message, about) {
        const edited = editMessage(message, about);
        return edited && { ...edited, "x-trace": { spans: [1, { of: null }] }, "x-0": null };
      },
    }),
  },
  {
    name: "tells-local-time",
    kind: "freedom",
    freedoms: [],
    says: "gives times with an offset, and nine digits",
    policy: ({ reportTask: baseReport }) => ({
      reportTask(task, ownedTask) {
        const { status, ...otherMembers } = baseReport(task, ownedTask);
        if (!isObject(status) || typeof status.timestamp !== "string") return baseReport(task, ownedTask);
        return { ...otherMembers, status: { ...status, timestamp: inIndia(status.timestamp) } };
      },
    }),
  },
];
