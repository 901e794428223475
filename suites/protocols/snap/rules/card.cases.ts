import { kept } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { b } from "./keys.ts";
import { added, removed, replaced } from "./messages.ts";
import { spoiltAddresses } from "./spoilt.ts";

const skill: JsonObject = { id: "lift", name: "Lift", description: "Lifts the bridge.", tags: ["bridge"] };

/** A card without fault by any rule. */
export const plainCard: JsonObject = {
  name: "Bridge Keeper",
  description: "Opens and shuts the bridges of a harbour.",
  version: "1.4.0",
  identity: b.address.main,
  skills: [skill],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
};

/** What the rules on cards are tried with. */
export function cardCases(): Cases[] {
  return [identities(), endpoints(), skills(), sizes(), versions()];
}

function identities(): Cases {
  const wrong = (name: string, says: string, value: string): InvalidCase => replaced(name, says, "/identity", value);
  return {
    rule: "SNAP-CARD-004",
    document: "agent-card",
    valid: [
      kept("mainnet", "is an address on mainnet", "/identity", plainCard),
      kept("testnet", "is an address on testnet", "/identity", { ...plainCard, identity: b.address.test }, true),
    ],
    invalid: [
      { ...wrong("checksum", "has another last character", spoiltAddresses.changedEnd), edge: true },
      wrong("bech32", "has a checksum of bech32, not bech32m", spoiltAddresses.bech32),
      wrong("other-network", "has the checksum of the same key on mainnet", spoiltAddresses.otherNetwork),
      wrong("padding", "has a padding bit set", spoiltAddresses.padding),
      wrong("off-curve", "holds 5, which is the x of no point", spoiltAddresses.offCurve),
      wrong("all-the-same", "has one letter for all, which the alphabet lacks", `bc1p${"b".repeat(58)}`),
    ],
  };
}

function endpoints(): Cases {
  const at = "/endpoints/0/url";
  const card = (protocol: string, url: string): JsonObject => ({ ...plainCard, endpoints: [{ protocol, url }] });
  const valid = (name: string, protocol: string, url: string, edge?: true): ValidCase =>
    kept(name, `suits the protocol ${protocol}`, at, card(protocol, url), edge);
  const doubtful = (name: string, url: string): InvalidCase => ({
    ...replaced(name, "is plain http on a host whose name may be public", at, url),
    level: "SHOULD",
  });
  return {
    rule: "SNAP-CARD-006",
    document: "agent-card",
    valid: [
      valid("https", "http", "https://bridge.example/snap"),
      valid("wss", "wss", "wss://bridge.example/socket"),
      valid("upper-case", "http", "HTTPS://bridge.example/snap", true),
      valid("own-machine", "http", "http://localhost:3000/snap", true),
      valid("loopback", "http", "http://127.0.0.1:3000/snap", true),
      valid("loopback-6", "http", "http://[::1]:3000/snap", true),
      valid("private-network", "http", "http://192.168.7.20/snap", true),
      valid("last-private", "http", "http://172.31.255.254/snap", true),
      valid("name-of-a-local-network", "http", "http://keeper.local/snap", true),
      valid("private-network-6", "http", "http://[fd00::7]/snap"),
      kept("none", "has no endpoints", "", plainCard),
      kept("both", "has an endpoint of either kind", "/endpoints", {
        ...plainCard,
        endpoints: [
          { protocol: "http", url: "https://bridge.example/snap" },
          { protocol: "wss", url: "wss://bridge.example/socket" },
        ],
      }),
    ],
    invalid: [
      replaced("http-wss", "is a socket for the protocol http", at, "wss://bridge.example/socket"),
      replaced("wss-https", "is no socket", at, "https://bridge.example/socket", "wss"),
      replaced("wss-ws", "is an unprotected socket", at, "ws://bridge.example/socket", "wss"),
      replaced("wss-ws-local", "is an unprotected socket of the own machine", at, "ws://localhost:3000/socket", "wss"),
      replaced("http-ftp", "is neither http nor https", at, "ftp://bridge.example/snap"),
      replaced("http-prefix", "begins like https and is not", at, "httpsx://bridge.example/snap"),
      { ...replaced("public-address", "is plain http at a public address", at, "http://172.32.0.1/snap"), edge: true },
      {
        ...replaced("public-4-in-6", "is plain http at a public address", at, "http://[::ffff:172.32.0.1]/snap"),
        edge: true,
      },
      replaced("public-address-6", "is plain http at a public address", at, "http://[2a00::7]/snap"),
      replaced("last-of-two", "is no socket", "/endpoints/1/url", "https://bridge.example/socket", "both"),
      doubtful("public-name", "http://bridge.example/snap"),
      doubtful("own-machine-in-a-longer-name", "http://localhost.bridge.example/snap"),
    ],
    disputed: [
      {
        ...replaced(
          "loopback-4-in-6",
          "is the own machine, four bytes in sixteen",
          at,
          "http://[::ffff:127.0.0.1]:3000/snap",
        ),
        readings: [
          { verdict: "valid", by: ["RFC 4291, 2.5.5.2"], why: "it is the address 127.0.0.1" },
          {
            verdict: "invalid",
            by: ["implementations"],
            why: "many libraries do not look inside, and take it for public",
          },
        ],
      },
    ],
  };
}

function skills(): Cases {
  const list = (...ids: string[]): JsonObject => ({ ...plainCard, skills: ids.map((id) => ({ ...skill, id })) });
  return {
    rule: "SNAP-CARD-009",
    document: "agent-card",
    valid: [
      kept("apart", "have ids of their own", "/skills", list("lift", "lower", "ring")),
      kept("hyphen", "have ids that differ in a hyphen", "/skills", list("lift-1", "lift1"), true),
      kept("same-name", "have ids of their own, and one name", "/skills", list("lift", "lift-again"), true),
    ],
    invalid: [
      replaced("neighbours", "is that of the skill before", "/skills/1/id", "lift"),
      replaced("first-and-last", "is that of the first skill", "/skills/2/id", "lift"),
      added("whole", "repeats a skill", "/skills/-", { ...skill }),
    ],
  };
}

function sizes(): Cases {
  const at = "/fill/times";
  const start: JsonObject = { ...plainCard, "x-note": "x" };
  const frame = Buffer.byteLength(JSON.stringify(start)) - 1;
  const large = (text: string, times: number): JsonObject => ({
    document: "agent-card",
    start,
    fill: { at: "/x-note", text, times },
  });
  const pairs = Math.floor((65_536 - frame) / 2);
  return {
    rule: "SNAP-CARD-013",
    document: "large",
    valid: [
      { name: "small", says: "makes a card of a few hundred bytes", at, data: large("x", 10) },
      { name: "limit", says: "makes a card of 65536 bytes", at, edge: true, data: large("x", 65_536 - frame) },
      {
        name: "pairs",
        says: "makes a card of at most 65536 bytes, two for most characters",
        at,
        data: large("\u00e9", pairs),
      },
      {
        name: "angles",
        says: "makes a card of 65536 bytes, nearly all of a sign that only HTML escapes",
        at,
        data: large("<", 65_536 - frame),
      },
    ],
    invalid: [
      { ...replaced("one-more", "makes a card of 65537 bytes", at, 65_537 - frame), edge: true },
      replaced("hundred-kilobytes", "makes a card of 100 kilobytes", at, 102_400 - frame),
      replaced(
        "pairs-one-more",
        "makes a card whose characters are below the limit, and whose bytes are not",
        at,
        pairs + 1,
        "pairs",
      ),
    ],
  };
}

function versions(): Cases {
  const at = "/protocolVersion";
  const card = (members: Record<string, Json>): JsonObject => ({ ...plainCard, ...members });
  return {
    rule: "SNAP-CARD-014",
    document: "agent-card",
    valid: [
      kept(
        "only-one",
        "is the one version that is supported",
        at,
        card({ protocolVersion: "0.1", supportedVersions: ["0.1"] }),
      ),
      kept(
        "last",
        "is the last that is supported",
        at,
        card({ protocolVersion: "0.1", supportedVersions: ["0.10", "0.2", "0.1"] }),
        true,
      ),
      kept("without-list", "stands alone", at, card({ protocolVersion: "0.2" }), true),
      kept("without-preference", "stand alone", "/supportedVersions", card({ supportedVersions: ["0.2"] }), true),
    ],
    invalid: [
      replaced("other", "is not one that is supported", at, "0.2"),
      replaced("longer", "begins like one that is supported", at, "0.11", "last"),
      replaced("shorter", "is the beginning of one that is supported", "/supportedVersions", ["0.10"]),
      removed("lacking", "lack the version that is preferred", "/supportedVersions/2", "last"),
    ],
  };
}
