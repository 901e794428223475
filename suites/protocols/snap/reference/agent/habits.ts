import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { AgentDecisions } from "./agent.ts";
import { terminal } from "./policy.ts";
import type { AgentChoice } from "./tempos.ts";

/** The same instant in India's time zone, with more digits than a clock has. */
function inIndia(time: string): string {
  const minutes = 330;
  const indianTime = new Date(Date.parse(time) + minutes * 60_000).toISOString();
  return `${indianTime.slice(0, -1)}000007+05:30`;
}

const signing = (
  name: string,
  says: string,
  freedom: string,
  leaves: (message: JsonObject, isRefusal: boolean) => boolean,
): AgentChoice => ({
  name,
  kind: "freedom",
  freedoms: [freedom],
  says,
  policy: ({ signs }): Partial<AgentDecisions> => ({
    signs: (message, sign, about) =>
      leaves(message, about.fault !== undefined) ? message : signs(message, sign, about),
  }),
});

/** Behaviour of right agents by other authors that the reference does not have. */
export const agentHabits: readonly AgentChoice[] = [
  signing(
    "signs-no-events",
    "leaves the events of a stream unsigned",
    "signed-responses",
    ({ type }) => type === "event",
  ),
  signing("signs-no-refusals", "leaves its refusals unsigned", "unsigned-answers", (_message, isRefusal) => isRefusal),
  {
    name: "forgets-what-is-over",
    kind: "freedom",
    freedoms: ["forgotten-tasks"],
    says: "keeps no finished task",
    // Refuses requests about a finished task, even if they have another fault.
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
      reportTask(task, of) {
        const { status, ...otherMembers } = baseReport(task, of);
        if (!isObject(status) || typeof status.timestamp !== "string") return baseReport(task, of);
        return { ...otherMembers, status: { ...status, timestamp: inIndia(status.timestamp) } };
      },
    }),
  },
];
