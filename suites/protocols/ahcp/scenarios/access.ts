import { type HttpReply, isObject, type Scenario } from "../../../../schemas/index.ts";
import { ask, by, notify } from "./messages.ts";
import {
  cancel,
  codeOf,
  inShort,
  isRefused,
  isTaken,
  post,
  read,
  red,
  resolved,
  similarTo,
  statusOf,
  submit,
} from "./steps.ts";

/** Whether an answer to a stranger has something of the message in it. */
function reveals(reply: HttpReply, canary: string): boolean {
  return isTaken(reply) || reply.status === 304 || reply.text.includes(canary);
}

const poor: [what: string, headers: Record<string, string>][] = [
  ["no credential", {}],
  ["a token that is none", { authorization: "Bearer touchstone-is-nobody" }],
  ["an empty token", { authorization: "Bearer " }],
  ["another scheme", { authorization: "Basic dG91Y2g6c3RvbmU=" }],
];

export const access: readonly Scenario[] = [
  {
    name: "access-nobody",
    says: "nothing is served without a valid credential",
    rules: ["AHCP-AUT-001"],
    needs: ["credential"],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      for (const [what, headers] of poor) {
        const replies: [call: string, reply: HttpReply][] = [
          ["a submit", await post(stage, notify(stage), "nobody", headers)],
        ];
        for (const each of [id, similarTo(id)]) {
          const whose = each === id ? "a message" : "an unknown id";
          const path = `/v1/messages/${encodeURIComponent(each)}`;
          replies.push([`a read of ${whose}`, await stage.send({ method: "GET", path, as: "nobody", headers })]);
          replies.push([`a cancellation of ${whose}`, await cancel(stage, each, "nobody", headers)]);
        }
        for (const [call, reply] of replies) {
          const why = `${call} with ${what} is not answered 401 unauthenticated: ${inShort(reply)}`;
          stage.expect("AHCP-AUT-001", isRefused(reply, 401, "unauthenticated"), why);
        }
      }
    },
  },
  {
    name: "access-other-name",
    says: "an agent submits in nobody else's name",
    rules: ["AHCP-AUT-002"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(stage) {
      const { a, b = "" } = stage.agents;
      const close = [a.toUpperCase(), `${a}/`, `${a} `, a.slice(0, -1), `${a}0`].filter(
        (name) => name !== a && name !== "",
      );
      for (const name of [b, ...close]) {
        const reply = await post(stage, by(name, ask(stage)));
        const why = `with the credential of "${a}" a message of "${name}" is not refused as such: ${inShort(reply)}`;
        stage.expect("AHCP-AUT-002", isRefused(reply, 403, "agent_id_mismatch"), why);
      }
    },
  },
  {
    name: "access-reading",
    says: "only the submitter reads a message, and to others it does not exist",
    rules: ["AHCP-AUT-003", "AHCP-AUT-004"],
    needs: ["second-credential", "resolve"],
    withinMs: 60_000,
    async play(stage) {
      const canary = stage.fresh("canary");
      const message = ask(stage, { body: canary });
      const { id } = await submit(stage, message);
      const unknown = await read(stage, similarTo(id), "b");
      for (const when of ["open", "answered"]) {
        for (const query of ["", "?wait=1", "?since=2001-01-01T00:00:00Z", "?since=2999-01-01T00:00:00Z"]) {
          const reply = await read(stage, id, "b", query, 5000);
          const isLeak = reveals(reply, canary);
          stage.expect("AHCP-AUT-003", !isLeak, `another agent learns of an ask that is ${when}: ${inShort(reply)}`);
          if (isLeak) continue;
          const isAlike = unknown.status !== 404 || shapeOf(reply) === shapeOf(unknown);
          const why = `to another agent an ask that is ${when} differs from an unknown one: ${inShort(reply)}`;
          stage.expect("AHCP-AUT-004", isRefused(reply, 404, "not_found") && isAlike, why);
        }
        if (when === "open") await resolved(stage, id, red);
      }
    },
  },
  {
    name: "access-runs",
    says: "whoever knows the name of a run may do no more, and whoever has a new one no less",
    rules: ["AHCP-AUT-005"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(stage) {
      const message = ask(stage, { body: stage.fresh("canary") });
      const { id } = await submit(stage, message);
      if (reveals(await read(stage, id, "b"), String(message.body)))
        return stage.skip("AHCP-AUT-005", "another agent reads the message without knowing its run");
      const own = notify(stage);
      await submit(stage, { ...own, agent: { ...(message.agent as object), id: stage.agents.b as string } }, "b");
      const foreign = await read(stage, id, "b");
      const why = `with a run of the same name another agent reads the ask: ${inShort(foreign)}`;
      stage.expect("AHCP-AUT-005", !reveals(foreign, String(message.body)), why);
      await submit(stage, notify(stage));
      const again = await read(stage, id);
      stage.expect(
        "AHCP-AUT-005",
        again.status === 200,
        `its submitter is shut out after a new run: ${inShort(again)}`,
      );
    },
  },
  {
    name: "access-no-trace",
    says: "what a stranger tries leaves a message as it was",
    rules: ["AHCP-AUT-007"],
    needs: ["second-credential"],
    withinMs: 30_000,
    async play(stage) {
      const { id } = await submit(stage, ask(stage));
      await read(stage, id, "b");
      if (isTaken(await cancel(stage, id, "b")))
        return stage.skip("AHCP-AUT-007", "another agent can cancel the ask, so that there is a trace");
      const status = await statusOf(stage, id);
      stage.expect("AHCP-AUT-007", status === "open", `after a stranger's attempts the ask is "${status}"`);
      const reply = await cancel(stage, id);
      const why = `after a stranger's attempts its submitter cannot cancel the ask: ${inShort(reply)}`;
      stage.expect("AHCP-AUT-007", reply.status === 200, why);
    },
  },
  {
    name: "access-media-type",
    says: "JSON is labelled as such",
    rules: ["AHCP-AUT-009"],
    needs: [],
    withinMs: 30_000,
    async play(stage) {
      const { id, reply } = await submit(stage, ask(stage));
      const replies = [reply, await read(stage, id), await read(stage, similarTo(id)), await cancel(stage, id)];
      for (const { json, headers, exchange } of replies) {
        if (json === undefined) continue;
        const type = headers["content-type"] ?? "";
        const why = `${exchange.request.method} is answered with JSON that is labelled "${type}"`;
        stage.expect("AHCP-AUT-009", /^application\/json\s*(;|$)/i.test(type), why);
      }
    },
  },
];

/** Status, code and members of a refusal, in one text. */
function shapeOf(reply: HttpReply): string {
  const { json } = reply;
  return JSON.stringify([reply.status, codeOf(reply), isObject(json) ? Object.keys(json).sort() : null]);
}
