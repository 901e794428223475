import { expect, it } from "vitest";
import { skipByStatus } from "../../base/text/skips.ts";
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
async function runServer(
  isAnsweredByState: (title: string) => boolean,
  isAccepted: (title: string) => boolean,
  only: string[] = [],
) {
  const target = (): Target => ({
    kind: "http",
    name: "fake",
    claims: undefined,
    concurrency: 4,
    open: async () => {},
    skips: () => undefined,
    async check({ data, text }: Question) {
      const { title } = (data ?? JSON.parse(text as string)) as { title: string };
      if (isAnsweredByState(title)) {
        const message = "status 409 is not documented";
        return {
          kind: "about-state" as const,
          status: 409,
          ...skipByStatus(409, "for what the server has", ""),
          refusal: { verdict: "rejected", reasons: [], breach: { rule: "S-9", level: "SHOULD", message } },
        };
      }
      return { verdict: isAccepted(title) ? "accepted" : "rejected", reasons: [] };
    },
    close: async () => {},
  });
  const report = await runSuite({ protocols: [sampleProtocol()], target, vectors, only });
  const outcomeOf = new Map(
    report.runs.flatMap(({ results }) => results).map(({ id, outcome }) => [id.split("/")[4], outcome]),
  );
  return { of: outcomeOf, counts: report.counts };
}

const isInvalid = (title: string): boolean => title.startsWith("bad");
const isValid = (title: string): boolean => !isInvalid(title);

it("treats a status about state as a refusal if every invalid message and no valid one gets it", async () => {
  const { of: outcomeOf, counts } = await runServer((title) => isInvalid(title) || title === "semantic", isValid);
  expect(outcomeOf.get("3")).toBe("warns");
  // A message that only a rule forbids may be refused because of the server's state.
  expect(outcomeOf.get("rule")).toBe("skipped");
  expect(counts).toMatchObject({ conforms: 3, warns: 10, skipped: 1, violates: 0 });
});

it("still treats the status as a refusal if a respelled copy of an accepted message gets it, and skips the copy", async () => {
  const { of: outcomeOf } = await runServer((title) => isInvalid(title) || title === "spelled", isValid);
  expect([outcomeOf.get("3"), outcomeOf.get("spelled")]).toEqual(["warns", "skipped"]);
});

it.each<[string, (title: string) => boolean, (title: string) => boolean]>([
  ["also answers a valid message", (title) => isInvalid(title) || title === "fine", isValid],
  ["answers few of the invalid messages", (title) => title === "bad 1" || title === "bad 2", isValid],
  [
    "answers half of the invalid messages while another status refuses the rest",
    (title) => /bad [0-4]/.test(title),
    isValid,
  ],
  [
    "is the only refusal of a server that accepts most messages",
    (title) => /bad [0-3]/.test(title),
    (title) => !/bad [0-3]/.test(title),
  ],
  ["comes from a server that accepts no valid message", isInvalid, (title) => title === "semantic"],
])("skips the messages with a status that %s", async (_, isAnsweredByState, isAccepted) => {
  const { of: outcomeOf } = await runServer(isAnsweredByState, isAccepted);
  expect(outcomeOf.get("1")).toBe("skipped");
});

it("judges a single vector as in the whole run, and reports nothing else", async () => {
  const only = [`${note}/invalid/3`];
  expect((await runServer(isInvalid, isValid, only)).counts).toMatchObject({ conforms: 0, warns: 1, skipped: 0 });
  const outcomesOfOne = await runServer((title) => title === "bad 3", isValid, only);
  expect(outcomesOfOne.counts).toMatchObject({ conforms: 0, warns: 0, skipped: 1 });
});
