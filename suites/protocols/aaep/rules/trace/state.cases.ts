import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { stampAt } from "./says.ts";
import { another, entry, place, session, varied } from "./session.ts";

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

/** The start, a gap, and a session that goes on. */
const unseen: JsonObject[] = [...called.slice(0, 1), { gap: "the connection was lost" }, ...called.slice(2)];
/** The change that announces the call is lost, and so is the one after it. */
const unannounced = called.toSpliced(5, 1).toSpliced(2, 1, { gap: "the connection was lost" });
/** The answer itself says that the agent is thinking again. */
const decided = { from_state: "thinking", to_state: "deciding" };
const answered = varied(session("start think wait ask reject think complete"), { 5: decided });
const answeredTwice = varied(session("start think wait ask reject think wait ask reject think complete"), {
  9: decided,
});
const elsewhere = session("start think wait ask reject think complete start think reach invoke return think complete");

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
      {
        name: "lost-by-the-recorder",
        says: "begins with a change before which another may have been missed",
        edge: true,
        data: unseen,
      },
    ],
    invalid: [
      {
        name: "from-thinking",
        says: "is no idle in the first change",
        from: "from-idle",
        change: add(place(plain, "state.changed", "from_state"), "thinking"),
      },
      {
        name: "idle-in-capitals",
        says: "is idle in capitals",
        from: "from-idle",
        change: add(place(plain, "state.changed", "from_state"), "Idle"),
      },
      {
        name: "second-session-goes-on",
        says: "goes on where the session before ended",
        from: "from-idle-again",
        change: add(place(twice, "state.changed", "from_state", 2), "thinking"),
      },
      {
        name: "second-agent-goes-on",
        says: "goes on where another agent is",
        from: "two-agents",
        change: add(place(agents, "state.changed", "from_state", 2), "thinking"),
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
      { name: "answered-elsewhere", says: "continues the chain after a session with an answer", data: elsewhere },
      { name: "two-agents", says: "has two agents, each with a chain of its own", edge: true, data: agents },
      {
        name: "lost-by-the-recorder",
        says: "has a break where a change may have been missed",
        edge: true,
        data: lossy,
      },
      {
        name: "implied-by-an-answer",
        says: "leaves a state that the answer to a question implies",
        edge: true,
        data: answered,
      },
      {
        name: "implied-by-two-answers",
        says: "leaves a state that the second of two answers implies",
        edge: true,
        data: answeredTwice,
      },
    ],
    invalid: [
      {
        name: "from-another",
        says: "is not the state that the last change led to",
        from: "unbroken",
        change: add(place(written, "state.changed", "from_state", 2), "deciding"),
      },
      {
        name: "change-left-out",
        says: "is not the state that the last change led to, for one is missing",
        from: "own-names",
        at: "/3/message/from_state",
        change: add(
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
        name: "other-than-answered",
        says: "is no state that the answer implies",
        from: "implied-by-an-answer",
        change: add(place(answered, "state.changed", "from_state", 3), "searching"),
        level: "SHOULD",
      },
      {
        name: "answered-in-another-session",
        says: "is a state that an answer in another session implies",
        from: "answered-elsewhere",
        change: add("/9/message/from_state", "deciding"),
      },
      {
        name: "other-than-implied",
        says: "is neither the last state nor one that the call implies",
        from: "implied-by-a-call",
        change: add(place(impliedOnce, "state.changed", "from_state", 4), "searching"),
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
      {
        name: "lost-by-the-recorder",
        says: "calls a tool, and its state change may have been missed",
        edge: true,
        data: unannounced,
      },
    ],
    invalid: [
      {
        name: "calling-unannounced",
        says: "is a call that no state change announces",
        from: "calling-announced",
        at: "/2/message",
        change: [
          ...add(place(called, "state.changed", "from_state", 3), "thinking"),
          ...remove(entry(called, "state.changed", 2)),
        ],
      },
      {
        name: "writing-unannounced",
        says: "is output that no state change announces",
        from: "writing-announced",
        at: "/2/message",
        change: [
          ...add(place(written, "state.changed", "from_state", 3), "thinking"),
          ...remove(entry(written, "state.changed", 2)),
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
        change: add(
          entry(forty, "session.completed"),
          another(forty, "progress.updated", { progress: { percent: 75 }, timestamp: stampAt(42) }, 40),
        ),
      },
      {
        name: "standing-still",
        says: "is the 41st update, again of the percentage before",
        from: "forty-fine-updates",
        change: add(
          entry(forty, "session.completed"),
          another(forty, "progress.updated", { timestamp: stampAt(42) }, 40),
        ),
      },
    ],
  },
];
