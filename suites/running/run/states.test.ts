import { expect, it } from "vitest";
import { ofStatus } from "../../base/text/skips.ts";
import { sampleProtocol, vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import type { Question, Target } from "../../targets/index.ts";
import { runSuite } from "./suite.ts";

const note = "sample/1.0/note";
const site = "https://example.org/note#/properties/title/minLength";
const invalid = Array.from({ length: 10 }, (_, index) =>
  vector({
    id: `${note}/invalid/${index}`,
    valid: false,
    parent: `${note}/valid/good`,
    site,
    data: { title: `bad ${index}` },
  }),
);
const semantic = vector({ id: `${note}/invalid/rule`, valid: false, rule: "S-1", data: { title: "semantic" } });
const vectors = writeSet([
  {
    path: `${note}/valid.json`,
    document: "note",
    tests: ["good", "fine"].map((title) => vector({ id: `${note}/valid/${title}`, data: { title } })),
  },
  { path: `${note}/invalid.json`, document: "note", tests: [...invalid, semantic] },
  {
    path: `${note}/raw.json`,
    document: "note",
    tests: [vector({ id: `${note}/raw/spelled`, raw: '{"title":"spelled"}' })],
  },
]);

/** The results for a server that answers 409 to some messages, accepts others, and refuses the rest with a separate status. */
async function outcomes(isState: (title: string) => boolean, isTaken: (title: string) => boolean, only: string[] = []) {
  const target = (): Target => ({
    kind: "http",
    name: "fake",
    claims: undefined,
    concurrency: 4,
    open: async () => {},
    skips: () => undefined,
    async check({ data, text }: Question) {
      const { title } = (data ?? JSON.parse(text as string)) as { title: string };
      if (isState(title)) {
        const message = "status 409 is not documented";
        return {
          ...{ kind: "about-state" as const, status: 409 },
          ...ofStatus(409, "for what the server has", ""),
          refusal: { verdict: "rejected", reasons: [], breach: { rule: "S-9", level: "SHOULD", message } },
        };
      }
      return { verdict: isTaken(title) ? "accepted" : "rejected", reasons: [] };
    },
    close: async () => {},
  });
  const report = await runSuite({ protocols: [sampleProtocol()], target, vectors, only });
  const of = new Map(
    report.runs.flatMap(({ results }) => results).map(({ id, outcome }) => [id.split("/")[4], outcome]),
  );
  return { of, counts: report.counts };
}

const isBad = (title: string): boolean => title.startsWith("bad");
const isGood = (title: string): boolean => !isBad(title);

it("a status about state that answers every invalid message and no valid one is the server's way to refuse", async () => {
  const { of, counts } = await outcomes((title) => isBad(title) || title === "semantic", isGood);
  expect(of.get("3")).toBe("warns");
  // A message that only a rule forbids may be refused because of the server's state.
  expect(of.get("rule")).toBe("skipped");
  expect(counts).toMatchObject({ conforms: 3, warns: 10, skipped: 1, violates: 0 });
});

it("a text of a valid message that was sent before does not count against that, and is not judged by it", async () => {
  const { of } = await outcomes((title) => isBad(title) || title === "spelled", isGood);
  expect([of.get("3"), of.get("spelled")]).toEqual(["warns", "skipped"]);
});

it.each<[string, (title: string) => boolean, (title: string) => boolean]>([
  ["answers a valid message too, which was sent before", (title) => isBad(title) || title === "fine", isGood],
  ["answers few of the invalid messages", (title) => title === "bad 1" || title === "bad 2", isGood],
  ["answers half while another status refuses", (title) => /bad [0-4]/.test(title), isGood],
  [
    "is the only refusal of a server that accepts most messages",
    (title) => /bad [0-3]/.test(title),
    (title) => !/bad [0-3]/.test(title),
  ],
  ["answers for a server that accepts no valid message", isBad, (title) => title === "semantic"],
])("a status that %s says nothing about them", async (_, isState, isTaken) => {
  const { of } = await outcomes(isState, isTaken);
  expect(of.get("1")).toBe("skipped");
});

it("a single vector that is run again is judged as in the whole run, and nothing else is reported", async () => {
  const only = [`${note}/invalid/3`];
  expect((await outcomes(isBad, isGood, only)).counts).toMatchObject({ conforms: 0, warns: 1, skipped: 0 });
  const few = await outcomes((title) => title === "bad 3", isGood, only);
  expect(few.counts).toMatchObject({ conforms: 0, warns: 0, skipped: 1 });
});
