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
        says: bytes that are not UTF-8 are refused
        steps:
          - send: { path: /notes, base64: eyJ0ZXh0Ijoi/yJ9 }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
      cut:
        says: JSON that is cut off is refused
        steps:
          - send: { path: /notes, body: '{"text": "a' }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
      twice:
        says: a member that is there twice is refused
        steps:
          - send: { path: /notes, body: '{"text": "a", "text": "b"}' }
            expect: [{ rule: NOTE-TEXT-001, status: [400] }]
`;

function writePack(text: string): void {
  mkdirSync(join(pack, "rules"), { recursive: true });
  mkdirSync(join(pack, "schemas"), { recursive: true });
  const schema = { type: "object", required: ["text"], properties: { text: { type: "string" } } };
  writeFileSync(join(pack, "schemas", "note.schema.json"), JSON.stringify(schema));
  const documents = [{ file: "schemas/note.schema.json", endpoint: "/notes" }];
  const http = { accepted: [{ status: [201] }], rejected: [{ status: [400] }] };
  writeFileSync(join(pack, "profile.json"), JSON.stringify({ documents, http }));
  writeFileSync(join(pack, "rules", "text.yaml"), text);
}

/** Accepts a body if this does. */
async function serve(accepts: (body: Buffer) => boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    response.writeHead(accepts(Buffer.concat(await request.toArray())) ? 201 : 400).end();
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function outcomes(url: string): Promise<Record<string, string>> {
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

it("a scenario sends bytes that no JSON value has, and a server that accepts some of them violates its rule", async () => {
  writePack(rules);
  const strict = await serve((body) => {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
    return Buffer.from(text).equals(body) && isJson(text) && text.split('"text"').length === 2;
  });
  expect(await outcomes(strict)).toEqual({ bytes: "conforms", cut: "conforms", twice: "conforms" });
  const lax = await serve((body) => isJson(body.toString("utf8")));
  expect(await outcomes(lax)).toEqual({ bytes: "violates", cut: "conforms", twice: "violates" });
});

it("bytes beside a body, or bytes that are not base64, are an error with file and line", async () => {
  for (const sent of ["{ path: /notes, base64: AA==, body: {} }", "{ path: /notes, base64: A? }"]) {
    writePack(rules.replace("{ path: /notes, base64: eyJ0ZXh0Ijoi/yJ9 }", sent));
    const { code, err } = await touchstone("play", pack, "--http", "http://127.0.0.1:9");
    expect([code, err]).toEqual([2, expect.stringMatching(/text\.yaml:9:\d+/)]);
  }
});
