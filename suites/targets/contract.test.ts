import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Document, Json, Protocol } from "../../schemas/index.ts";
import { commandTarget, httpTarget, moduleTarget, type Question, referenceTarget, type Target } from "./index.ts";
import { answerOf } from "./observations.fixture.ts";

/** How every target under test treats an instance; its member `do` names the behaviour. */
const behaviour = `
export default function behave(instance, context) {
  switch (instance.do) {
    case "accept": return true;
    case "reject": return { valid: false, errors: [{ at: "/do", keyword: "const", message: "is not accept" }] };
    case "count": return instance.n % 2 === 0 ? true : { valid: false, errors: [{ message: String(instance.n) }] };
    case "tell": return { valid: false, errors: [{ message: JSON.stringify([instance, context]) }] };
    case "own": return Object.hasOwn(instance, "__proto__") && instance.polluted === undefined;
    case "change": { const was = instance.n; instance.n = -1; return was === 7; }
    case "throw": throw new TypeError("cannot read that");
    case "exit": process.exit(7);
    case "hang": for (;;);
  }
}
`;

const script = `
import { createInterface } from "node:readline";
import behave from "./behave.mjs";
const say = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.command === "hello") say({ ready: true, name: "fixture" });
  else if (message.command === "stop") process.exit(0);
  else {
    const { seq, data, text, base64, ...context } = message;
    if (data === undefined) say({ seq, valid: false, errors: [{ message: text ?? base64 }] });
    else if (data.do === "garbage") process.stdout.write("Traceback\\u001b[31m\\n");
    else {
      const result = behave(data, context);
      say({ seq, valid: result === true || result.valid, errors: result.errors });
    }
  }
}
`;

const document: Document = {
  name: "note",
  title: "Note",
  schema: "https://example.test/note.schema.json",
  file: "note.schema.json",
  standalone: true,
  role: "entry",
  endpoint: { method: "POST", path: "/notes", accepted: [202], rejected: [422] },
};

const protocol: Protocol = {
  name: "notes",
  version: "1.0",
  folder: "",
  rules: [],
  schemas: [{ $id: document.schema, type: "object" }],
  profile: {
    $schema: "",
    protocol: "notes",
    version: "1.0",
    title: "Notes",
    summary: "",
    formats: "assert",
    documents: [document],
    http: {
      accepted: [{ status: [202] }],
      rejected: [{ status: [422] }],
      reason: { at: "/at", message: "/message" },
    },
  },
};

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "targets-"));
  writeFileSync(join(folder, "behave.mjs"), behaviour);
  writeFileSync(join(folder, "command.mjs"), script);
  const { default: behave } = await import(join(folder, "behave.mjs"));
  server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown): unknown =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const text = await textOf(request);
    if (text === "no json") return answer(422, { message: text });
    const instance = JSON.parse(text);
    if (instance.do === "throw") return answer(500, { message: "cannot read that" });
    if (instance.do === "exit") return request.socket.destroy();
    if (instance.do === "garbage") return response.writeHead(422).end("<h1>Traceback</h1>");
    if (instance.do === "hang") return undefined;
    const result = behave(instance, { url: request.url, headers: request.headers });
    if (result === true || result.valid) return answer(202, {});
    return answer(422, result.errors?.[0] ?? {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

const targetKinds: { kind: string; start: () => Target; takesText: boolean }[] = [
  { kind: "module", takesText: false, start: () => moduleTarget(join(folder, "behave.mjs")) },
  { kind: "command", takesText: true, start: () => commandTarget(`"${process.execPath}" "${folder}/command.mjs"`) },
  { kind: "http", takesText: true, start: () => httpTarget({ url }) },
  {
    kind: "reference",
    takesText: true,
    start: () => referenceTarget(undefined, async () => ({ url, close: async () => {} })),
  },
];

const question = (data: Json): Question => ({ document, data, keep: ["/kept"], seed: 987654321 });
const neverAborted = new AbortController().signal;
/** The limit for questions that must be answered: no test depends on it. */
const longTimeout = (): AbortSignal => AbortSignal.timeout(30_000);

describe.each(targetKinds)("a $kind target", ({ kind, start, takesText }) => {
  // All tests share one target, so that each test would notice effects of the one before.
  let target: Target;
  beforeAll(async () => {
    target = start();
    await target.open(protocol);
  });
  afterAll(() => target.close());

  const ask = async (data: Json, signal: AbortSignal = longTimeout()) =>
    answerOf(await target.check(question(data), signal));
  const expectAnswer = async (): Promise<void> => {
    expect(await ask({ do: "accept" })).toMatchObject({ verdict: "accepted" });
  };

  it("has a kind and a name", () => {
    expect(target.kind).toBe(kind);
    expect(target.name).not.toBe("");
    expect(target.claims).toBeUndefined();
    expect(target.skips(question({ do: "accept" }))).toBeUndefined();
  });

  it("passes on an acceptance, and a refusal with its reasons", async () => {
    expect(await ask({ do: "accept" })).toMatchObject({ verdict: "accepted", reasons: [] });
    const refusedAnswer = await ask({ do: "reject" });
    expect(refusedAnswer.verdict).toBe("rejected");
    expect(refusedAnswer.reasons).toMatchObject([{ at: "/do", message: "is not accept" }]);
  });

  it("gives each of 200 concurrent questions its own answer", async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ask({ do: "count", n })));
    answers.forEach((answer, n) => {
      if (n % 2 === 0) expect(answer.verdict).toBe("accepted");
      else expect(answer.reasons).toMatchObject([{ message: String(n) }]);
    });
  });

  it.each(["throw", "exit", "garbage"])("fails only the question with a %s, and continues", async (behaviourName) => {
    const questions = [ask({ do: "accept" }), ask({ do: behaviourName }), ask({ do: "reject" }), ask({ do: "accept" })];
    const [before, harmedAnswer, after, last] = await Promise.allSettled(questions);
    expect(harmedAnswer).toMatchObject({ status: "rejected", reason: { kind: "unavailable", outcome: "errored" } });
    expect(before).toMatchObject({ value: { verdict: "accepted" } });
    expect(after).toMatchObject({ value: { verdict: "rejected" } });
    expect(last).toMatchObject({ value: { verdict: "accepted" } });
    const { reason } = harmedAnswer as PromiseRejectedResult;
    expect(reason.message.length).toBeGreaterThan(10);
    expect(reason.message).not.toContain("\u001b");
    await expectAnswer();
  });

  it("times out only the question that hangs, and continues", async () => {
    await expectAnswer();
    const hangingQuestion = ask({ do: "hang" }, AbortSignal.timeout(200));
    const countQuestions = [ask({ do: "count", n: 2 }), ask({ do: "count", n: 3 })];
    await expect(hangingQuestion).rejects.toMatchObject({ kind: "unavailable", outcome: "timed-out" });
    expect((await Promise.all(countQuestions)).map(({ verdict }) => verdict)).toEqual(["accepted", "rejected"]);
    await expectAnswer();
  });

  it("does not count the time of one question against the next ones in the queue", async () => {
    const hangingQuestion = ask({ do: "hang" }, AbortSignal.timeout(400));
    const nextQuestion = ask({ do: "accept" }, AbortSignal.timeout(400));
    await expect(hangingQuestion).rejects.toMatchObject({ outcome: "timed-out" });
    await expect(nextQuestion).resolves.toMatchObject({ verdict: "accepted" });
  });

  it("passes a copy of the instance, with a member named __proto__ as an ordinary member", async () => {
    const instance = JSON.parse('{"do":"own","__proto__":{"polluted":true}}');
    expect(await ask(instance)).toMatchObject({ verdict: "accepted" });
    const changing = { do: "change", n: 7 };
    expect(await ask(changing)).toMatchObject({ verdict: "accepted" });
    expect(await ask(changing)).toMatchObject({ verdict: "accepted" });
    expect(changing.n).toBe(7);
  });

  it("does not reveal the expected verdict", async () => {
    const [reason] = (await ask({ do: "tell" })).reasons;
    expect(reason?.message).toContain('{"do":"tell"}');
    expect(reason?.message).not.toMatch(/kept|987654321|valid|expected/);
  });

  it("accepts raw text unchanged, or says why not", async () => {
    const text: Question = { document, text: "no json", keep: [], seed: 1 };
    if (!takesText) {
      expect(target.skips(text)).toMatchObject({ why: expect.stringContaining("text") });
      return;
    }
    expect(target.skips(text)).toBeUndefined();
    expect((await target.check(text, neverAborted)).reasons).toMatchObject([{ message: "no json" }]);
  });

  it("can be closed twice, and ends open questions", async () => {
    const openQuestion = ask({ do: "hang" }, neverAborted).catch((failure) => failure);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await target.close();
    await target.close();
    expect(await openQuestion).toMatchObject({ kind: "unavailable" });
    await expect(ask({ do: "accept" })).rejects.toMatchObject({ kind: "unavailable" });
  });
});
