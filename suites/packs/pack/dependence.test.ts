import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, it } from "vitest";
import {
  type Document,
  type Json,
  protocolNamed,
  type Question,
  type ScenarioContext,
} from "../../../schemas/index.ts";
import { readPublished, skipFeature, unboundRules, unofferedFeatures } from "../../targets/http/learned-facts.ts";
import { ruled } from "./load.ts";
import { scenariosIn } from "./scenarios.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Writes a pack with these rules; returns its folder. */
function writePack(rules: string): string {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  folders.push(folder);
  const files = {
    "profile.json": JSON.stringify({
      documents: [{ file: "schemas/note.schema.json" }],
      http: { publishes: { card: "/card.json" } },
    }),
    "schemas/note.schema.json": '{ "type": "object" }',
    "rules/note.yaml": rules,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

const writeSamplePack = (): string =>
  writePack(`rules:
  NOTE-STREAM-001:
    statement: A server with streams does it.
    when: { card: { equal: { /streams: true } } }
  NOTE-PLAIN-001:
    statement: Each server does it.
    scenarios:
      both:
        says: two rules are seen
        steps:
          - send: { method: GET, path: /both }
            expect:
              - { rule: NOTE-PLAIN-001, status: [200] }
              - { rule: NOTE-STREAM-001, equal: { /a: 2 } }
      old:
        says: old servers do it
        unless: { card: { matches: { /version: "^2" } } }
        steps:
          - { send: { method: GET, path: /old }, expect: [{ rule: NOTE-PLAIN-001, status: [201] }] }
`);

/** Plays all scenarios with a server that publishes this card (nothing if undefined) and answers everything else with `{"a": 1}`. */
async function playWith(card: Json | undefined): Promise<Record<string, string[]>> {
  const resultsByScenario: Record<string, string[]> = {};
  for (const scenario of await scenariosIn(await ruled(protocolNamed(writeSamplePack())))) {
    const results: string[] = [];
    resultsByScenario[scenario.name] = results;
    await scenario.play({
      fresh: (name: string) => name,
      send: async ({ path }: { path: string }) =>
        path === "/card.json"
          ? { status: card === undefined ? 404 : 200, json: card, text: "" }
          : { status: 200, json: { a: 1 }, text: "" },
      expect: (rule: string, holds: boolean) => void results.push(`${holds ? "conforms" : "violates"} ${rule}`),
      skip: (rule: string) => void results.push(`skipped ${rule}`),
    } as unknown as ScenarioContext);
  }
  return resultsByScenario;
}

it("scenarios are played only with targets that publish the feature", async () => {
  expect(await playWith({ streams: true, version: "1.9" })).toEqual({
    both: ["conforms NOTE-PLAIN-001", "violates NOTE-STREAM-001"],
    old: ["violates NOTE-PLAIN-001"],
  });
  expect(await playWith({ streams: false, version: "2.0" })).toEqual({
    both: ["skipped NOTE-STREAM-001", "conforms NOTE-PLAIN-001"],
    old: ["skipped NOTE-PLAIN-001"],
  });
  expect(await playWith(undefined)).toMatchObject({ old: ["violates NOTE-PLAIN-001"] });
});

it("vectors are sent only to targets that publish the feature", async () => {
  const protocol = protocolNamed(writeSamplePack());
  const requestedPaths: string[] = [];
  const published = await readPublished(protocol, async (path) => {
    requestedPaths.push(path);
    return { streams: false };
  });
  const skips = unboundRules(protocol, published);
  expect(requestedPaths).toEqual(["/card.json"]);
  expect([...skips]).toEqual([
    ["NOTE-STREAM-001", expect.objectContaining({ cause: { kind: "not-offered", document: "card" } })],
  ]);
});

it("messages are sent only to targets that publish the feature that they need", () => {
  const protocol = protocolNamed("ma2h");
  const documentNamed = (name: string) =>
    protocol.profile.documents.find((document) => document.name === name) as Document;
  const areSent = (published: Json | undefined): boolean[] => {
    const unoffered = unofferedFeatures(protocol, new Map([["hub", published]]));
    const questions = [
      ["registration", {}],
      ["message", { to: "agent:b" }],
      ["message", { agent: { id: "a", session: "sess_a" } }],
      ["message", { agent: { id: "a" } }],
    ] as const;
    return questions.map(([name, data]) => {
      const question = { document: documentNamed(name), data } as Partial<Question> as Question;
      return skipFeature(unoffered, question) === undefined;
    });
  };
  expect(areSent(undefined)).toEqual([true, true, true, true]);
  expect(areSent({})).toEqual([false, false, false, true]);
  expect(areSent({ sessions: { enabled: true } })).toEqual([true, false, true, true]);
  expect(areSent({ sessions: { enabled: true }, inter_agent: { enabled: true } })).toEqual([true, true, true, true]);
});

it.each([
  ["when: { cart: { present: [/a] } }", /http\.publishes of the profile has no document cart/, /note\.yaml:4:/],
  ['unless: { card: { matches: { /a: "(" } } }', /is not a regular expression/, /note\.yaml:4:/],
])("refuses %s, and names the line", (line, message, place) => {
  const folderOfPack = writePack(`rules:\n  NOTE-A-001:\n    statement: It is so.\n    ${line}\n`);
  let error: unknown;
  try {
    protocolNamed(folderOfPack);
  } catch (caught) {
    error = caught;
  }
  expect(error).toMatchObject({ message: expect.stringMatching(message), where: expect.stringMatching(place) });
});

it("a scenario that uses a second agent in any step needs a second credential", async () => {
  const pack = writePack(`rules:
  NOTE-OWN-001:
    statement: A note is its author's.
    scenarios:
      other:
        says: another agent does not read it
        steps:
          - each: { name: [one, two] }
            steps:
              - { send: { path: "/{{name}}", as: b }, expect: [{ rule: NOTE-OWN-001, status: [403] }] }
      nobody:
        says: an anonymous request does not read it
        steps: [{ send: { path: /one, as: nobody }, expect: [{ rule: NOTE-OWN-001, status: [401] }] }]
`);
  const [other, nobody] = await scenariosIn(await ruled(protocolNamed(pack)));
  expect([other?.needs, nobody?.needs]).toEqual([["second-credential"], []]);
});
