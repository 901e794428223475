import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import {
  askFor,
  attend,
  directiveFor,
  patienceMs,
  quietMs,
  readActions,
  requireAction,
  type Senders,
  timesActed,
  until,
  waitForAction,
} from "./mail-steps.ts";

const side = "agent";

const actsOnce: Scenario = {
  name: "agent-mail-once",
  side,
  says: "an agent acts once on each entry, in any order and even if it is repeated, and acknowledges it afterwards",
  rules: ["MA2H-CNS-006", "MA2H-CNS-007", "MA2H-CNS-013"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const acknowledgedEarly = new Set<string>();
    const acknowledgedIds = new Set<string>();
    let entryIds: string[] = [];
    const hub = await attend(context, {
      async acknowledged(keys) {
        for (const key of keys.filter((id) => entryIds.includes(id))) {
          if ((await timesActed(context, key)) === 0) acknowledgedEarly.add(key);
          acknowledgedIds.add(key);
        }
      },
    });
    const now = Date.now();
    const timestampAt = (offsetMs: number): string => new Date(now + offsetMs).toISOString();
    const [newer, older] = [
      directiveFor(context, hub, { created_at: timestampAt(0) }),
      directiveFor(context, hub, { created_at: timestampAt(-60_000) }),
    ];
    const ask = askFor(context, hub);
    entryIds = [newer, older, ask].map(({ id }) => String(id));
    const hasActed: boolean[] = [];
    for (const payload of [newer, older, ask]) {
      hub.put({ kind: payload === ask ? "message" : "directive", payload });
      hasActed.push(await waitForAction(context, String(payload.id)));
    }
    if (!hasActed[0]) throw new TargetSkip("the agent does not act on a correct directive");
    context.expect("MA2H-CNS-013", hasActed[1] === true, "after a newer directive it does not act on an older one");
    const areAcknowledged = (): boolean => entryIds.every((id, index) => !hasActed[index] || acknowledgedIds.has(id));
    const acknowledgedList = [...acknowledgedIds].join(", ") || "none of them";
    const why = `it acts on ${entryIds.join(", ")}, and acknowledges ${acknowledgedList}`;
    context.expect("MA2H-CNS-007", await until(context, areAcknowledged), why);
    // An agent may acknowledge an entry that it refuses.
    const earlyIds = entryIds.filter((id, index) => hasActed[index] && acknowledgedEarly.has(id));
    context.expect("MA2H-CNS-007", earlyIds.length === 0, `it acknowledges ${earlyIds.join(", ")} before it acts`);
    for (const payload of [newer, ask]) hub.put({ kind: payload === ask ? "message" : "directive", payload });
    await context.wait(quietMs);
    for (const [index, id] of entryIds.entries()) {
      const times = await timesActed(context, id);
      if (hasActed[index]) context.expect("MA2H-CNS-006", times === 1, `it acted ${times} times on a repeated entry`);
    }
  },
};

const rejectsForms: Scenario = {
  name: "agent-mail-forms",
  side,
  says: "an agent does not act on an entry with members that its kind must not have, even if the signature is valid",
  rules: ["MA2H-CNS-002"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context);
    await requireAction(context, hub);
    const cases: [name: string, kind: "directive" | "message", payload: JsonObject][] = [
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
    for (const [, kind, payload] of cases) hub.put({ kind, payload });
    await requireAction(context, hub);
    await context.wait(quietMs);
    for (const [name, , { id }] of cases) {
      const times = await timesActed(context, String(id));
      context.expect("MA2H-CNS-002", times === 0, `it acts on ${name}`);
    }
  },
};

const ignoresUnsigned: Scenario = {
  name: "agent-mail-unsigned-members",
  side,
  says: "members that are not signed neither reach an action nor decide whether there is one",
  rules: ["MA2H-CNS-003", "MA2H-CNS-009"],
  needs: ["attend", "acted"],
  withinMs: 60_000,
  async play(context) {
    const hub = await attend(context, {}, ["friend"]);
    await requireAction(context, hub);
    const canary = context.fresh("canary");
    const plainAsk = askFor(context, hub);
    hub.put({ kind: "message", payload: plainAsk });
    const actsOnPlainAsk = await waitForAction(context, String(plainAsk.id));
    const annotatedAsk = askFor(context, hub);
    const agent = { id: "friend", run_id: "run", runtime: "cloud", note: canary };
    hub.put({ kind: "message", payload: annotatedAsk, unsigned: { urgent_note: canary, agent } });
    const alteredAsk = askFor(context, hub);
    const alteration = {
      created_at: "2020-01-01T00:00:00Z",
      agent: { id: "stranger", run_id: "other", runtime: "cloud" },
    };
    hub.put({ kind: "message", payload: alteredAsk, unsigned: alteration });
    const directive = directiveFor(context, hub);
    const directiveAlteration = { sensitive: true, created_at: "2020-01-01T00:00:00Z" };
    hub.put({ kind: "directive", payload: directive, unsigned: directiveAlteration });
    const actsOnAlteredAsk = await waitForAction(context, String(alteredAsk.id));
    const actsOnDirective = await waitForAction(context, String(directive.id));
    await context.wait(quietMs);
    const actionsText = JSON.stringify(await readActions(context));
    const whyReached = "an unknown member that is not signed reaches its action";
    context.expect("MA2H-CNS-003", !actionsText.includes(canary), whyReached);
    const whyAsk = `it ${actsOnAlteredAsk ? "acts" : "does not act"} on an ask with altered created_at and agent`;
    context.expect("MA2H-CNS-009", actsOnAlteredAsk === actsOnPlainAsk, whyAsk);
    const whyDirective = "it does not act on a directive with altered created_at and sensitive";
    context.expect("MA2H-CNS-009", actsOnDirective, whyDirective);
  },
};

const respectsSenderPolicy: Scenario = {
  name: "agent-mail-senders",
  side,
  waits: patienceMs + 2 * quietMs,
  says: "an agent acts on an ask only if its sender policy allows the agent in `from`",
  rules: ["MA2H-CNS-008"],
  needs: ["attend", "acted"],
  withinMs: 90_000,
  async play(context) {
    const cases: [senders: Senders, from: string, policy: string, isAllowed: boolean][] = [
      [null, "friend", "no policy", false],
      [["colleague"], "friend", "a policy for another agent", false],
      [["friend"], "friend", "a policy for this agent", true],
      ["any", "friend", "a policy for any agent", true],
    ];
    for (const [senders, from, policy, isAllowed] of cases) {
      const hub = await attend(context, {}, senders);
      await requireAction(context, hub);
      // The unsigned member names an agent that the policy allows.
      const ask = askFor(context, hub, {
        from: `agent:${from}`,
        agent: { id: "colleague", run_id: "run", runtime: "cloud" },
      });
      hub.put({ kind: "message", payload: ask });
      const id = String(ask.id);
      if (!isAllowed) await context.wait(quietMs);
      const hasActed = isAllowed ? await waitForAction(context, id) : (await timesActed(context, id)) > 0;
      const why = `with ${policy} it ${hasActed ? "acts" : "does not act"} on an ask from agent:${from}`;
      context.expect("MA2H-CNS-008", hasActed === isAllowed, why);
    }
  },
};

/** Scenarios of an agent that receives mail. */
export const mailReaders: readonly Scenario[] = [actsOnce, rejectsForms, ignoresUnsigned, respectsSenderPolicy];
