import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { plainCard } from "./card.cases.ts";
import { a, b, c } from "./keys.ts";
import { added, between, removed, replaced, request, said } from "./messages.ts";

const card: JsonObject = {
  ...plainCard,
  skills: [
    { id: "lift", name: "Lift", description: "Lifts the bridge.", tags: ["bridge"] },
    { id: "ring", name: "Ring the bell", description: "Warns whoever is on it.", tags: ["bell"] },
  ],
  endpoints: [
    { protocol: "http", url: "https://bridge.example/snap" },
    { protocol: "wss", url: "wss://bridge.example/socket" },
  ],
  nostrRelays: ["wss://relay.harbour.example"],
};

const tags: string[][] = [
  ["d", b.address.main],
  ["name", "Bridge Keeper"],
  ["version", "1.4.0"],
  ["skill", "lift", "Lift"],
  ["skill", "ring", "Ring the bell"],
  ["endpoint", "http", "https://bridge.example/snap"],
  ["endpoint", "wss", "wss://bridge.example/socket"],
  ["relay", "wss://relay.harbour.example"],
];

/** What the rules on events of Nostr are tried with. */
export function nostrCases(): Cases[] {
  return [keys(), tagging()];
}

function keys(): Cases {
  const message = request("message/send", { message: said });
  const onTestnet = request("message/send", { message: said }, { from: c.address.test, to: b.address.test });
  const carried = { kind: 21339, pubkey: a.internal, tags: [["p", b.internal]], message };
  const published: JsonObject = { kind: 31337, pubkey: b.internal, tags, card };
  return {
    rule: "SNAP-NOSTR-003",
    document: "nostr-event",
    valid: [
      { name: "message", says: "is the address of the event's key", at: "/message/from", data: carried },
      {
        name: "testnet",
        says: "is the address of the event's key on testnet",
        at: "/message/from",
        edge: true,
        data: { ...carried, kind: 4339, pubkey: c.internal, message: onTestnet },
      },
      { name: "card", says: "is the address of the event's key", at: "/card/identity", data: published },
    ],
    invalid: [
      replaced("foreign", "is a key of somebody else", "/pubkey", c.internal),
      { ...replaced("output-key", "is the output key of the sender", "/pubkey", a.output), edge: true },
      replaced("testnet-foreign", "is a key of somebody else", "/pubkey", a.internal, "testnet"),
      replaced("card-foreign", "is a key of somebody else", "/pubkey", a.internal, "card"),
      replaced("no-point", "is the x of no point", "/pubkey", "5".padStart(64, "0")),
      {
        name: "card-of-another",
        says: "is another identity, and so is its tag",
        from: "card",
        at: "/card/identity",
        change: between(published, {
          ...published,
          card: { ...card, identity: a.address.main },
          tags: [["d", a.address.main], ...tags.slice(1)],
        }),
      },
    ],
  };
}

function tagging(): Cases {
  const data: JsonObject = { kind: 31337, pubkey: b.internal, tags, card };
  const { endpoints: _endpoints, nostrRelays: _relays, ...unreachable } = card;
  const at = "/tags";
  return {
    rule: "SNAP-NOSTR-004",
    document: "nostr-event",
    valid: [
      { name: "all", says: "repeat what the card says", at, data },
      {
        name: "other-order",
        says: "repeat what the card says in another order",
        at,
        data: { ...data, tags: [...tags].reverse() },
      },
      {
        name: "other-tags",
        says: "have one besides, of another name",
        at,
        edge: true,
        data: { ...data, tags: [...tags, ["t", "bridges"]] },
      },
      {
        name: "nothing-to-repeat",
        says: "have no endpoint and no relay, as the card has none",
        at,
        edge: true,
        data: { ...data, card: unreachable, tags: tags.slice(0, 5) },
      },
    ],
    invalid: [
      replaced("other-identity", "is not the identity of the card", "/tags/0/1", a.address.main),
      {
        ...replaced("same-key-on-testnet", "is the identity on the other network", "/tags/0/1", b.address.test),
        edge: true,
      },
      removed("no-identity", "is missing", "/tags/0"),
      replaced("other-name", "is not the name of the card", "/tags/1/1", "bridge keeper"),
      removed("no-name", "is missing", "/tags/1"),
      replaced("other-version", "is not the version of the card", "/tags/2/1", "0.1"),
      removed("no-version", "is missing", "/tags/2"),
      removed("no-last-skill", "is missing, one skill of two", "/tags/4"),
      removed("skill-without-name", "lacks the name of the skill", "/tags/3/2"),
      replaced("skill-other-name", "has another name of the skill", "/tags/3/2", "lift"),
      added("skill-too-many", "is of a skill that the card does not have", "/tags/-", ["skill", "dive", "Dive"]),
      removed("no-endpoint", "is missing, one endpoint of two", "/tags/6"),
      replaced("endpoint-protocol", "has another protocol", "/tags/5/1", "wss"),
      replaced("endpoint-address", "has another address", "/tags/5/2", "https://bridge.example/"),
      removed("no-relay", "is missing", "/tags/7"),
      replaced("relay-address", "has another address", "/tags/7/1", "wss://relay.pier.example"),
      {
        name: "skills-in-one",
        says: "has both skills, which need one each",
        at: "/tags/3",
        change: [
          { op: "remove", path: "/tags/4" },
          { op: "replace", path: "/tags/3", value: ["skill", "lift", "Lift", "ring", "Ring the bell"] },
        ],
      },
    ],
  };
}
