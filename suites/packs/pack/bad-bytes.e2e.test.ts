import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { touchstone } from "../../cli/process.fixture.ts";

const pack = join(mkdtempSync(join(tmpdir(), "touchstone-")), "notes");
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(dirname(pack), { recursive: true });
});

const rules = `rules:
  NOTE-TEXT-001:
    statement: A body that is not one JSON text in UTF-8 is refused.
    clause: "2"
    scenarios:
      bytes:
        says: the server refuses bytes that are not UTF-8
        steps:
          - send: { path: /notes, base64: eyJ0ZXh0Ijoi/yJ9 }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
      cut:
        says: the server refuses truncated JSON
        steps:
          - send: { path: /notes, body: '{"text": "a' }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
      twice:
        says: the server refuses a repeated member
        steps:
          - send: { path: /notes, body: '{"text": "a", "text": "b"}' }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
`;

function writePack(ruleFile: string): void {
  mkdirSync(join(pack, "rules"), { recursive: true });
  mkdirSync(join(pack, "schemas"), { recursive: true });
  const schema = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
  writeFileSync(join(pack, "schemas", "note.schema.json"), JSON.stringify(schema));
  const documents = [{ file: "schemas/note.schema.json", endpoint: "/notes" }];
  const http = { accepted: [{ status: [201] }], rejected: [{ status: [400] }] };
  writeFileSync(join(pack, "profile.json"), JSON.stringify({ documents, http }));
  writeFileSync(join(pack, "rules", "text.yaml"), ruleFile);
}

/** Starts a server that accepts the bodies for which the function returns true; returns its URL. */
async function serve(accepts: (body: Buffer) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    response.writeHead(accepts(Buffer.concat(await request.toArray())) ? 201 : 400).end();
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function playAgainst(url: string): Promise<Record<string, string>> {
  const { out, err } = await touchstone("play", pack, "--http", url, "--report", "json", "--seed", "1");
  expect(err).toMatch(/^(?:took \S+ s\n)?$/);
  const results = (JSON.parse(out) as Report).runs.flatMap((run) => run.results);
  return Object.fromEntries(results.map(({ id, outcome }) => [id.split("/")[3], outcome]));
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

it("a scenario can send bytes that no JSON value has, and a server that accepts them violates the rule", async () => {
  writePack(rules);
  const strict = await serve((body) => {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
    return Buffer.from(text).equals(body) && isJson(text) && text.split('"text"').length === 2;
  });
  expect(await playAgainst(strict)).toEqual({ bytes: "conforms", cut: "conforms", twice: "conforms" });
  const lax = await serve((body) => isJson(body.toString("utf8")));
  expect(await playAgainst(lax)).toEqual({ bytes: "violates", cut: "conforms", twice: "violates" });
});

it("a step with both bytes and a body, or with invalid base64, is an error that names file and line", async () => {
  for (const step of ["{ path: /notes, base64: AA==, body: {} }", "{ path: /notes, base64: A? }"]) {
    writePack(rules.replace("{ path: /notes, base64: eyJ0ZXh0Ijoi/yJ9 }", step));
    const { code, err } = await touchstone("play", pack, "--http", "http://127.0.0.1:9");
    expect([code, err]).toEqual([2, expect.stringMatching(/text\.yaml:9:\d+/)]);
  }
});
