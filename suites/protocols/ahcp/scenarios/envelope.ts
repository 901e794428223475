import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { deadlineIn } from "./deadline.ts";
import { permitEnding } from "./inbox-room.ts";
import { ask, notify, task } from "./messages.ts";
import { fitMessage } from "./published.ts";
import {
  codeOf,
  idOf,
  inShort,
  isAccepted,
  isClientError,
  isRefused,
  pathOf,
  post,
  postLarge,
  read,
  readStored,
  stepTowards,
  submit,
  unlessClosed,
} from "./steps.ts";
import { answerableMessages, noteSchema, numerousMessages } from "./valid-answers.ts";

const hourMs = 3_600_000;
const yearMs = 365 * 86_400_000;

/** A body size that exceeds the default limit of some servers, in bytes. */
const overMegabyte = 1_200_000;

/** Characters to fill a title of the maximum length. Each is one code point. */
const titleCharacters = [
  ["letters of one byte", "t"],
  ["letters of two bytes", "é"],
  ["characters of two UTF-16 code units", "😀"],
] as const;

const hubMembers: JsonObject = { status: "answered", response: { x: 1 }, resolution_id: "r", resolution: "answered" };

/** Matches stack traces of JavaScript, Python, Java and other languages. */
const stackTrace = /\n\s+at .+:\d+:\d+|Traceback \(most recent call last\)|\.(?:java|go|py|rb|ts|js):\d+\)/;

export const envelope: readonly Scenario[] = [
  {
    name: "envelope-good",
    says: "valid messages are accepted, each with its own id",
    rules: ["AHCP-ENV-024", "AHCP-ENV-007", "AHCP-ACK-001", "AHCP-ACK-005", "AHCP-LIM-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      for (const [description, character] of titleCharacters)
        await stepTowards(context, "AHCP-ENV-007", async () => {
          const reply = await post(context, notify(context, { title: character.repeat(200) }));
          context.expect(
            "AHCP-ENV-007",
            isAccepted(reply),
            `a title of 200 ${description} is refused: ${inShort(reply)}`,
          );
        });
      const ids: string[] = [];
      for (const [description, message] of await answerableMessages(context))
        await stepTowards(context, "AHCP-ENV-024", async () => {
          const reply = await post(context, await fitMessage(context, message));
          const id = idOf(reply);
          context.expect("AHCP-ENV-024", isAccepted(reply), `${description} is refused: ${inShort(reply)}`);
          if (!isAccepted(reply)) return;
          const why = `${description} is accepted with HTTP ${reply.status}, not 202`;
          context.expect("AHCP-ACK-001", reply.status === 202, why);
          if (id === undefined) return;
          context.expect("AHCP-ACK-005", !ids.includes(id), `${description} gets the id ${id} of another message`);
          ids.push(id);
          permitEnding(context);
        });
      for (const [description, message] of numerousMessages(context))
        await stepTowards(context, "AHCP-LIM-005", async () => {
          const reply = await post(context, message);
          const why = `30 ${description} are refused, and no such limit is published: ${inShort(reply)}`;
          context.expect("AHCP-LIM-005", isAccepted(reply), why, "SHOULD");
          permitEnding(context);
        });
    },
  },
  {
    name: "envelope-poll-url",
    says: "the poll URL leads to the message",
    rules: ["AHCP-ACK-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const createMessage of [notify, ask, task]) {
        const { id, reply } = await submit(context, createMessage(context));
        const url = isObject(reply.json) ? reply.json.poll_url : undefined;
        const isUrl = typeof url === "string" && URL.canParse(url);
        context.expect("AHCP-ACK-004", isUrl, `the poll URL of ${id} is ${JSON.stringify(url ?? null)}`);
        if (!isUrl) continue;
        if ((await read(context, id)).status !== 200) continue;
        const fetched = await context.fetch(url);
        if (fetched === undefined)
          return context.skip(
            "AHCP-ACK-004",
            `the scheme, host or port of the poll URL differs from the tested one: ${url}`,
          );
        const leadsToMessage = fetched.status === 200 && idOf(fetched) === id;
        // A hub that shows each message only once, which is a different fault, has already shown it.
        if (!leadsToMessage && (await read(context, id)).status !== 200) continue;
        context.expect(
          "AHCP-ACK-004",
          leadsToMessage,
          `the poll URL of ${id} does not lead to it: ${inShort(fetched)}`,
        );
      }
    },
  },
  {
    name: "envelope-written",
    says: "created_at does not affect whether a message is accepted",
    rules: ["AHCP-ENV-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const now = await context.now();
      const { text } = await deadlineIn(context, hourMs);
      for (const offsetMs of [-10 * yearMs, 10 * yearMs]) {
        const createdAt = new Date(now + offsetMs).toISOString();
        const reply = await post(context, ask(context, { created_at: createdAt, expires_at: text }));
        const id = idOf(reply);
        context.expect(
          "AHCP-ENV-004",
          isAccepted(reply),
          `an ask created at ${createdAt} is refused: ${inShort(reply)}`,
        );
        if (!isAccepted(reply) || id === undefined) continue;
        const { status } = await readStored(context, id);
        context.expect("AHCP-ENV-004", status === "open", `an ask created at ${createdAt} is "${status}"`);
      }
    },
  },
  {
    name: "envelope-own-id",
    says: "the hub chooses the id",
    rules: ["AHCP-ENV-021"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const ownId = context.fresh("msg_mine");
      const { id } = await submit(context, ask(context, { id: ownId }));
      context.expect("AHCP-ENV-021", id !== ownId, `the hub accepts the id that the agent chose: ${ownId}`);
      if (id === ownId) return;
      const reply = await read(context, ownId);
      context.expect("AHCP-ENV-021", !isAccepted(reply), `under an id that the agent chose there is ${inShort(reply)}`);
    },
  },
  {
    name: "envelope-hub-members",
    says: "an agent cannot set the hub's members",
    rules: ["AHCP-ENV-022"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      for (const createMessage of [notify, ask, task]) {
        const message = createMessage(context, hubMembers);
        const { id } = await submit(context, message);
        const stored = await readStored(context, id);
        const whyBelieved = `the ${message.type} with the status "answered" is read as answered`;
        context.expect("AHCP-ENV-022", stored.status !== hubMembers.status, whyBelieved);
        // Stored messages have only the first of these members. `resolution` is unknown, so a hub may show it.
        for (const [name, level] of [["response"], ["resolution_id", "SHOULD"]] as const) {
          const why = `the open ${message.type} is read with the /${name} of its sender`;
          context.expect("AHCP-ENV-022", stored[name] === undefined, why, level);
        }
      }
    },
  },
  {
    name: "envelope-client-ref",
    says: "an equal client_ref does not make a repetition",
    rules: ["AHCP-ENV-023"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const sharedMembers = { client_ref: context.fresh("ref") };
      for (const createMessage of [ask, task]) {
        const firstSubmission = await submit(context, createMessage(context, sharedMembers));
        const otherReply = await post(context, createMessage(context, sharedMembers));
        const isSeparate = isAccepted(otherReply) && idOf(otherReply) !== firstSubmission.id;
        context.expect(
          "AHCP-ENV-023",
          isSeparate,
          `an equal client_ref is treated as a repetition: ${inShort(otherReply)}`,
        );
      }
    },
  },
  {
    name: "envelope-malformed",
    says: "a malformed message is refused with 400 and does not crash the hub",
    rules: ["AHCP-ERR-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const validText = JSON.stringify(ask(context));
      const texts = [
        validText.slice(0, -1),
        "{",
        "nul",
        "null",
        "[]",
        '"x"',
        "5",
        "{}",
        validText.replace('"ask"', '"beg"'),
      ];
      for (const text of texts) {
        const reply = await post(context, text);
        const description = text.length > 12 ? `${text.slice(0, 6)}…${text.slice(-6)}` : text;
        const why = `the body ${description} is not answered with 400 validation_error: ${inShort(reply)}`;
        // A message without a version may be refused as an unsupported version.
        const isVersionRefusal = reply.status === 400 && codeOf(reply) === "version_not_supported";
        const isLenient = (reply.status === 422 && isJson(text)) || isVersionRefusal;
        // A body that does not name the caller may first be refused for that.
        const isSenderRefusal =
          isJson(text) && !text.includes(context.agents.a) && isRefused(reply, 403, "agent_id_mismatch");
        const isExpectedRefusal = isSenderRefusal || isRefused(reply, 400, "validation_error");
        context.expect("AHCP-ERR-003", isExpectedRefusal, why, isLenient ? "SHOULD" : undefined);
        context.expect(
          "AHCP-ERR-003",
          !stackTrace.test(reply.text),
          `the refusal shows a stack trace: ${inShort(reply)}`,
          "SHOULD",
        );
      }
      const emptyReply = await context.send({ method: "POST", path: "/v1/messages", body: "" });
      context.expect("AHCP-ERR-003", isClientError(emptyReply), `an empty body is not refused: ${inShort(emptyReply)}`);
    },
  },
  {
    name: "envelope-carried",
    says: "a request with a different media type, size or method does not crash the hub",
    rules: ["AHCP-ERR-003", "AHCP-ENV-024"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const postWithType = (type: string) => post(context, notify(context), "a", { "content-type": type });
      const charsetReply = await postWithType("application/json; charset=utf-8");
      const whyRefused = `a message of the type application/json with charset=utf-8 is refused: ${inShort(charsetReply)}`;
      context.expect("AHCP-ENV-024", isAccepted(charsetReply), whyRefused, "SHOULD");
      for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
        const reply = await postWithType(type);
        const why = `a message of the type ${type} crashes the hub: ${inShort(reply)}`;
        context.expect("AHCP-ERR-003", reply.status < 500, why);
      }
      const largeReply = await unlessClosed(
        postLarge(context, notify(context, { state: { large: "x".repeat(overMegabyte) } })),
      );
      const whyCrashed = `a message of more than a megabyte crashes the hub: ${largeReply === undefined ? "" : inShort(largeReply)}`;
      context.expect("AHCP-ERR-003", largeReply === undefined || largeReply.status < 500, whyCrashed);
      const { id } = await submit(context, ask(context));
      for (const method of ["HEAD", "OPTIONS", "POST", "PUT", "PATCH"]) {
        const reply = await context.send({ method, path: pathOf(id) });
        // 501 is a correct answer to an unsupported method.
        const hasNotCrashed = reply.status < 500 || reply.status === 501;
        const why = `${method} on a message crashes the hub: ${inShort(reply)}`;
        context.expect("AHCP-ERR-003", hasNotCrashed, why);
      }
    },
  },
  {
    name: "envelope-unacceptable",
    says: "an unacceptable value is distinguished from a malformed one",
    rules: ["AHCP-ERR-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const faultyBlocks: [description: string, block: JsonObject, level?: "SHOULD"][] = [
        ["a select with a default that is not an option", { default_on_expire: "green" }],
        [
          "an input's default that does not fit",
          { mode: "input", schema: noteSchema, options: undefined as never, default_on_expire: {} },
          "SHOULD",
        ],
      ];
      for (const [description, block, level] of faultyBlocks) {
        const reply = await post(context, ask(context, {}, block));
        // Other rules test whether the message is refused.
        if (!isClientError(reply)) continue;
        const isUnacceptable = reply.status === 422 && codeOf(reply) === "invalid_field";
        context.expect("AHCP-ERR-004", isUnacceptable, `${description} is refused with ${inShort(reply)}`, level);
      }
    },
  },
  {
    name: "envelope-defaults",
    says: "a default is one of the possible answers",
    rules: ["AHCP-ASK-010", "AHCP-ASK-011", "AHCP-ASK-012"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const input: JsonObject = { mode: "input", schema: noteSchema, options: undefined as never };
      const wrongDefaults: [rule: string, block: JsonObject, value: Json][] = [
        ["AHCP-ASK-010", {}, "green"],
        ["AHCP-ASK-010", {}, "Red"],
        ["AHCP-ASK-011", input, {}],
        ["AHCP-ASK-011", input, { note: 7 }],
        ["AHCP-ASK-012", { mode: "confirm", options: undefined as never }, "maybe"],
      ];
      for (const [rule, block, value] of wrongDefaults) {
        const reply = await post(context, ask(context, {}, { ...block, default_on_expire: value }));
        const why = `the default ${JSON.stringify(value)} of an ask in mode ${block.mode ?? "select"} is accepted`;
        context.expect(rule, isClientError(reply), why);
      }
    },
  },
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
