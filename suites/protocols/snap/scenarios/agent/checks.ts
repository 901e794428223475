import { bech32, bech32m } from "@scure/base";
import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { networkOf, otherNetworkOf, prefixes } from "../../rules/address.ts";
import { keyA, keyC } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import { digestOf, sign, signedBytes, signedOf } from "../../rules/signature.ts";
import {
  ask,
  breakSeal,
  freshId,
  messageOf,
  nowInSeconds,
  type Peer,
  peerOf,
  request,
  requestWith,
  requireTask,
  sendAccepted,
  stateOf,
} from "../parties.ts";
import { checkNothingAdded, startTask } from "./effects.ts";
import { hadNoEffect } from "./signatures.ts";

/** Changes an address so that its checksum is wrong. */
function breakAddress(address: string): string {
  return `${address.slice(0, -1)}${address.endsWith("q") ? "p" : "q"}`;
}

/** Encodes an address with the checksum of bech32, which older addresses use. */
function encodeAsBech32(address: string): string {
  const { words } = bech32m.decode(address as `${string}1${string}`);
  return bech32.encode(prefixes[networkOf(address)], words);
}

/** A lone surrogate, escaped as in JSON text. */
const loneSurrogate = "\\ud800";

/** Makes requests with a lone surrogate, signed as lenient implementations would: over the replacement character, and over the escape. */
async function withLoneSurrogate(
  context: ScenarioContext,
  peer: Peer,
): Promise<[spellingName: string, text: string][]> {
  const texts: [string, string][] = [];
  for (const [spellingName, spelling] of [
    ["as the replacement character", "\ufffd"],
    ["as it is escaped", loneSurrogate],
  ] as const) {
    const { sig: _, ...message } = await request(context, peer, "message/send", messageOf(context, "half: \ufffd"));
    const signedMembers = signedOf(message);
    if (signedMembers === undefined) continue;
    const bytes = signedBytes({ ...signedMembers, payload: signedMembers.payload.replace("\ufffd", spelling) });
    const signedMessage = { ...message, sig: sign(digestOf(bytes), keyA.tweaked) };
    texts.push([spellingName, JSON.stringify(signedMessage).replace("\ufffd", loneSurrogate)]);
  }
  return texts;
}

export const checks: readonly Scenario[] = [
  {
    name: "checks-extension",
    says: "members that begin with x- do not change how a message is handled",
    rules: ["SNAP-ENV-017"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      requireTask(
        await ask(context, peer, await request(context, peer, "message/send", messageOf(context))),
        "message/send",
      );
      for (const extension of ["trace-7", { hops: ["one", "two"] }, null, 12]) {
        const message = await request(context, peer, "message/send", messageOf(context));
        const answer = await ask(context, peer, { ...message, "x-trace": extension });
        const why = `a message with the member "x-trace": ${JSON.stringify(extension)}, which no signature covers, is not accepted: ${answer.brief}`;
        context.expect("SNAP-ENV-017", answer.task !== undefined, why);
      }
    },
  },
  {
    name: "checks-sender",
    says: "a message from an invalid sender is refused",
    rules: ["SNAP-VAL-004", "SNAP-ADDR-001", "SNAP-ADDR-007"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const answer = await ask(context, peer, signedBy(keyA, { ...message, from: breakAddress(String(message.from)) }));
      const description = "a message from an address with a wrong checksum";
      context.expect("SNAP-VAL-004", answer.isRefused, `${description} is accepted: ${answer.brief}`);
      const next = await request(context, peer, "message/send", messageOf(context));
      const oldAnswer = await ask(context, peer, signedBy(keyA, { ...next, from: encodeAsBech32(String(next.from)) }));
      const why = `a message from an address with the checksum of bech32 instead of bech32m is accepted: ${oldAnswer.brief}`;
      if (answer.isRefused) context.expect("SNAP-ADDR-001", oldAnswer.isRefused, why);
      else context.skip("SNAP-ADDR-001", "it does not verify checksums of addresses");
      if (answer.code === undefined) return;
      if (answer.code === 2003)
        return context.skip("SNAP-ADDR-007", "it may be refused because its sender is not on the list (2003)");
      const isRight = [2005, 1003, 1004].includes(answer.code);
      context.expect("SNAP-ADDR-007", isRight, `${description} is refused with code ${answer.code}, not 2005`);
    },
  },
  {
    name: "checks-text",
    says: "a message with a lone surrogate is refused, whatever its signature covers",
    rules: ["SNAP-ENV-016"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      requireTask(
        await ask(context, peer, await request(context, peer, "message/send", messageOf(context))),
        "message/send",
      );
      for (const [spellingName, text] of await withLoneSurrogate(context, peer)) {
        const answer = await ask(context, peer, text);
        const why = `a lone surrogate in a text, signed ${spellingName}, is accepted: ${answer.brief}`;
        context.expect("SNAP-ENV-016", answer.isRefused, why);
      }
    },
  },
  {
    name: "checks-timestamp",
    says: "a timestamp with a fraction of zero is signed without it",
    rules: ["SNAP-SIG-003"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      requireTask(
        await ask(context, peer, await request(context, peer, "message/send", messageOf(context))),
        "message/send",
      );
      const message = await request(context, peer, "message/send", messageOf(context));
      const text = JSON.stringify(message).replace(`"timestamp":${message.timestamp}`, "$&.0");
      const answer = await ask(context, peer, text);
      const why = `a timestamp written with a fraction of zero, and signed without it, is refused: ${answer.brief}`;
      context.expect("SNAP-SIG-003", answer.task !== undefined, why);
    },
  },
  {
    name: "checks-network",
    says: "a message between networks is refused",
    rules: ["SNAP-ADDR-006"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      requireTask(
        await ask(context, peer, await request(context, peer, "message/send", messageOf(context))),
        "message/send",
      );
      const otherNetworkPeer: Peer = { ...peer, network: peer.network === "main" ? "test" : "main" };
      const answer = await ask(
        context,
        peer,
        await request(context, otherNetworkPeer, "message/send", messageOf(context)),
      );
      context.expect(
        "SNAP-ADDR-006",
        answer.isRefused,
        `a message from the other network is accepted: ${answer.brief}`,
      );
    },
  },
  {
    name: "checks-recipient",
    says: "a message for another agent is refused",
    rules: ["SNAP-RCPT-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const hadNone = await hadNoEffect(context, async () => {
        const message = await request(
          context,
          { ...peer, identity: keyC.address[peer.network] },
          "message/send",
          messageOf(context),
        );
        const misaddressedAnswer = await ask(context, peer, message);
        context.expect(
          "SNAP-RCPT-001",
          misaddressedAnswer.isRefused,
          `a message that is addressed to another agent is accepted: ${misaddressedAnswer.brief}`,
        );
        const network = peer.network === "main" ? "test" : "main";
        const mirroredPeer = { ...peer, network, identity: otherNetworkOf(peer.identity) } as const;
        const mirroredMessage = await request(context, mirroredPeer, "message/send", messageOf(context));
        const why = "a message to the address of its key on the other network is accepted";
        const answer = await ask(context, peer, mirroredMessage);
        context.expect("SNAP-RCPT-001", answer.isRefused, `${why}: ${answer.brief}`);
      });
      context.expect("SNAP-RCPT-001", hadNone, "a message to another agent was carried out");
    },
  },
  {
    name: "checks-type",
    says: "only a request runs a method, signed or not",
    rules: ["SNAP-RCPT-002"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const working = context.setting.options?.working !== undefined ? await startTask(context, peer) : undefined;
      for (const type of ["response", "event"])
        for (const isSigned of [false, true]) {
          const description = `a${isSigned ? " signed" : "n unsigned"} message of type ${type}`;
          const { sig, ...unsigned } = await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { type },
          });
          const hadNone = await hadNoEffect(context, async () => {
            const answer = await ask(context, peer, isSigned ? { ...unsigned, sig: sig as string } : unsigned);
            context.expect(
              "SNAP-RCPT-002",
              answer.task === undefined,
              `${description} runs message/send: ${answer.brief}`,
            );
          });
          context.expect(
            "SNAP-RCPT-002",
            hadNone,
            `${description} runs message/send, although its answer does not say so`,
          );
          if (working === undefined) continue;
          const { sig: cancelSig, ...cancel } = await requestWith(context, peer, {
            method: "tasks/cancel",
            payload: { taskId: working },
            more: { type },
          });
          await ask(context, peer, isSigned ? { ...cancel, sig: cancelSig as string } : cancel);
          const { task } = await sendAccepted(context, peer, { method: "tasks/get", payload: { taskId: working } });
          context.expect("SNAP-RCPT-002", stateOf(task) !== "canceled", `${description} cancels a task`);
          if (stateOf(task) === "canceled") return;
        }
    },
  },
  {
    name: "checks-effect",
    says: "a refused message has no effect",
    rules: ["SNAP-VAL-006"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      let cancel = { taskId: await startTask(context, peer) };
      const earlierSeconds = (await nowInSeconds(context)) - 180;
      const otherPeer: Peer = { ...peer, identity: keyC.address[peer.network] };
      const refusedMessages: [description: string, message: () => Promise<JsonObject>][] = [
        ["with a forged signature", async () => breakSeal(await request(context, peer, "tasks/cancel", cancel))],
        [
          "from three minutes ago",
          () =>
            requestWith(context, peer, {
              method: "tasks/cancel",
              payload: cancel,
              more: { timestamp: earlierSeconds },
            }),
        ],
        ["for another agent", () => request(context, otherPeer, "tasks/cancel", cancel)],
      ];
      for (const [label, message] of refusedMessages) {
        const answer = await ask(context, peer, await message());
        if (!answer.isRefused) {
          context.skip("SNAP-VAL-006", `a message ${label} is not refused`);
          cancel = { taskId: await startTask(context, peer) };
          continue;
        }
        const { task } = await sendAccepted(context, peer, { method: "tasks/get", payload: cancel });
        context.expect(
          "SNAP-VAL-006",
          stateOf(task) !== "canceled",
          `a cancellation ${label} is refused, but has an effect`,
        );
        if (stateOf(task) === "canceled") return;
      }
      await ask(context, peer, await request(context, peer, "tasks/cancel", cancel));
      await checkNothingAdded(context, peer);
    },
  },
  {
    name: "checks-version",
    says: "a message in an unsupported version is refused with that reason",
    rules: ["SNAP-VER-002"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const answer = await ask(
        context,
        peer,
        await requestWith(context, peer, {
          method: "message/send",
          payload: messageOf(context),
          more: { version: "9.9" },
        }),
      );
      context.expect(
        "SNAP-VER-002",
        answer.code === 5004,
        `a message in version 9.9 is not refused with code 5004: ${answer.brief}`,
      );
      const data = isObject(answer.error?.data) ? answer.error.data : {};
      const supportedVersions = peer.card?.supportedVersions ?? data.supported;
      if (Array.isArray(supportedVersions) && !supportedVersions.includes("0.2")) {
        const next = await ask(
          context,
          peer,
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { version: "0.2" },
          }),
        );
        const why = `a message in version 0.2, which it does not list, is not refused with code 5004: ${next.brief}`;
        context.expect("SNAP-VER-002", next.code === 5004, why);
      }
      if (answer.code !== 5004) return;
      const namesVersions = "requested" in data && "supported" in data;
      context.expect(
        "SNAP-VER-002",
        namesVersions,
        "a refusal with 5004 does not name the requested and the supported versions in its data",
        "SHOULD",
      );
    },
  },
  {
    name: "checks-payload",
    says: "an invalid payload is refused with that reason",
    rules: ["SNAP-PAY-020"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      for (const method of ["message/send", "tasks/get"]) {
        const answer = await ask(context, peer, await request(context, peer, method, {}));
        const isRight = answer.isRefused && (answer.code === undefined || [1004, 1003, 1007].includes(answer.code));
        context.expect(
          "SNAP-PAY-020",
          isRight,
          `an empty payload of ${method} is not refused with code 1004: ${answer.brief}`,
        );
      }
    },
  },
  {
    name: "checks-content",
    says: "content of an unsupported type is refused with that reason",
    rules: ["SNAP-PART-009"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const modes = peer.card?.defaultInputModes;
      const unsupportedType = "video/x-touchstone";
      if (!Array.isArray(modes) || modes.includes(unsupportedType))
        return context.skip("SNAP-PART-009", "no card names the accepted types");
      const parts = [{ raw: "AAAA", mediaType: unsupportedType }];
      const payload = { message: { messageId: freshId(context, "turn"), role: "user", parts } };
      const answer = await ask(context, peer, await request(context, peer, "message/send", payload));
      context.expect(
        "SNAP-PART-009",
        answer.code === 1005,
        `content of the type ${unsupportedType}, which the card does not name, is not refused with code 1005: ${answer.brief}`,
      );
      const data = isObject(answer.error?.data) ? answer.error.data : {};
      if (answer.code === 1005)
        context.expect(
          "SNAP-PART-009",
          Array.isArray(data.supported),
          "a refusal with 1005 does not name the supported types",
        );
    },
  },
];
