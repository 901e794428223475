import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import {
  ask,
  breakSeal,
  countHandled,
  messageOf,
  nowInSeconds,
  type Peer,
  peerOf,
  request,
  requestWith,
  sendAccepted,
} from "../parties.ts";

/** Whether the agent carried out nothing while `act` ran. True if the agent does not report what it carried out. */
export async function hadNoEffect(context: ScenarioContext, act: () => Promise<void>): Promise<boolean> {
  const countBefore = await countHandled(context);
  await act();
  return countBefore === undefined || countBefore === (await countHandled(context));
}

export const signatures: readonly Scenario[] = [
  {
    name: "checks-unsigned",
    says: "a request without a signature is refused",
    rules: ["SNAP-SIG-008"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const { sig: _, ...message } = await request(context, peer, "message/send", messageOf(context));
      const hadNone = await hadNoEffect(context, async () => {
        const answer = await ask(context, peer, message);
        context.expect("SNAP-SIG-008", answer.isRefused, `a request without a signature is accepted: ${answer.brief}`);
        const isRight = answer.code === undefined || [2002, 1003, 1004].includes(answer.code);
        context.expect(
          "SNAP-SIG-008",
          isRight,
          `a missing signature is refused with code ${answer.code}, not 2002`,
          "SHOULD",
        );
      });
      context.expect("SNAP-SIG-008", hadNone, "a request without a signature was carried out");
    },
  },
  {
    name: "checks-forged",
    says: "a message with a signature that does not verify is refused",
    rules: ["SNAP-SIG-009", "SNAP-VAL-004", "SNAP-ERR-001"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      // An earlier accepted message must not make the agent trust its sender.
      await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
      for (const [description, message, hasOtherForm] of await forgeries(context, peer)) {
        const hadNone = await hadNoEffect(context, async () => {
          const answer = await ask(context, peer, message);
          context.expect("SNAP-SIG-009", answer.isRefused, `a request ${description} is accepted: ${answer.brief}`);
          const { code } = answer;
          if (code === undefined || !answer.isRefused) return;
          const isFormRefusal = hasOtherForm === true && (code === 1003 || code === 1004);
          const isRight = code === 2001 || code === 2003 || isFormRefusal;
          const category = Math.floor(code / 1000);
          if (isFormRefusal || category === 2)
            context.expect("SNAP-VAL-004", isRight, `a request ${description} is refused with code ${code}, not 2001`);
          context.expect(
            "SNAP-ERR-001",
            isFormRefusal || category === 2,
            `a request ${description} is refused with code ${code}, which is not about authentication`,
          );
        });
        context.expect("SNAP-SIG-009", hadNone, `a request ${description} was carried out`);
      }
    },
  },
  {
    name: "checks-methods",
    says: "messages are checked for every method",
    rules: ["SNAP-SIG-008", "SNAP-SIG-009", "SNAP-TIME-001", "SNAP-RCPT-001", "SNAP-RCPT-002"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const { task } = await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
      const namedTask = { taskId: task.id as string };
      for (const method of ["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe"]) {
        const payload = method.startsWith("tasks/") ? namedTask : messageOf(context);
        const event = await requestWith(context, peer, { method, payload, more: { type: "event" } });
        const wrongMessages = [
          ...(await messagesToRefuse(context, peer, method, payload)),
          { rule: "SNAP-RCPT-002", what: "of type event", message: event },
        ];
        for (const { rule, what: description, message } of wrongMessages) {
          const answer = await ask(context, peer, message);
          context.expect(
            rule,
            answer.task === undefined,
            `a message of ${method} that is ${description} is accepted: ${answer.brief}`,
          );
        }
      }
    },
  },
];

/** Creates requests that an agent must refuse before it reads their content, each with its rule. */
export async function messagesToRefuse(
  context: ScenarioContext,
  peer: Peer,
  method: string,
  payload: JsonObject,
): Promise<{ rule: string; what: string; message: JsonObject }[]> {
  const otherPeer: Peer = { ...peer, identity: keyC.address[peer.network] };
  const timestamp = (await nowInSeconds(context)) - 180;
  const makeRequest = (members?: JsonObject): Promise<JsonObject> =>
    requestWith(context, peer, { method, payload, more: members });
  const { sig: _, ...unsigned } = await makeRequest();
  return [
    { rule: "SNAP-SIG-008", what: "unsigned", message: unsigned },
    { rule: "SNAP-SIG-009", what: "forged", message: breakSeal(await makeRequest()) },
    { rule: "SNAP-TIME-001", what: "from three minutes ago", message: await makeRequest({ timestamp }) },
    { rule: "SNAP-RCPT-001", what: "for another agent", message: await request(context, otherPeer, method, payload) },
  ];
}

/** Creates requests with a wrong signature as their only fault. `hasOtherForm` is set if the signature is also malformed. */
async function forgeries(
  context: ScenarioContext,
  peer: Peer,
): Promise<[description: string, message: JsonObject, hasOtherForm?: true][]> {
  const freshRequest = (): Promise<JsonObject> => request(context, peer, "message/send", messageOf(context));
  const otherRequest = await freshRequest();
  const changedRequest = await freshRequest();
  const { id, timestamp } = await freshRequest();
  const upperCaseRequest = await freshRequest();
  return [
    ["with a signature of zeros", breakSeal(await freshRequest())],
    ["with the signature of another key", signedBy(keyC, await freshRequest())],
    ["with the signature of another message", { ...(await freshRequest()), sig: otherRequest.sig as string }],
    ["that was changed after it was signed", { ...changedRequest, payload: messageOf(context, "Raise the bridge.") }],
    ["with a different id than signed", { ...(await freshRequest()), id: id as string }],
    ["with a different time than signed", { ...(await freshRequest()), timestamp: Number(timestamp) - 5 }],
    ["with a different method than signed", { ...(await freshRequest()), method: "message/stream" }],
    [
      "with a signature in upper-case digits",
      { ...upperCaseRequest, sig: String(upperCaseRequest.sig).toUpperCase() },
      true,
    ],
  ];
}
