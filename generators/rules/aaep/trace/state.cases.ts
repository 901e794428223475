import type { JsonObject } from "../../../../schemas/index.ts";
import type { Cases } from "../../rule.ts";
import { drop, put } from "../messages.ts";
import { stampAt } from "./says.ts";
import { another, entry, place, session } from "./session.ts";

const plain = session("start think complete");
const called = session("start think reach invoke return think complete");
const written = session("start think write chunk last think complete");
const twice = session("start think complete start think complete");
const joined: JsonObject[] = [{ gap: "joined in mid-session" }, ...called.slice(3)];
const lossy = called.toSpliced(4, 1, { gap: "the connection was lost" }).toSpliced(2, 1);
/** Two agents in one session, each with a chain of its own. */
const agents = session("start think complete").toSpliced(
  2,
  0,
  another(plain, "state.changed", { producer: { agent_id: "tide-clerk" } }),
);
/** The call itself says that the agent is calling a tool. */
const implied = called.toSpliced(2, 1);
const impliedOnce = session("start think reach invoke return think reach invoke return think complete").toSpliced(6, 1);

/** Updates whose percentages rise by a stride. */
function updated(count: number, stride: number): JsonObject[] {
  const steps = `start think ${"update ".repeat(count)}complete`;
  return session(steps).map((each) => {
    const message = each.message as JsonObject;
    if (message.type !== "aaep:agent.progress.updated") return each;
    const { step } = message.progress as { step: number };
    return { ...each, message: { ...message, progress: { percent: (step - 1) * stride } } };
  });
}
const forty = updated(40, 1.9);
const coarse = updated(41, 2);
const mixed = updated(41, 1.9).map((each, index) =>
  index === 22 ? { ...each, message: { ...(each.message as JsonObject), progress: { percent: 60 } } } : each,
);

export const stateCases: readonly Cases[] = [
  {
    rule: "AAEP-STATE-002",
    document: "session",
    valid: [
      { name: "from-idle", says: "leaves idle first", data: plain },
      { name: "from-idle-again", says: "leaves idle first in each session", edge: true, data: twice },
      { name: "two-agents", says: "has two agents that leave idle", edge: true, data: agents },
      { name: "joined", says: "begins after a gap, in the middle of the chain", edge: true, data: joined },
    ],
    invalid: [
      {
        name: "from-thinking",
        says: "is no idle in the first change",
        from: "from-idle",
        change: put(place(plain, "state.changed", "from_state"), "thinking"),
      },
      {
        name: "idle-in-capitals",
        says: "is idle in capitals",
        from: "from-idle",
        change: put(place(plain, "state.changed", "from_state"), "Idle"),
      },
      {
        name: "second-session-goes-on",
        says: "goes on where the session before ended",
        from: "from-idle-again",
        change: put(place(twice, "state.changed", "from_state", 2), "thinking"),
      },
      {
        name: "second-agent-goes-on",
        says: "goes on where another agent is",
        from: "two-agents",
        change: put(place(agents, "state.changed", "from_state", 2), "thinking"),
      },
    ],
  },
  {
    rule: "AAEP-STATE-003",
    document: "session",
    valid: [
      { name: "unbroken", says: "continues the chain with each change", data: written },
      { name: "implied-by-a-call", says: "leaves a state that a call implies", edge: true, data: impliedOnce },
      {
        name: "own-names",
        says: "has states that nobody has named before",
        edge: true,
        data: plain.toSpliced(
          2,
          0,
          another(plain, "state.changed", {
            from_state: "thinking",
            to_state: "watching_the_tide",
            timestamp: stampAt(2),
          }),
        ),
      },
      { name: "two-agents", says: "has two agents, each with a chain of its own", edge: true, data: agents },
      {
        name: "lost-by-the-recorder",
        says: "has a break where a change may have been missed",
        edge: true,
        data: lossy,
      },
    ],
    invalid: [
      {
        name: "from-another",
        says: "is not the state that the last change led to",
        from: "unbroken",
        change: put(place(written, "state.changed", "from_state", 2), "deciding"),
      },
      {
        name: "change-left-out",
        says: "is not the state that the last change led to, for one is missing",
        from: "own-names",
        at: "/3/message/from_state",
        change: put(
          "/3",
          another(plain, "state.changed", {
            event_id: "evt_third",
            from_state: "calling_tool",
            to_state: "thinking",
            timestamp: stampAt(2),
          }),
        ),
      },
      {
        name: "other-than-implied",
        says: "is neither the last state nor one that the call implies",
        from: "implied-by-a-call",
        change: put(place(impliedOnce, "state.changed", "from_state", 4), "searching"),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-STATE-004",
    document: "session",
    valid: [
      { name: "calling-announced", says: "announces that it calls a tool", data: called },
      { name: "writing-announced", says: "announces that it writes", data: written },
      { name: "left-only", says: "announces the end of the call alone", edge: true, data: implied },
      { name: "neither", says: "neither calls nor writes, and announces neither", data: plain },
    ],
    invalid: [
      {
        name: "calling-unannounced",
        says: "is a call that no state change announces",
        from: "calling-announced",
        at: "/2/message",
        change: [
          ...put(place(called, "state.changed", "from_state", 3), "thinking"),
          ...drop(entry(called, "state.changed", 2)),
        ],
      },
      {
        name: "writing-unannounced",
        says: "is output that no state change announces",
        from: "writing-announced",
        at: "/2/message",
        change: [
          ...put(place(written, "state.changed", "from_state", 3), "thinking"),
          ...drop(entry(written, "state.changed", 2)),
        ],
      },
    ],
  },
  {
    rule: "AAEP-PROG-003",
    document: "session",
    valid: [
      { name: "forty-fine-updates", says: "has 40 updates in fine steps", edge: true, data: forty },
      { name: "coarse-enough", says: "has 41 updates in steps of 2 %", edge: true, data: coarse },
      { name: "one-stride-between", says: "has 41 updates, and one coarse step among them", edge: true, data: mixed },
    ],
    invalid: [
      {
        name: "one-more-fine-update",
        says: "is the 41st update in steps of less than 2 %",
        from: "forty-fine-updates",
        change: put(
          entry(forty, "session.completed"),
          another(forty, "progress.updated", { progress: { percent: 75 }, timestamp: stampAt(42) }, 40),
        ),
      },
      {
        name: "standing-still",
        says: "is the 41st update, again of the percentage before",
        from: "forty-fine-updates",
        change: put(
          entry(forty, "session.completed"),
          another(forty, "progress.updated", { timestamp: stampAt(42) }, 40),
        ),
      },
    ],
  },
];
