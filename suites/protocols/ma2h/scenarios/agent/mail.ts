import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import {
  actions,
  acts,
  askFor,
  attend,
  directiveFor,
  mustAct,
  patienceMs,
  quietMs,
  type Senders,
  timesActed,
  until,
} from "./mail-steps.ts";

const side = "agent";

const actsOnce: Scenario = {
  name: "agent-mail-once",
  side,
  says: "an agent acts once on each entry, in any order and even if it comes again, and acknowledges it afterwards",
  rules: ["MA2H-CNS-006", "MA2H-CNS-007", "MA2H-CNS-013"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const early = new Set<string>();
    const taken = new Set<string>();
    let entries: string[] = [];
    const hub = await attend(context, {
      async acknowledged(keys) {
        for (const key of keys.filter((each) => entries.includes(each))) {
          if ((await timesActed(context, key)) === 0) early.add(key);
          taken.add(key);
        }
      },
    });
    const now = Date.now();
    const at = (offset: number): string => new Date(now + offset).toISOString();
    const [newer, older] = [
      directiveFor(context, hub, { created_at: at(0) }),
      directiveFor(context, hub, { created_at: at(-60_000) }),
    ];
    const ask = askFor(context, hub);
    entries = [newer, older, ask].map(({ id }) => String(id));
    const hasActed: boolean[] = [];
    for (const payload of [newer, older, ask]) {
      hub.put({ kind: payload === ask ? "message" : "directive", payload });
      hasActed.push(await acts(context, String(payload.id)));
    }
    if (!hasActed[0]) throw new TargetSkip("the agent does not act on a right directive");
    context.expect("MA2H-CNS-013", hasActed[1] === true, "after a newer directive it does not act on an older one");
    const areTaken = (): boolean => entries.every((id, index) => !hasActed[index] || taken.has(id));
    const why = `it acts on ${entries.join(", ")}, and acknowledges ${[...taken].join(", ") || "none of them"}`;
    context.expect("MA2H-CNS-007", await until(context, areTaken), why);
    // An agent may acknowledge an entry that it refuses.
    const wrong = entries.filter((id, index) => hasActed[index] && early.has(id));
    context.expect("MA2H-CNS-007", wrong.length === 0, `it acknowledges ${wrong.join(", ")} before it acts`);
    for (const payload of [newer, ask]) hub.put({ kind: payload === ask ? "message" : "directive", payload });
    await context.wait(quietMs);
    for (const [index, id] of entries.entries()) {
      const times = await timesActed(context, id);
      if (hasActed[index])
        context.expect("MA2H-CNS-006", times === 1, `on an entry that came again it acted ${times} times`);
    }
  },
};

const rejectsForms: Scenario = {
  name: "agent-mail-forms",
  side,
  says: "an agent acts on no entry with members that such an entry never has, though its signature is right",
  rules: ["MA2H-CNS-002"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await mustAct(context, hub);
    const wrong: [string, "directive" | "message", JsonObject][] = [
      ["a directive with a request", "directive", directiveFor(context, hub, { request: { mode: "confirm" } })],
      ["a directive with an action", "directive", directiveFor(context, hub, { action: { instructions: "Go." } })],
      ["a directive with a state", "directive", directiveFor(context, hub, { state: {} })],
      ["a message with a state", "message", askFor(context, hub, { state: {} })],
      ["a message with a client_ref", "message", askFor(context, hub, { client_ref: "mine" })],
      [
        "a message with a callback",
        "message",
        askFor(context, hub, { request: { mode: "confirm", callback: { mode: "pull" } } }),
      ],
      ["a message of version 0.4", "message", askFor(context, hub, { ma2h_version: "0.4" })],
    ];
    for (const [, kind, payload] of wrong) hub.put({ kind, payload });
    await mustAct(context, hub);
    await context.wait(quietMs);
    for (const [words, , { id }] of wrong) {
      const times = await timesActed(context, String(id));
      context.expect("MA2H-CNS-002", times === 0, `it acts on ${words}`);
    }
  },
};

const ignoresUnsigned: Scenario = {
  name: "agent-mail-unsigned-members",
  side,
  says: "members that are not signed reach no action, and decide on none",
  rules: ["MA2H-CNS-003", "MA2H-CNS-009"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context, {}, ["friend"]);
    await mustAct(context, hub);
    const canary = context.fresh("canary");
    const plain = askFor(context, hub);
    hub.put({ kind: "message", payload: plain });
    const isUsual = await acts(context, String(plain.id));
    const odd = askFor(context, hub);
    const agent = { id: "friend", run_id: "run", runtime: "cloud", note: canary };
    hub.put({ kind: "message", payload: odd, unsigned: { urgent_note: canary, agent } });
    const other = askFor(context, hub);
    const moved = { created_at: "2020-01-01T00:00:00Z", agent: { id: "stranger", run_id: "other", runtime: "cloud" } };
    hub.put({ kind: "message", payload: other, unsigned: moved });
    const marked = directiveFor(context, hub);
    hub.put({ kind: "directive", payload: marked, unsigned: { sensitive: true, created_at: "2020-01-01T00:00:00Z" } });
    const hasActed = await acts(context, String(other.id));
    const onMarked = await acts(context, String(marked.id));
    await context.wait(quietMs);
    const told = JSON.stringify(await actions(context));
    context.expect(
      "MA2H-CNS-003",
      !told.includes(canary),
      "a member that is unknown and not signed reaches its action",
    );
    const why = `with another created_at and agent it ${hasActed ? "acts" : "does not act"} on an ask`;
    context.expect("MA2H-CNS-009", hasActed === isUsual, why);
    context.expect("MA2H-CNS-009", onMarked, "with another created_at and sensitive it does not act on a directive");
  },
};

const respectsSenderPolicy: Scenario = {
  name: "agent-mail-senders",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent acts on asks of other agents only under its policy on senders, which looks at `from`",
  rules: ["MA2H-CNS-008"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const cases: [Senders, string, string, boolean][] = [
      [null, "friend", "no policy", false],
      [["colleague"], "friend", "a policy for another agent", false],
      [["friend"], "friend", "a policy for this agent", true],
      ["any", "friend", "a policy for any agent", true],
    ];
    for (const [senders, from, words, isDue] of cases) {
      const hub = await attend(context, {}, senders);
      await mustAct(context, hub);
      // The unsigned member names an agent that the policy allows.
      const ask = askFor(context, hub, {
        from: `agent:${from}`,
        agent: { id: "colleague", run_id: "run", runtime: "cloud" },
      });
      hub.put({ kind: "message", payload: ask });
      const id = String(ask.id);
      if (!isDue) await context.wait(quietMs);
      const hasActed = isDue ? await acts(context, id) : (await timesActed(context, id)) > 0;
      const why = `with ${words} it ${hasActed ? "acts" : "does not act"} on an ask from agent:${from}`;
      context.expect("MA2H-CNS-008", hasActed === isDue, why);
    }
  },
};

/** Scenarios of an agent that receives mail. */
export const mailReaders: readonly Scenario[] = [actsOnce, rejectsForms, ignoresUnsigned, respectsSenderPolicy];
