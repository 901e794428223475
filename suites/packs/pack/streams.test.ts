import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Json,
  type Protocol,
  protocolNamed,
  type ScenarioContext,
  type StepEntry,
} from "../../../schemas/index.ts";
import { type Receiver, startReceiver } from "../../running/scenarios/receiver/receiver.ts";
import { startCommand } from "../../running/scenarios/way/command.ts";
import { openStream, type StreamCall } from "../../running/scenarios/way/event-stream.ts";
import { dialChannel } from "../../running/scenarios/way/websocket.ts";
import { type Connection, takeSockets } from "../../running/scenarios/way/websocket-server.ts";
import { ruled } from "./load.ts";
import { scenariosIn } from "./scenarios.ts";
import { type PlayState, playSteps } from "./steps.ts";
import { emptyStreams } from "./streams.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (let cleanup = cleanups.pop(); cleanup !== undefined; cleanup = cleanups.pop()) await cleanup();
});

async function startServer(onRequest: RequestListener, onSocket?: (connection: Connection) => void): Promise<string> {
  const server: Server = createServer(onRequest);
  if (onSocket !== undefined) cleanups.push(takeSockets(server, onSocket, { protocol: "words" }));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Plays steps with the parts of a context that they use, and returns the result of each rule's expectations. */
async function resultsOf(url: string, steps: readonly StepEntry[], command?: string): Promise<string[]> {
  const receiver: Receiver = await startReceiver();
  cleanups.push(() => receiver.close());
  const results: string[] = [];
  const context = {
    setting: { url, command, credentials: { a: { token: "of-a", agent: "a" }, b: { token: "of-b", agent: "b" } } },
    signal: new AbortController().signal,
    closing: (close: () => unknown) => void cleanups.push(close),
    record: () => {},
    stream: (call: StreamCall) => openStream(context as unknown as ScenarioContext, { ...call, takesLines: true }),
    socket: ({ path, headers }: { path: string; headers: Record<string, string> }) =>
      dialChannel(context as unknown as ScenarioContext, `${url.replace("http", "ws")}${path}`, headers),
    start: async () => startCommand(context as unknown as ScenarioContext),
    violations: async () => [],
    later: async () => 0,
    callback: async (answers: readonly number[]) => receiver.callback("inbox", answers),
    come: (callback: { come(count: number, ms: number): Promise<boolean> }, count: number, ms: number) =>
      callback.come(count, ms),
    expect: (rule: string, holds: boolean, why: string) => void results.push(holds ? rule : `${rule}: ${why}`),
    fresh: (name: string) => name,
    send: async ({ path, body }: { path: string; body: unknown }) => {
      const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
      return { status: response.status, headers: Object.fromEntries(response.headers), json: undefined, text: "" };
    },
  };
  const state: PlayState = {
    savedValues: {},
    name: "a",
    rules: [],
    judgedRules: new Set<string>(),
    streams: emptyStreams(),
  };
  const protocol = { profile: { documents: [] } } as unknown as Protocol;
  await playSteps(protocol, context as unknown as ScenarioContext, steps, state);
  return results;
}

const openFeed: StepEntry = { send: { method: "GET", path: "/" }, stream: "feed" };
const expectEnd = (how: string, items: number): StepEntry => ({
  end: "feed",
  withinMs: 200,
  expect: [{ rule: "END", equal: { "/how": how, "/items": items } }],
});

describe("a stream in a scenario", () => {
  it("is read item by item, with the fields of its events", async () => {
    const url = await startServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {}\n\nevent: note\nid: 7\ndata: {"n":1}\n\ndata: {"n":2}\n\n');
    });
    const steps: StepEntry[] = [
      {
        ...openFeed,
        expect: [{ rule: "HEAD", status: [200], headers: { "Content-Type": "^text/event" } }],
        save: { type: { header: "Content-Type" } },
      },
      {
        next: "feed",
        until: { headers: { event: "^note$" } },
        expect: [{ rule: "ITEM", headers: { id: "^7$" }, equal: { "/n": 1 } }],
      },
      {
        next: "feed",
        expect: [
          { rule: "NEXT", equal: { "/n": 3 } },
          { rule: "TYPE", differs: { "/n": "{{type}}" } },
        ],
      },
      {
        next: "feed",
        expect: [
          { rule: "NONE", absent: [""] },
          { rule: "MORE", present: [""] },
        ],
      },
      expectEnd("closed", 0),
    ];
    expect(await resultsOf(url, steps)).toEqual([
      "HEAD",
      "ITEM",
      'NEXT: "/n" is 2, not 3',
      "TYPE",
      "NONE",
      expect.stringContaining('MORE: there is nothing at "": feed ended'),
      "END",
    ]);
  });

  it("may consist of JSON lines, and reports how it ended", async () => {
    const url = await startServer((request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"n":1}\n\n{"n":2}\n{"n":', () => {
        if (request.url === "/cut") response.destroy();
        else if (request.url === "/closed") response.end("3}\n");
      });
    });
    const openPath = (path: string): StepEntry => ({ send: { method: "GET", path }, stream: "feed" });
    expect(await resultsOf(url, [openPath("/cut"), expectEnd("cut", 2)])).toEqual(["END"]);
    expect(await resultsOf(url, [openPath("/closed"), expectEnd("closed", 3)])).toEqual(["END"]);
    expect(await resultsOf(url, [openPath("/open"), expectEnd("open", 2)])).toEqual(["END"]);
    expect(await resultsOf(url, [openPath("/cut"), expectEnd("closed", 2)])).toEqual([
      'END: "/how" is "cut", not "closed"',
    ]);
  });

  it("is requested with the credentials of either party, or without credentials", async () => {
    const url = await startServer(({ headers }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(headers.authorization ?? "nobody")}\n\n`);
    });
    const readAs = (party: "a" | "b" | "nobody", credential: string): StepEntry[] => [
      { send: { method: "GET", path: "/", as: party }, stream: "feed" },
      { next: "feed", expect: [{ rule: party, equal: { "": credential } }] },
    ];
    expect(
      await resultsOf(url, [
        ...readAs("a", "Bearer of-a"),
        ...readAs("b", "Bearer of-b"),
        ...readAs("nobody", "nobody"),
      ]),
    ).toEqual(["a", "b", "nobody"]);
  });
});

const [sendWords, closeTalk]: StepEntry[][] = [
  [
    { tell: "talk", message: { say: "{{word}}" } },
    { tell: "talk", message: '{"say":"two"}' },
    {
      next: "talk",
      count: 2,
      withinMs: 500,
      expect: [
        { rule: "ECHO", equal: { "/0/say": "one", "/1/say": "two" } },
        { rule: "FEW", absent: ["/2"] },
      ],
    },
  ],
  [
    { close: "talk" },
    { end: "talk", withinMs: 500, expect: [{ rule: "END", equal: { "/how": "closed", "/items": 0 } }] },
    { tell: "talk", message: "to nobody" },
  ],
] as [StepEntry[], StepEntry[]];
const forOneWord = (steps: readonly StepEntry[]): StepEntry[] => [{ each: { word: ["one"] }, steps: [...steps] }];

describe("a WebSocket in a scenario", () => {
  const openTalk: StepEntry = {
    send: { path: "/talk", headers: { "Sec-WebSocket-Protocol": "words, more" }, as: "b" },
    socket: "talk",
    expect: [{ rule: "HEAD", status: [101], headers: { "sec-websocket-protocol": "^words$" } }],
  };
  const expectCode = (code: Record<string, Json>): StepEntry => ({
    end: "talk",
    withinMs: 500,
    expect: [{ rule: "CODE", equal: code }],
  });
  const refuse: RequestListener = (_, response) => void response.writeHead(403).end('{"code":"members-only"}');

  it("receives messages, and is read frame by frame to its end", async () => {
    const url = await startServer(refuse, (connection) => connection.onText((text) => connection.send(text)));
    expect(await resultsOf(url, forOneWord([openTalk, ...sendWords, ...closeTalk]))).toEqual([
      "HEAD",
      "ECHO",
      "FEW",
      "END",
    ]);
  });

  it("violates the rules if the server answers incorrectly", async () => {
    const url = await startServer(refuse, (connection) =>
      connection.onText((text) => {
        connection.send(text.includes("two") ? new Uint8Array([1]) : text.replace("one", "ONE"));
        if (text.includes("two")) connection.close(1011);
      }),
    );
    expect(
      await resultsOf(url, forOneWord([openTalk, ...sendWords, expectCode({ "/how": "closed", "/code": 1000 })])),
    ).toEqual(["HEAD", 'ECHO: "/0/say" is "ONE", not "one"', "FEW", 'CODE: "/code" is 1011, not 1000']);
    const cuttingUrl = await startServer(refuse, (connection) => connection.onText(() => connection.cut()));
    expect(
      await resultsOf(cuttingUrl, forOneWord([openTalk, ...sendWords, expectCode({ "/how": "cut", "/items": 0 })])),
    ).toEqual(["HEAD", expect.stringMatching(/^ECHO: "\/0\/say" is nothing/), "FEW", "CODE"]);
  });

  it("counts as an answer if it is refused, which is an error unless the step expects a status", async () => {
    const url = await startServer(refuse);
    const expectRefusal: StepEntry = {
      ...openTalk,
      expect: [{ rule: "NO", status: [403], equal: { "/code": "members-only" } }],
    };
    expect(await resultsOf(url, [expectRefusal, { next: "talk", expect: [{ rule: "NONE", absent: [""] }] }])).toEqual([
      "NO",
      "NONE",
    ]);
    const { expect: _, ...withoutExpectation } = openTalk;
    await expect(resultsOf(url, [withoutExpectation])).rejects.toThrow("it was refused with status 403");
    await expect(resultsOf(url, [{ send: { path: "/" }, stream: "feed" }])).rejects.toThrow(
      "it was refused with status 403",
    );
    await expect(resultsOf("http://127.0.0.1:1", [openTalk])).rejects.toThrow("no WebSocket at ws://127.0.0.1:1/talk");
  });
});

describe.skipIf(process.platform === "win32")("a command in a scenario", () => {
  const start: StepEntry = { start: "talk" };
  const closeAndExpect = (code: number): StepEntry[] => [
    { close: "talk" },
    { end: "talk", withinMs: 5000, expect: [{ rule: "END", equal: { "/how": "closed", "/code": code } }] },
  ];
  const steps = (code: number): StepEntry[] => forOneWord([start, ...sendWords, ...closeAndExpect(code)]);

  it("receives lines, is read line by line, and reports its exit code", async () => {
    expect(await resultsOf("", steps(0), "cat")).toEqual(["ECHO", "FEW", "END"]);
    expect(await resultsOf("", steps(0), "head -n 1; exit 3")).toEqual([
      expect.stringMatching(/^ECHO: "\/1\/say" is nothing/),
      "FEW",
      'END: "/code" is 3, not 0',
    ]);
  });

  it("is an error of the run if it does not exist", async () => {
    await expect(resultsOf("", steps(0), "touchstone-no-such-command")).rejects.toThrow("the command was not started");
    await expect(resultsOf("", steps(0))).rejects.toThrow("needs a command");
  });
});

it("a step can read JSON that is encoded in the texts of an answer", async () => {
  const inner = JSON.stringify({ alg: "ES256" });
  const url = await startServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const item = { signed: Buffer.from(inner).toString("base64url"), details: inner, text: "no JSON" };
    response.end(`data: {}\n\ndata: ${JSON.stringify(item)}\n\n`);
  });
  const decode = { "/signed": "base64url", "/details": "json", "/text": "json", "/none": "json" } as const;
  const results = await resultsOf(url, [
    openFeed,
    {
      next: "feed",
      decode,
      until: { present: ["/signed/alg"] },
      expect: [
        { rule: "IN", equal: { "/signed/alg": "ES256", "/details/alg": "ES256", "/text": "no JSON" } },
        { rule: "WRONG", equal: { "/signed/alg": "none" } },
      ],
      save: { alg: "/signed/alg" },
    },
  ]);
  expect(results).toEqual(["IN", 'WRONG: "/signed/alg" is "ES256", not "none"']);
});

it("a scenario reads the requests that the target sends, one by one", async () => {
  const steps: StepEntry[] = [
    { receive: "inbox", answers: [503, 204] },
    { send: { path: "{{inbox}}", body: { n: 1 } }, expect: [{ rule: "FIRST", status: [503] }] },
    { send: { path: "{{inbox}}", body: { n: 2 } }, expect: [{ rule: "SECOND", status: [204] }] },
    { arrival: "inbox", expect: [{ rule: "ONE", equal: { "/method": "POST", "/body/n": 1 } }] },
    { arrival: "inbox", expect: [{ rule: "TWO", equal: { "/body/n": 1 } }] },
    { arrival: "inbox", withinMs: 20, expect: [{ rule: "NONE", absent: [""] }] },
    { arrival: "inbox", withinMs: 20, expect: [{ rule: "THIRD", equal: { "/body/n": 3 } }] },
  ];
  expect(await resultsOf("http://127.0.0.1:1", steps)).toEqual([
    "FIRST",
    "SECOND",
    "ONE",
    'TWO: "/body/n" is 2, not 1',
    "NONE",
    'THIRD: no request came to inbox in time: "/body/n" is nothing, not 3',
  ]);
});

/** Makes a pack with these files; returns its folder. */
function packOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

it.each([
  ["next: fede", /no earlier step opens the stream fede/],
  ["arrival: inbox", /no earlier step opens the address inbox/],
  ["tell: feed", /no earlier step opens the channel feed/],
  ['next: feed\n            until: { matches: { /a: "(" } }', /is not a regular expression/],
])("refuses %s, and names the line", async (step, message) => {
  const folder = packOf({
    "profile.json": '{ "documents": [{ "file": "schemas/note.schema.json" }] }',
    "schemas/note.schema.json": '{ "type": "object" }',
    "rules/feed.yaml": `rules:
  NOTE-FEED-001:
    statement: It is so.
    scenarios:
      feed:
        says: it is so
        steps:
          - { send: { path: /feed }, stream: feed }
          - ${step}
            ${step.startsWith("tell") ? "message: a" : "expect: [{ rule: NOTE-FEED-001, present: [/a] }]"}
`,
  });
  const refusal = await scenariosIn(await ruled(protocolNamed(folder))).catch(
    (error: Error & { where?: string }) => error,
  );
  expect(refusal).toMatchObject({
    message: expect.stringMatching(message),
    where: expect.stringMatching(/feed\.yaml:(9|10):/),
  });
});
