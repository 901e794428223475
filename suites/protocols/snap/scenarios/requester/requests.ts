import { type JsonObject, type Scenario, TargetFailure } from "../../../../../schemas/index.ts";
import { keyB } from "../../rules/keys.ts";
import { freshId, judgeInstances, messageOf, nowInSeconds } from "../parties.ts";
import { rightAgent, sendFrom } from "./asking.ts";
import { cardFor, endpointOver } from "./stub.ts";

const side = "requester";
const signingRules = ["SNAP-SIG-001", "SNAP-SIG-002", "SNAP-SIG-003", "SNAP-SIG-004", "SNAP-SIG-005"];

/** The maximum difference of a timestamp from now, in seconds. */
const maxOffset = 60;

/** Makes a payload that JSON serializers write differently. */
function trickyPayload(id: string): JsonObject {
  const data = {
    ü: "é e\u0301\u2028",
    "10": 1e21,
    "9": 0.000001,
    Z: "a/b",
    a: [1, -0.5, true, null],
    "\u{1f426}": '\\"\u0007',
    "\uff5e": "2 < 3 & 5 > 4",
    none: null,
    no: false,
    empty: ["", [], {}, 0],
  };
  return { message: { messageId: id, role: "user", parts: [{ data }] } };
}

export const requests: readonly Scenario[] = [
  {
    name: "requests-http",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "a request is the JSON body of a POST, and names the version in a header",
    rules: ["SNAP-HTTP-001", "SNAP-HTTP-002"],
    async play(context) {
      const stub = await rightAgent(context);
      const { summary } = await sendFrom(context, cardFor([endpointOver(stub)]));
      const [firstRequest] = stub.seen;
      if (firstRequest === undefined)
        throw new TargetFailure(
          "errored",
          "hook",
          `the requester sends nothing to an agent over plain HTTP: ${summary}`,
        );
      const type = firstRequest.headers["content-type"] ?? "";
      const isRight =
        firstRequest.method === "POST" && firstRequest.path === "/snap" && /^application\/json\s*(;|$)/i.test(type);
      context.expect(
        "SNAP-HTTP-001",
        isRight,
        `a message is sent by ${firstRequest.method} to ${firstRequest.path}, as "${type}"`,
      );
      context.expect("SNAP-HTTP-001", firstRequest.message !== undefined, "the body of a request is not a JSON object");
      const version = firstRequest.headers["snap-version"];
      context.expect(
        "SNAP-HTTP-002",
        version === "0.1",
        `a request has the header SNAP-Version: ${version ?? "(none)"}`,
      );
    },
  },
  {
    name: "requests-signed",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "a request has its form, the second of its sending, the network of its recipient, and a signature over its content",
    rules: ["SNAP-ENV-003", "SNAP-ENV-011", "SNAP-TIME-001", "SNAP-ADDR-006", ...signingRules],
    async play(context) {
      const stub = await rightAgent(context);
      const secondsBefore = await nowInSeconds(context);
      const card = cardFor([endpointOver(stub)]);
      await sendFrom(context, card);
      await sendFrom(context, card, trickyPayload(freshId(context, "turn")));
      await sendFrom(context, { ...card, identity: keyB.address.test });
      const secondsAfter = await nowInSeconds(context);
      for (const { message } of stub.seen) {
        if (message === undefined) continue;
        await judgeInstances(context, "envelope", {
          instance: message,
          rules: ["SNAP-ENV-003", "SNAP-ADDR-006", ...signingRules],
          what: "a request: ",
        });
        const stamp = Number(message.timestamp);
        const subject = `a request is stamped ${JSON.stringify(message.timestamp)}`;
        const isWholeNumber = Number.isInteger(message.timestamp) && stamp >= 0;
        context.expect("SNAP-ENV-011", isWholeNumber, `${subject}, which is not a whole number of seconds`);
        const isCurrent = stamp >= secondsBefore - maxOffset && stamp <= secondsAfter + maxOffset;
        context.expect(
          "SNAP-TIME-001",
          isCurrent,
          `${subject} at ${secondsAfter}, so that its recipient must refuse it`,
        );
      }
    },
  },
  {
    name: "requests-ids",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "no two requests have the same id",
    rules: ["SNAP-REPLAY-006"],
    async play(context) {
      const stub = await rightAgent(context);
      const card = cardFor([endpointOver(stub)]);
      for (let count = 0; count < 8; count++) await sendFrom(context, card, messageOf(context, `Number ${count}.`));
      const ids = stub.seen.map(({ message }) => String(message?.id));
      const repeatedId = ids.find((id, index) => ids.indexOf(id) !== index);
      if (ids.length === 0) return;
      context.expect(
        "SNAP-REPLAY-006",
        repeatedId === undefined,
        `the id ${repeatedId} occurs in more than one of ${ids.length} requests`,
      );
    },
  },
  {
    name: "requests-version",
    side,
    needs: ["send"],
    withinMs: 60_000,
    says: "a request uses a version of its recipient; without a common version, nothing is sent",
    rules: ["SNAP-VER-001", "SNAP-VER-003"],
    async play(context) {
      const first = await rightAgent(context);
      await sendFrom(context, cardFor([endpointOver(first)]));
      for (const { message } of first.seen)
        context.expect(
          "SNAP-VER-001",
          message === undefined || message.version === "0.1",
          `a request to an agent that speaks only version 0.1 has version ${message?.version}`,
        );
      // The agent supports a future version and the present one, in either order.
      for (const supportedVersions of [
        ["0.1", "97.3"],
        ["97.3", "0.1"],
      ]) {
        const newer = await rightAgent(context);
        await sendFrom(context, cardFor([endpointOver(newer)], { protocolVersion: "0.1", supportedVersions }));
        for (const { message } of newer.seen) {
          const why = `a request to an agent that speaks versions ${supportedVersions.join(" and ")} has version ${message?.version}`;
          context.expect("SNAP-VER-001", message === undefined || message.version === "0.1", why);
        }
      }
      const stub = await rightAgent(context);
      const card = cardFor([endpointOver(stub)], { protocolVersion: "97.3", supportedVersions: ["97.3", "97.4"] });
      const { error, summary } = await sendFrom(context, card);
      const count = stub.seen.length;
      context.expect(
        "SNAP-VER-003",
        count === 0,
        `${count} messages are sent to an agent that speaks only version 97.3`,
      );
      context.expect(
        "SNAP-VER-003",
        error !== undefined,
        `sending to an agent with only version 97.3 is not an error: ${summary}`,
      );
    },
  },
];
