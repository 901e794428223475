import type { Cases, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { edKey, pulled, pushed, replace, stamp } from "./deliveries.ts";
import { answered, by, completed, fallenBack, response } from "./responses.ts";

const plain = answered("rye");
const state: JsonObject = { sealed: "k1.cXV4YXo", step: 2 };
const remembered = { ...plain, state };
const other: JsonObject = { in_reply_to: "msg_other", resolution_id: "res_c41d", channel: "push" };

function becomes(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "add", path, value }], ...(from === undefined ? {} : { from }) };
}

/** The hub delivers this state instead, with a signature that is in order. */
function brings(name: string, says: string, changed: Json): InvalidCase {
  const record = pushed({ ...remembered, state: changed }, { members: { sealed: state } });
  const change = ["body", "signature", "signed"].map((member) => replace(`/${member}`, record[member] as Json));
  return { name, says, at: "/body/state", change };
}

function taken(envelope: JsonObject, as: string): JsonObject {
  return pushed(envelope, { members: { taken_for: as } });
}

export const deliveryCases: Cases[] = [
  {
    rule: "AHCP-SIG-016",
    document: "delivery",
    valid: [
      {
        name: "default",
        says: "is taken for the default, as the actor says",
        at: "/taken_for",
        data: taken(fallenBack("rye"), "default"),
      },
      { name: "person", says: "is taken for a person's", at: "/taken_for", data: taken(plain, "person") },
      {
        name: "unsaid-default",
        says: "is taken for the default, although nothing but the actor says so",
        at: "/taken_for",
        edge: true,
        data: taken(response("expired", by("system:default_on_expire", { value: "rye" })), "default"),
      },
      {
        name: "other-agent",
        says: "names another agent than was signed for, as no agent is",
        at: "/body/agent",
        edge: true,
        data: { ...pushed(plain), body: { ...plain, agent: { id: "till", run_id: "run-1" } } },
      },
      {
        name: "denied-default",
        says: "is taken for the default, although defaulted was set to false on the way",
        at: "/taken_for",
        edge: true,
        data: { ...taken(fallenBack("rye"), "default"), body: { ...fallenBack("rye"), defaulted: false } },
      },
      {
        name: "agent",
        says: "is taken for an agent's",
        at: "/taken_for",
        data: taken(response("cancelled", by("agent:oven-watch")), "agent"),
      },
      {
        name: "system",
        says: "is taken for a system's",
        at: "/taken_for",
        data: taken(response("expired", by("system:expiry")), "system"),
      },
    ],
    invalid: [
      becomes("denied-and-believed", "is a person, as defaulted is false", "/taken_for", "person", "denied-default"),
      becomes(
        "unsaid-and-believed",
        "is a person, as defaulted is not there",
        "/taken_for",
        "person",
        "unsaid-default",
      ),
      becomes("person-for-default", "is the default, and the actor is a person", "/taken_for", "default", "person"),
      {
        name: "claimed-default",
        from: "person",
        says: "is the default, as a defaulted that nobody signed claims",
        at: "/taken_for",
        change: [replace("/body", JSON.stringify({ ...plain, defaulted: true })), replace("/taken_for", "default")],
      },
      becomes(
        "system-for-default",
        "is the default, and the actor is another system",
        "/taken_for",
        "default",
        "system",
      ),
      becomes("agent-for-person", "is a person, and the actor is an agent", "/taken_for", "person", "agent"),
    ],
    disputed: [
      {
        name: "claimed-default-ignored",
        from: "person",
        says: "claims a default on a person's answer, and is not believed",
        at: "/body",
        change: [replace("/body", JSON.stringify({ ...plain, defaulted: true }))],
        readings: [
          { verdict: "valid", by: ["specification §9.2"], why: "defaulted is a hint, and the signature holds" },
          { verdict: "invalid", by: ["schema"], why: "a default and a person's answer exclude each other" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-STA-002",
    document: "delivery",
    valid: [
      {
        name: "own-seal",
        says: "is the state that the agent sealed",
        at: "/body/state",
        data: pushed(remembered, { members: { sealed: state } }),
      },
      {
        name: "reordered",
        says: "is the state that the agent sealed, its members in another order",
        at: "/body/state",
        edge: true,
        data: pushed(
          { ...plain, state: { step: 2, sealed: "k1.cXV4YXo" } },
          { key: edKey, members: { sealed: state } },
        ),
      },
      {
        name: "pulled",
        says: "is the state that the agent sealed, read from the hub",
        at: "/body/state",
        data: pulled(remembered, { sealed: state }),
      },
      { name: "none", says: "has no state, as the agent sent none", at: "/body", data: pushed(plain) },
    ],
    invalid: [
      brings("corrupt", "is the sealed state with a letter changed", { ...state, sealed: "k1.cXV4YXp" }),
      brings("unsealed", "is a state without a seal", { step: 3 }),
      brings("empty", "is empty", {}),
      brings("of-another-agent", "is sealed by another agent", { sealed: "k2.dGlsbA", step: 2 }),
      brings("extended", "has a member beside what was sealed", { ...state, admin: true }),
      becomes(
        "corrupt-when-pulled",
        "is the sealed state with a letter changed, read from the hub",
        "/body/state/sealed",
        "k1.cXV4YXp",
        "pulled",
      ),
      becomes(
        "unsealed-when-pulled",
        "is a state without a seal, read from the hub",
        "/body/state",
        { step: 3 },
        "pulled",
      ),
    ],
    disputed: [
      {
        ...becomes("state-from-nowhere", "is a state, and the agent sealed none", "/body", remembered, "none"),
        change: ["body", "signature", "signed"].map((name) => replace(`/${name}`, pushed(remembered)[name] as Json)),
        readings: [
          { verdict: "valid", by: ["position"], why: "an agent that keeps no state there may leave it aside" },
          { verdict: "invalid", by: ["specification §9.3"], why: "it bears no seal of the agent" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-DLV-010",
    document: "delivery",
    valid: [
      { name: "first", says: "is the first on which to act", data: pushed(plain, { members: { acted: [] } }) },
      {
        name: "other-message",
        says: "is another message's outcome than the one acted on",
        data: pushed(plain, { members: { acted: [other] } }),
        edge: true,
      },
      {
        name: "other-outcome",
        says: "has another id of its outcome than the one acted on",
        edge: true,
        data: pushed(plain, {
          members: { acted: [{ in_reply_to: "msg_7f2a", resolution_id: "res_other", channel: "push" }] },
        }),
      },
    ],
    invalid: [
      becomes(
        "again",
        "is this outcome, on which the agent has acted",
        "/acted/0/in_reply_to",
        "msg_7f2a",
        "other-message",
      ),
      becomes(
        "second-of-two",
        "is this outcome, on which the agent has acted, among others",
        "/acted/1",
        { in_reply_to: "msg_7f2a", resolution_id: "res_c41d", channel: "push" },
        "other-outcome",
      ),
      {
        name: "freshly-signed",
        from: "first",
        says: "is this outcome, pushed before with another nonce",
        at: "/acted/0",
        change: [
          {
            op: "add",
            path: "/acted/-",
            value: { in_reply_to: "msg_7f2a", resolution_id: "res_c41d", channel: "push" },
          },
          {
            op: "add",
            path: "/seen",
            value: [{ jti: `${stamp.jti}2`, in_reply_to: "msg_7f2a", at: Number(stamp.t) - 30 }],
          },
        ],
      },
    ],
  },
  {
    rule: "AHCP-DLV-012",
    document: "delivery",
    valid: [
      { name: "pulled-first", says: "was read, and nothing has come before", data: pulled(completed, { acted: [] }) },
      {
        name: "pushed-after-another",
        says: "was pushed, and another outcome was read before",
        edge: true,
        data: pushed(plain, { members: { acted: [{ ...other, channel: "pull" }] } }),
      },
      {
        name: "pulled-after-another",
        says: "was read, and another outcome was pushed before",
        data: pulled(plain, { acted: [other] }),
      },
    ],
    invalid: [
      becomes(
        "pushed-after-pull",
        "is this outcome, which the agent read and acted on",
        "/acted/0/in_reply_to",
        "msg_7f2a",
        "pushed-after-another",
      ),
      becomes(
        "pulled-after-push",
        "is this outcome, which was pushed and acted on",
        "/acted/0/in_reply_to",
        "msg_7f2a",
        "pulled-after-another",
      ),
    ],
  },
];
