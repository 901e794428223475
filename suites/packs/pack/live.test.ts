import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Protocol, protocolNamed, type ScenarioContext, type StepEntry } from "../../../schemas/index.ts";
import { type Receiver, startReceiver } from "../../running/scenarios/receiver/receiver.ts";
import { openStream, type StreamCall } from "../../running/scenarios/way/event-stream.ts";
import { nothingLive } from "./live.ts";
import { ruled } from "./load.ts";
import { scenariosIn } from "./scenarios.ts";
import { takeAll } from "./story.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (let last = closing.pop(); last !== undefined; last = closing.pop()) await last();
});

async function listening(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Plays steps with as much of a context as they use, and gives what the expectations of each rule came to. */
async function played(url: string, steps: readonly StepEntry[]): Promise<string[]> {
  const receiver: Receiver = await startReceiver();
  closing.push(() => receiver.close());
  const found: string[] = [];
  const context = {
    setting: { url, credentials: { a: { token: "of-a", agent: "a" }, b: { token: "of-b", agent: "b" } } },
    signal: new AbortController().signal,
    closing: (close: () => unknown) => void closing.push(close),
    record: () => {},
    stream: (asked: StreamCall) => openStream(context as unknown as ScenarioContext, { ...asked, takesLines: true }),
    later: async () => 0,
    callback: async (answers: readonly number[]) => receiver.callback("inbox", answers),
    come: (callback: { come(count: number, ms: number): Promise<boolean> }, count: number, ms: number) =>
      callback.come(count, ms),
    expect: (rule: string, holds: boolean, why: string) => void found.push(holds ? rule : `${rule}: ${why}`),
    fresh: (name: string) => name,
    send: async ({ path, body }: { path: string; body: unknown }) => {
      const response = await fetch(path, { method: "POST", body: JSON.stringify(body) });
      return { status: response.status, headers: Object.fromEntries(response.headers), json: undefined, text: "" };
    },
  };
  const story = { kept: {}, name: "a", rules: [], judged: new Set<string>(), live: nothingLive() };
  const protocol = { profile: { documents: [] } } as unknown as Protocol;
  await takeAll(protocol, context as unknown as ScenarioContext, steps, story);
  return found;
}

const head: StepEntry = { send: { method: "GET", path: "/" }, stream: "feed" };
const end = (how: string, items: number): StepEntry => ({
  end: "feed",
  withinMs: 200,
  expect: [{ rule: "END", equal: { "/how": how, "/items": items } }],
});

describe("a stream in a scenario", () => {
  it("is read item by item, with the fields of its events", async () => {
    const url = await listening((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {}\n\nevent: note\nid: 7\ndata: {"n":1}\n\ndata: {"n":2}\n\n');
    });
    const steps: StepEntry[] = [
      {
        ...head,
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
      end("closed", 0),
    ];
    expect(await played(url, steps)).toEqual([
      "HEAD",
      "ITEM",
      'NEXT: "/n" is 2, not 3',
      "TYPE",
      "NONE",
      expect.stringContaining("MORE: there is nothing at"),
      "END",
    ]);
  });

  it("is of JSON lines as well, and says how it ended", async () => {
    const url = await listening((request, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"n":1}\n\n{"n":2}\n{"n":', () => {
        if (request.url === "/cut") response.destroy();
        else if (request.url === "/closed") response.end("3}\n");
      });
    });
    const to = (path: string): StepEntry => ({ send: { method: "GET", path }, stream: "feed" });
    expect(await played(url, [to("/cut"), end("cut", 2)])).toEqual(["END"]);
    expect(await played(url, [to("/closed"), end("closed", 3)])).toEqual(["END"]);
    expect(await played(url, [to("/open"), end("open", 2)])).toEqual(["END"]);
    expect(await played(url, [to("/cut"), end("closed", 2)])).toEqual(['END: "/how" is "cut", not "closed"']);
  });

  it("is asked for by either party, or by nobody", async () => {
    const url = await listening(({ headers }, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(headers.authorization ?? "nobody")}\n\n`);
    });
    const as = (party: "a" | "b" | "nobody", who: string): StepEntry[] => [
      { send: { method: "GET", path: "/", as: party }, stream: "feed" },
      { next: "feed", expect: [{ rule: party, equal: { "": who } }] },
    ];
    expect(
      await played(url, [...as("a", "Bearer of-a"), ...as("b", "Bearer of-b"), ...as("nobody", "nobody")]),
    ).toEqual(["a", "b", "nobody"]);
  });
});

it("receives requests of the target in turn, as records", async () => {
  const steps: StepEntry[] = [
    { receive: "inbox", answers: [503, 204] },
    { send: { path: "{{inbox}}", body: { n: 1 } }, expect: [{ rule: "FIRST", status: [503] }] },
    { send: { path: "{{inbox}}", body: { n: 2 } }, expect: [{ rule: "SECOND", status: [204] }] },
    { arrival: "inbox", expect: [{ rule: "ONE", equal: { "/method": "POST", "/body/n": 1 } }] },
    { arrival: "inbox", expect: [{ rule: "TWO", equal: { "/body/n": 1 } }] },
    { arrival: "inbox", withinMs: 20, expect: [{ rule: "NONE", absent: [""] }] },
  ];
  expect(await played("http://127.0.0.1:1", steps)).toEqual([
    "FIRST",
    "SECOND",
    "ONE",
    'TWO: "/body/n" is 2, not 1',
    "NONE",
  ]);
});

/** A pack with these files; gives its folder. */
function packOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

it.each([
  ["next: fede", /no step before opens the stream fede/],
  ["arrival: inbox", /no step before opens the address inbox/],
  ['next: feed\n            until: { matches: { /a: "(" } }', /is not a regular expression/],
])("refuses %s, with the line", async (step, what) => {
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
            expect: [{ rule: NOTE-FEED-001, present: [/a] }]
`,
  });
  const refused = await scenariosIn(await ruled(protocolNamed(folder))).catch(
    (error: Error & { where?: string }) => error,
  );
  expect(refused).toMatchObject({
    message: expect.stringMatching(what),
    where: expect.stringMatching(/feed\.yaml:(9|10):/),
  });
});
