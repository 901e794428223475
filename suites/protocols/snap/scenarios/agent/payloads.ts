import { hexToBytes } from "@noble/curves/utils.js";
import { bech32m } from "@scure/base";
import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { type Network, prefixes } from "../../rules/address.ts";
import { keyA } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import {
  ask,
  freshId,
  messageOf,
  type Peer,
  peerOf,
  request,
  requestWith,
  requireTask,
  sendAccepted,
  textFor,
} from "../parties.ts";

function messageWithParts(context: ScenarioContext, parts: Json[]): JsonObject {
  return { message: { messageId: freshId(context, "turn"), role: "user", parts } };
}

/** Returns a media type that the agent accepts according to its card. */
function acceptedTypeOf({ card }: Peer): string {
  const modes = Array.isArray(card?.defaultInputModes) ? card.defaultInputModes : [];
  const acceptedType = modes.find((mode) => typeof mode === "string" && /^[a-z]+\/[a-z0-9_.+-]+$/.test(mode));
  return typeof acceptedType === "string" ? acceptedType : "text/plain";
}

/** Throws a TargetSkip if the agent refuses a valid part, since a refusal of an invalid one would then show nothing. */
async function mustAcceptPart(context: ScenarioContext, peer: Peer, part: JsonObject): Promise<void> {
  const answer = await ask(
    context,
    peer,
    await request(context, peer, "message/send", messageWithParts(context, [part])),
  );
  if (answer.task === undefined || answer.isRefused)
    throw new TargetSkip(`the agent does not accept even a valid part of this kind: ${answer.brief}`);
}

async function mustRefusePart(
  context: ScenarioContext,
  peer: Peer,
  { rule, part, what: description }: { rule: string; part: Json; what: string },
): Promise<void> {
  const answer = await ask(
    context,
    peer,
    await request(context, peer, "message/send", messageWithParts(context, [part])),
  );
  context.expect(rule, answer.isRefused, `a message with a part that ${description} is accepted: ${answer.brief}`);
}

/** Makes payloads that do not name the task correctly, although a lenient receiver may find its id. */
function misnamedPayloads(taskId: Json): JsonObject[] {
  return [{ taskId: [taskId] }, { TaskId: taskId }, { taskid: taskId }, { taskId: { id: taskId } }, { id: taskId }, {}];
}

export const payloads: readonly Scenario[] = [
  {
    name: "checks-padding",
    says: "a sender whose address has padding bits other than zeros is invalid",
    rules: ["SNAP-ADDR-002"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      requireTask(await ask(context, peer, message), "message/send");
      for (const bits of [1, 8]) {
        const from = addressWithPadding(hexToBytes(keyA.output), bits, peer.network);
        const answer = await ask(
          context,
          peer,
          signedBy(
            keyA,
            await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { from } }),
          ),
        );
        const why = `a message from ${from}, with a last group of bits that ends in ${bits.toString(2).padStart(4, "0")}, is accepted: ${answer.brief}`;
        context.expect("SNAP-ADDR-002", answer.isRefused, why);
      }
    },
  },
  {
    name: "checks-raw",
    says: "a text that is not base64 is not accepted as base64",
    rules: ["SNAP-PART-004"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const mediaType = acceptedTypeOf(peer);
      await mustAcceptPart(context, peer, { raw: "R3VsbHM+", mediaType });
      for (const raw of ["%%%%", "R3VsbHM", "R3VsbHM-", "R3Vs bHM+"])
        await mustRefusePart(context, peer, {
          rule: "SNAP-PART-004",
          part: { raw, mediaType },
          what: `has ${JSON.stringify(raw)} as base64`,
        });
    },
  },
  {
    name: "checks-url",
    says: "a text that is not an absolute URL is not accepted as one",
    rules: ["SNAP-PART-005"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      await mustAcceptPart(context, peer, { url: "https://example.org/plan" });
      for (const url of ["/files/plan", "//example.org/plan", "not a url", "plan", ""])
        await mustRefusePart(context, peer, {
          rule: "SNAP-PART-005",
          part: { url },
          what: `has ${JSON.stringify(url)} as a URL`,
        });
    },
  },
  {
    name: "checks-part",
    says: "a part has one content",
    rules: ["SNAP-PART-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      await mustAcceptPart(context, peer, { text: "one" });
      const [none, two]: JsonObject[] = [{ mediaType: acceptedTypeOf(peer) }, { text: "one", data: { two: 2 } }];
      await mustRefusePart(context, peer, { rule: "SNAP-PART-001", part: none as JsonObject, what: "has no content" });
      await mustRefusePart(context, peer, { rule: "SNAP-PART-001", part: two as JsonObject, what: "has two contents" });
      // The presence of a member counts, not its truth value in a programming language.
      for (const part of [
        { text: "", data: { two: 2 } },
        { text: "one", data: {} },
      ])
        await mustRefusePart(context, peer, {
          rule: "SNAP-PART-001",
          part,
          what: `has two contents, one of them empty, ${JSON.stringify(part)},`,
        });
    },
  },
  {
    name: "checks-names",
    says: "names of members are case-sensitive",
    rules: ["SNAP-ENV-002", "SNAP-PAY-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
      const { message } = messageOf(context);
      const misspelledRequest = await request(context, peer, "message/send", { Message: message as Json });
      const { payload, ...envelopeMembers } = await request(context, peer, "message/send", messageOf(context));
      const faultyMessages: [rule: string, description: string, message: JsonObject][] = [
        ["SNAP-PAY-001", "with Message instead of message in its payload", misspelledRequest],
        ["SNAP-ENV-002", "that has Payload instead of payload", { ...envelopeMembers, Payload: payload as Json }],
      ];
      for (const [rule, description, faultyMessage] of faultyMessages) {
        const answer = await ask(context, peer, faultyMessage);
        context.expect(rule, answer.isRefused, `a message ${description} is accepted: ${answer.brief}`);
      }
    },
  },
  {
    name: "checks-get",
    says: "a request for a task must have the right form",
    rules: ["SNAP-PAY-005"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const { task } = await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
      const taskId = task.id as Json;
      await sendAccepted(context, peer, { method: "tasks/get", payload: { taskId, historyLength: 1 } });
      const invalidPayloads: JsonObject[] = [
        ...[-1, 1001, 1.5, "1", null, true].map((historyLength) => ({ historyLength })),
        ...misnamedPayloads(taskId),
      ];
      for (const invalidPayload of invalidPayloads) {
        const payload = "historyLength" in invalidPayload ? { taskId, ...invalidPayload } : invalidPayload;
        const answer = await ask(context, peer, await request(context, peer, "tasks/get", payload));
        const why = `tasks/get of ${JSON.stringify(payload)} is accepted: ${answer.brief}`;
        context.expect("SNAP-PAY-005", answer.isRefused, why);
      }
    },
  },
  {
    name: "checks-cancel",
    says: "a cancellation must name its task in the right form",
    rules: ["SNAP-PAY-006"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const startWork = async (): Promise<Json> =>
        (
          await sendAccepted(context, peer, {
            method: "message/send",
            payload: messageOf(context, textFor(context, "working")),
          })
        ).task.id as Json;
      let taskId = await startWork();
      for (const [index] of misnamedPayloads(taskId).entries()) {
        const payload = misnamedPayloads(taskId)[index] as JsonObject;
        const answer = await ask(context, peer, await request(context, peer, "tasks/cancel", payload));
        const why = `tasks/cancel of ${JSON.stringify(payload)} is accepted: ${answer.brief}`;
        context.expect("SNAP-PAY-006", answer.isRefused, why);
        if (!answer.isRefused) taskId = await startWork();
      }
      const validAnswer = await ask(context, peer, await request(context, peer, "tasks/cancel", { taskId }));
      if (validAnswer.isRefused)
        context.skip("SNAP-PAY-006", `a valid cancellation of a running task is refused as well: ${validAnswer.brief}`);
    },
  },
];

/** Makes the address of a key, with these padding bits set in its last group. */
function addressWithPadding(key: Uint8Array, bits: number, network: Network): string {
  const words = bech32m.toWords(key);
  const last = words.pop() ?? 0;
  return bech32m.encode(prefixes[network], [1, ...words, last | bits]);
}
