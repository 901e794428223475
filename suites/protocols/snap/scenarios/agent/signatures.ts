import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import {
  ask,
  breakSeal,
  countHandled,
  messageOf,
  type Peer,
  peerOf,
  request,
  requestWith,
  seconds,
  sendTaken,
} from "../parties.ts";

/** Whether a refused message had no effect: nothing was carried out, if the agent reports its actions. */
export async function leavesUntouched(context: ScenarioContext, act: () => Promise<void>): Promise<boolean> {
  const before = await countHandled(context);
  await act();
  return before === undefined || before === (await countHandled(context));
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
      const still = await leavesUntouched(context, async () => {
        const told = await ask(context, peer, message);
        context.expect("SNAP-SIG-008", told.isRefused, `a request without a signature is accepted: ${told.brief}`);
        const isRight = told.code === undefined || [2002, 1003, 1004].includes(told.code);
        context.expect(
          "SNAP-SIG-008",
          isRight,
          `a missing signature is refused with code ${told.code}, not 2002`,
          "SHOULD",
        );
      });
      context.expect("SNAP-SIG-008", still, "a request without a signature was carried out");
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
      // Earlier accepted messages of a sender do not give it access.
      await sendTaken(context, peer, { method: "message/send", payload: messageOf(context) });
      for (const [what, message, hasOtherForm] of await forgeries(context, peer)) {
        const still = await leavesUntouched(context, async () => {
          const told = await ask(context, peer, message);
          context.expect("SNAP-SIG-009", told.isRefused, `a request ${what} is accepted: ${told.brief}`);
          const { code } = told;
          if (code === undefined || !told.isRefused) return;
          const isForm = hasOtherForm === true && (code === 1003 || code === 1004);
          const isRight = code === 2001 || code === 2003 || isForm;
          const range = Math.floor(code / 1000);
          if (isForm || range === 2)
            context.expect("SNAP-VAL-004", isRight, `a request ${what} is refused with code ${code}, not 2001`);
          context.expect(
            "SNAP-ERR-001",
            isForm || range === 2,
            `a request ${what} is refused with code ${code}, which is not about authentication`,
          );
        });
        context.expect("SNAP-SIG-009", still, `a request ${what} was carried out`);
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
      const { task } = await sendTaken(context, peer, { method: "message/send", payload: messageOf(context) });
      const named = { taskId: task.id as string };
      for (const method of ["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/resubscribe"]) {
        const payload = method.startsWith("tasks/") ? named : messageOf(context);
        const event = await requestWith(context, peer, { method, payload, more: { type: "event" } });
        const wrong = [
          ...(await mustBeRefusable(context, peer, method, payload)),
          { rule: "SNAP-RCPT-002", what: "of type event", message: event },
        ];
        for (const { rule, what, message } of wrong) {
          const told = await ask(context, peer, message);
          context.expect(
            rule,
            told.task === undefined,
            `a message of ${method} that is ${what} is accepted: ${told.brief}`,
          );
        }
      }
    },
  },
];

/** Requests that an agent must refuse before it reads their content, each with its rule. */
export async function mustBeRefusable(
  context: ScenarioContext,
  peer: Peer,
  method: string,
  payload: JsonObject,
): Promise<{ rule: string; what: string; message: JsonObject }[]> {
  const other: Peer = { ...peer, identity: keyC.address[peer.network] };
  const timestamp = (await seconds(context)) - 180;
  const makeRequest = (more?: JsonObject): Promise<JsonObject> => requestWith(context, peer, { method, payload, more });
  const { sig: _, ...unsigned } = await makeRequest();
  return [
    { rule: "SNAP-SIG-008", what: "unsigned", message: unsigned },
    { rule: "SNAP-SIG-009", what: "forged", message: breakSeal(await makeRequest()) },
    { rule: "SNAP-TIME-001", what: "from three minutes ago", message: await makeRequest({ timestamp }) },
    { rule: "SNAP-RCPT-001", what: "for another agent", message: await request(context, other, method, payload) },
  ];
}

/** Requests with a wrong signature and no other fault. Some signatures do not even have the form of one. */
async function forgeries(
  context: ScenarioContext,
  peer: Peer,
): Promise<[what: string, message: JsonObject, hasOtherForm?: true][]> {
  const fresh = (): Promise<JsonObject> => request(context, peer, "message/send", messageOf(context));
  const other = await fresh();
  const changed = await fresh();
  const { id, timestamp } = await fresh();
  const capital = await fresh();
  return [
    ["with a signature of zeros", breakSeal(await fresh())],
    ["with the signature of another key", signedBy(keyC, await fresh())],
    ["with the signature of another message", { ...(await fresh()), sig: other.sig as string }],
    ["that was changed after it was signed", { ...changed, payload: messageOf(context, "Raise the bridge.") }],
    ["with a different id than signed", { ...(await fresh()), id: id as string }],
    ["with a different time than signed", { ...(await fresh()), timestamp: Number(timestamp) - 5 }],
    ["with a different method than signed", { ...(await fresh()), method: "message/stream" }],
    ["with a signature in upper-case digits", { ...capital, sig: String(capital.sig).toUpperCase() }, true],
  ];
}
