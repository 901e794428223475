import { type HttpReply, isObject, type Scenario } from "../../../../schemas/index.ts";
import { findChangedMember, richMembers } from "./kept-messages.ts";
import { describeChange } from "./lost-messages.ts";
import { ask, fromAgent, notify, task } from "./messages.ts";
import { discover, fitMessage } from "./published.ts";
import { nearTokens } from "./shown-token.ts";
import {
  cancel,
  codeOf,
  idOf,
  inShort,
  isAccepted,
  isClientError,
  isRefused,
  post,
  read,
  readStored,
  redAnswer,
  resolveMessage,
  submit,
} from "./steps.ts";
import { isLikeUnknown, similarTo } from "./unknown-ids.ts";

/** Whether an answer to another agent reveals the message. `canary` is a string that only the message contains. */
function revealsMessage(reply: HttpReply, canary: string): boolean {
  return isAccepted(reply) || reply.status === 304 || reply.text.includes(canary);
}

/** Names that a loose comparison may accept as this name. */
function deceptiveNames(name: string): [description: string, name: string][] {
  const fullWidthName = name.replace(/[!-~]/g, (character) =>
    String.fromCodePoint(character.charCodeAt(0) + fullWidthOffset),
  );
  const names: [description: string, name: string][] = [
    ["which begins with that line", `${name}\nx`],
    ["which ends with that line", `x\n${name}`],
    ["which has letters of full width", fullWidthName],
  ];
  return names.filter(([, similarName]) => similarName !== name);
}

/** The distance from an ASCII character to its full-width form. */
const fullWidthOffset = 0xfee0;

const invalidCredentials: [description: string, headers: Record<string, string>][] = [
  ["no credential", {}],
  ["an invalid token", { authorization: "Bearer touchstone-is-nobody" }],
  ["an empty token", { authorization: "Bearer " }],
  ["a different scheme", { authorization: "Basic dG91Y2g6c3RvbmU=" }],
  ["an invalid API key", { "x-api-key": "touchstone-is-nobody" }],
  ["an empty API key", { "x-api-key": "" }],
];

export const accessScenarios: readonly Scenario[] = [
  {
    name: "access-nobody",
    says: "nothing is served without a valid credential",
    rules: ["AHCP-AUT-001"],
    needs: ["credential"],
    withinMs: 30_000,
    async play(context) {
      const message = ask(context);
      const { id } = await submit(context, message);
      for (const [description, headers] of [...invalidCredentials, ...nearTokens(context)]) {
        const replies: [call: string, reply: HttpReply][] = [
          ["a submit", await post(context, notify(context), "nobody", headers)],
          ["a repetition", await post(context, message, "nobody", headers)],
        ];
        for (const targetId of [id, similarTo(id)]) {
          const targetText = targetId === id ? "a message" : "an unknown id";
          const path = `/v1/messages/${encodeURIComponent(targetId)}`;
          replies.push([`a read of ${targetText}`, await context.send({ method: "GET", path, as: "nobody", headers })]);
          replies.push([`a cancellation of ${targetText}`, await cancel(context, targetId, "nobody", headers)]);
        }
        for (const [call, reply] of replies) {
          const why = `${call} with ${description} is not answered 401 unauthenticated: ${inShort(reply)}`;
          context.expect("AHCP-AUT-001", isRefused(reply, 401, "unauthenticated"), why, reply);
        }
        for (const faultyBody of [{ ...notify(context), title: 7 }, "{"]) {
          const reply = await post(context, faultyBody, "nobody", headers);
          const form = faultyBody === "{" ? "JSON" : "a message";
          const why = `a submit that is not ${form}, with ${description}, is not answered 401 unauthenticated: ${inShort(reply)}`;
          // The specification does not say whether a hub checks the body or the credential first.
          const level = reply.status === 400 ? "SHOULD" : undefined;
          context.expect("AHCP-AUT-001", isRefused(reply, 401, "unauthenticated"), why, level, reply);
        }
      }
    },
  },
  {
    name: "access-other-name",
    says: "an agent may submit only in its own name",
    rules: ["AHCP-AUT-002"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      const { a, b = "" } = context.agents;
      // These messages have the right name. If they are accepted, later refusals are due to the name.
      await submit(context, ask(context));
      await submit(context, fromAgent(b, ask(context)), "b");
      const similarAgents = [a.toUpperCase(), `${a}/`, `${a} `, a.slice(0, -1), `${a}0`].filter(
        (name) => name !== a && name !== "",
      );
      const otherAgents: [name: string, createMessage: typeof notify][] = [b, ...similarAgents].map((name) => [
        name,
        ask,
      ]);
      for (const [name, createMessage] of [...otherAgents, [b, task], [b, notify]] satisfies typeof otherAgents) {
        const message = fromAgent(name, createMessage(context));
        const reply = await post(context, message);
        const why = `with the credential of "${a}" a message (${message.type}) of "${name}" is not refused as such: ${inShort(reply)}`;
        context.expect("AHCP-AUT-002", isRefused(reply, 403, "agent_id_mismatch"), why);
      }
      // A pattern may match a single line, and a comparison may ignore the width. Such names may be invalid, so any refusal is correct.
      for (const [description, name] of deceptiveNames(a)) {
        const reply = await post(context, fromAgent(name, ask(context)));
        const why = `with the credential of "${a}" a message of ${JSON.stringify(name)}, ${description}, is not refused: ${inShort(reply)}`;
        context.expect("AHCP-AUT-002", isClientError(reply), why);
      }
      const replayed = ask(context);
      await submit(context, replayed);
      const reply = await post(context, replayed, "b");
      const whyCopy = `with the credential of "${b}" a message that "${a}" has submitted is not refused: ${inShort(reply)}`;
      context.expect("AHCP-AUT-002", isRefused(reply, 403, "agent_id_mismatch"), whyCopy);
      // If a member name is repeated, a hub may use either value, but must use the same one everywhere.
      for (const [firstId, lastId] of [
        [a, b],
        [b, a],
      ]) {
        const text = JSON.stringify(ask(context));
        const textWithTwoNames = text.replace(
          `"id":${JSON.stringify(a)}`,
          () => `"id":${JSON.stringify(firstId)},"id":${JSON.stringify(lastId)}`,
        );
        const reply = await post(context, textWithTwoNames);
        const id = idOf(reply);
        if (!isAccepted(reply) || id === undefined) continue;
        const { status, json } = await read(context, id);
        const agent = isObject(json) && isObject(json.agent) ? json.agent.id : undefined;
        const why = `a message that names "${firstId}" and then "${lastId}" is accepted from "${a}", and then belongs to "${agent}"`;
        context.expect("AHCP-AUT-002", status === 200 && agent === a, why);
      }
    },
  },
  {
    name: "access-reading",
    says: "only its submitter can read a message; for other agents it does not exist",
    rules: ["AHCP-AUT-003", "AHCP-AUT-004"],
    needs: ["second-credential", "resolve"],
    withinMs: 60_000,
    async play(context) {
      const canary = context.fresh("canary");
      const mustBeHidden = async (id: string, description: string, query = ""): Promise<void> => {
        const unknownReply = await read(context, similarTo(id), "b");
        const reply = await read(context, id, "b", { query, waitMs: 5000 });
        const isLeak = revealsMessage(reply, canary);
        context.expect("AHCP-AUT-003", !isLeak, `another agent learns of ${description}: ${inShort(reply)}`);
        if (isLeak) return;
        const isSameForm = unknownReply.status !== 404 || refusalShape(reply) === refusalShape(unknownReply);
        const why = `to another agent ${description} differs from an unknown one: ${inShort(reply)}`;
        context.expect("AHCP-AUT-004", isRefused(reply, 404, "not_found") && isSameForm, why);
        if (!isSameForm || unknownReply.status !== 404 || query !== "") return;
        const isSilent = await isLikeUnknown((otherId) => read(context, otherId, "b"), id, reply);
        const whyTextDiffers = `to another agent, the text about ${description} differs from the text about an unknown one: ${inShort(reply)}`;
        context.expect("AHCP-AUT-004", isSilent, whyTextDiffers, reply);
      };
      const { id } = await submit(context, ask(context, { body: canary }));
      for (const state of ["open", "answered"]) {
        for (const query of ["", "?wait=1", "?since=2001-01-01T00:00:00Z", "?since=2999-01-01T00:00:00Z"])
          await mustBeHidden(id, `an ask that is ${state}`, query);
        if (state === "open") await resolveMessage(context, id, redAnswer);
      }
      for (const createMessage of [task, notify]) {
        const message = createMessage(context, { body: canary });
        await mustBeHidden((await submit(context, message)).id, `a ${message.type}`);
      }
    },
  },
  {
    name: "access-runs",
    says: "access to a message does not depend on the name of a run",
    rules: ["AHCP-AUT-005"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      const message = ask(context, { body: context.fresh("canary") });
      const { id } = await submit(context, message);
      if (revealsMessage(await read(context, id, "b"), String(message.body)))
        return context.skip("AHCP-AUT-005", "another agent reads the message without knowing its run");
      const otherAsk = await submit(context, ask(context));
      if (isAccepted(await cancel(context, otherAsk.id, "b")))
        return context.skip("AHCP-AUT-005", "another agent cancels a message without knowing its run");
      const ownNotify = notify(context);
      await submit(
        context,
        { ...ownNotify, agent: { ...(message.agent as object), id: context.agents.b as string } },
        "b",
      );
      const otherAgentRead = await read(context, id, "b");
      const why = `a different agent with the same run_id can read the ask: ${inShort(otherAgentRead)}`;
      context.expect("AHCP-AUT-005", !revealsMessage(otherAgentRead, String(message.body)), why);
      const otherAgentCancellation = await cancel(context, id, "b");
      const whyCancelled = `a different agent with the same run_id can cancel the ask: ${inShort(otherAgentCancellation)}`;
      context.expect("AHCP-AUT-005", !isAccepted(otherAgentCancellation), whyCancelled);
      await submit(context, notify(context));
      const laterRead = await read(context, id);
      context.expect(
        "AHCP-AUT-005",
        laterRead.status === 200,
        `its submitter is locked out after a new run: ${inShort(laterRead)}`,
      );
      if (laterRead.status !== 200 || isAccepted(otherAgentCancellation)) return;
      const laterCancellation = await cancel(context, id);
      const whyStuck = `after a new run its submitter cannot cancel the ask: ${inShort(laterCancellation)}`;
      context.expect("AHCP-AUT-005", isAccepted(laterCancellation), whyStuck, "SHOULD");
    },
  },
  {
    name: "access-no-trace",
    says: "the attempts of a different agent do not change a message",
    rules: ["AHCP-AUT-007"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      const { id } = await submit(context, await fitMessage(context, ask(context, richMembers)));
      const messageBefore = await readStored(context, id);
      for (const as of ["b", "nobody"] as const) {
        for (const query of ["", "?wait=1", "?since=2001-01-01T00:00:00Z"])
          await read(context, id, as, { query, waitMs: 5000 });
        if (isAccepted(await cancel(context, id, as)))
          return context.skip("AHCP-AUT-007", "another party can cancel the ask");
      }
      const messageAfter = await readStored(context, id);
      const { status } = messageAfter;
      context.expect(
        "AHCP-AUT-007",
        status === "open",
        `after the attempts of a different agent the ask is "${status}"`,
      );
      const changedMember = status === "open" ? findChangedMember(messageAfter, messageBefore) : undefined;
      const whyChanged = `after the attempts of a different agent the ask is read with a different ${changedMember}: ${describeChange(changedMember, messageAfter, messageBefore)}`;
      context.expect("AHCP-AUT-007", changedMember === undefined, whyChanged);
      const reply = await cancel(context, id);
      const why = `after the attempts of a different agent its submitter cannot cancel the ask: ${inShort(reply)}`;
      context.expect("AHCP-AUT-007", reply.status === 200, why);
    },
  },
  {
    name: "access-others-kinds",
    says: "cancelling another agent's task or notify is answered 404",
    rules: ["AHCP-CAN-002"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(context) {
      for (const createMessage of [task, notify]) {
        const message = createMessage(context);
        const { id } = await submit(context, message);
        const reply = await cancel(context, id, "b");
        const why = `to another agent that cancels it, a ${message.type} is not unknown: ${inShort(reply)}`;
        context.expect("AHCP-CAN-002", isRefused(reply, 404, "not_found"), why);
      }
    },
  },
  {
    name: "access-media-type",
    says: "answers in JSON have the media type of JSON",
    rules: ["AHCP-AUT-009"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const { id, reply } = await submit(context, ask(context));
      const unknownReply = await read(context, similarTo(id));
      const replies = [
        reply,
        await read(context, id),
        unknownReply,
        await cancel(context, id),
        await discover(context, "a"),
      ];
      for (const httpReply of replies) {
        const { json, headers, exchange } = httpReply;
        if (json === undefined) continue;
        const type = headers["content-type"] ?? "";
        const why = `the answer to ${exchange.request.method} is JSON with the type "${type}"`;
        context.expect("AHCP-AUT-009", /^application\/json\s*(;|$)/i.test(type), why, httpReply);
      }
    },
  },
];

/** The status, code and member names of a refusal, as a string to compare. */
function refusalShape(reply: HttpReply): string {
  const { json } = reply;
  return JSON.stringify([reply.status, codeOf(reply), isObject(json) ? Object.keys(json).sort() : null]);
}
