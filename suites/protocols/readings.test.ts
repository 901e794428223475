import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  type Json,
  type JsonObject,
  namedReadings,
  type Protocol,
  placeOfLift,
  pointer,
  protocolNamed,
  protocolsNamed,
  type Run,
  verdictUnder,
} from "../../schemas/index.ts";
import { loadVectors } from "../packs/corpus/index.ts";
import { describeTarget } from "../reports/wording/phrases.ts";
import { runSuite } from "../running/run/suite.ts";
import { inProcess } from "../targets/in-process.ts";
import type { Context } from "../targets/module/judges.ts";

describe.each(protocolsNamed("all").filter(({ profile }) => profile.contradictions !== undefined))(
  "the readings of $name",
  ({ name, profile, rules, schemas }) => {
    const named = namedReadings(profile);
    const vectors = loadVectors(protocolNamed(name)).files.flatMap(({ tests }) => tests);

    it("have names of their own, and rules and places that there are", () => {
      expect(new Set(named.map((each) => each.name)).size).toBe(named.length);
      for (const { of, lifts = [] } of named) {
        expect(of.rules.filter((id) => !rules.some((rule) => rule.id === id))).toEqual([]);
        for (const lifted of lifts.map(placeOfLift)) {
          const [id, at = ""] = lifted.split("#");
          const schema = schemas.find(({ $id }) => $id === id) as JsonObject;
          expect([lifted, pointer.has(at, schema)]).toEqual([lifted, true]);
        }
      }
    });

    it("each decide some vector otherwise than another one of the same words", () => {
      for (const reading of named) {
        const others = named.filter(({ of, name: its }) => of === reading.of && its !== reading.name);
        const decided = vectors.filter((vector) => {
          const mine = verdictUnder(reading, vector);
          return others.some((other) => ![undefined, mine].includes(verdictUnder(other, vector)) && mine !== undefined);
        });
        expect([reading.name, decided.length > 0]).toEqual([reading.name, true]);
      }
    });

    it("decide no vector for two contradictions", () => {
      const twice = vectors.filter(
        (vector) => new Set(named.filter((each) => verdictUnder(each, vector)).map(({ of }) => of)).size > 1,
      );
      expect(twice.map(({ id }) => id)).toEqual([]);
    });
  },
);

describe.each(protocolsNamed("all"))("the ids of readings of $name", (protocol) => {
  const { profile } = protocol;
  const disputed = loadVectors(protocol).files.flatMap(({ tests }) => tests.filter(({ readings }) => readings));
  const explained = [
    ...namedReadings(profile).map(({ name }) => name),
    ...(profile.readings ?? []).map(({ id }) => id),
  ];

  it("are in every reading, and each is explained once, and no other", () => {
    const used = new Set(disputed.flatMap(({ readings = [] }) => readings.flatMap(({ ids = ["none"] }) => ids)));
    expect(new Set(explained).size).toBe(explained.length);
    expect([...used].filter((id) => !explained.includes(id))).toEqual([]);
    expect((profile.readings ?? []).filter(({ id }) => !used.has(id))).toEqual([]);
    expect(disputed.length).toBeGreaterThan(0);
  });

  it("are of one side of a vector each, and decide it as a run with that reading does", () => {
    for (const vector of disputed) {
      const { readings = [] } = vector;
      const sides = (id: string) =>
        new Set(readings.filter(({ ids }) => ids?.includes(id)).map((reading) => reading.verdict));
      const all = readings.flatMap(({ ids = [] }) => ids);
      expect([vector.id, all.filter((id) => sides(id).size !== 1)]).toEqual([vector.id, []]);
      for (const named of namedReadings(profile)) {
        const [own] = sides(named.name);
        expect([vector.id, named.name, own]).toEqual([vector.id, named.name, verdictUnder(named, vector)]);
      }
    }
  });
});

/** Of the text of a message. */
type Judge = (text: string | Uint8Array, context: Context) => boolean;

const asked = async (protocol: Protocol, judge: Judge, readings: string[], only: string[]): Promise<Run> => {
  const target = () => inProcess(judge, { claims: ["raw-text", "yaml-text", "semantic"], text: true });
  const report = await runSuite({ protocols: [protocol], target, readings, only });
  return report.runs[0] as Run;
};

const wrong = ({ results }: Run): string[] =>
  results.filter(({ outcome }) => outcome === "violates" || outcome === "warns").map(({ id }) => id);

describe("an implementation of one reading", () => {
  const snap = protocolNamed("snap");
  const envelope = snap.profile.documents[0]?.schema as string;
  /** A validator by schemas from which keywords were taken out. */
  const without = (taken: (schema: JsonObject) => object): Judge => {
    const schemas = snap.schemas.map((schema) => (schema.$id === envelope ? taken(schema as JsonObject) : schema));
    const valid = new Ajv2020({ strict: false, logger: false, schemas }).getSchema(envelope);
    return (text) => valid?.(JSON.parse(String(text))) === true;
  };
  const base = without((schema) => schema);
  const a2s = without(({ required, ...rest }) => ({
    ...rest,
    required: (required as string[]).filter((name) => name !== "to"),
  }));
  const open = without(({ additionalProperties: _, ...rest }) => rest);
  const only = ["snap/0.1/envelope/invalid", "snap/0.1/envelope/valid", "snap/0.1/envelope/disputed"];

  it("is accused in nobody's name without one", async () => {
    for (const judge of [base, a2s, open]) expect(wrong(await asked(snap, judge, [], only))).toEqual([]);
  });

  it.each<[string, Judge, Judge]>([
    ["base", base, a2s],
    ["a2s", a2s, base],
    ["closed", base, open],
    ["open", open, base],
  ])("%s is green under it, and one of the other is red", async (reading, right, other) => {
    const ran = await asked(snap, right, [reading], only);
    expect(wrong(ran)).toEqual([]);
    expect(ran.readings).toEqual([reading]);
    expect(describeTarget(ran)).toMatch(new RegExp(`, read as ${reading}$`));
    const failed = await asked(snap, other, [reading], only);
    expect(wrong(failed).length).toBeGreaterThan(0);
    expect(failed.results.filter(({ outcome }) => outcome === "warns")).toEqual([]);
  });
});

describe("a reader of YAML", () => {
  const agentformat = protocolNamed("agentformat");
  let reader: (version: "1.1" | "1.2") => Judge;
  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false, logger: false, schemas: agentformat.schemas });
    reader = (version) => (text, context) => {
      try {
        if (context.yaml !== true) return ajv.getSchema(context.schema)?.(JSON.parse(String(text))) === true;
        const value = parse(String(text), { version, merge: version === "1.1", uniqueKeys: true }) as Json;
        return ajv.getSchema(context.schema)?.(value) === true;
      } catch {
        return false;
      }
    };
  });
  // The library takes 1e3 for a number in 1.1 as well, against the text of 1.1.
  const plain = ["no", "yes", "date", "sexagesimal"];
  const only = plain.map((name) => `agentformat/1.0/agent/semantic/AGF-DOC-005/plain-${name}`);

  it.each(["1.1", "1.2"] as const)("of version %s is told of YAML wherever its reading decides", async (version) => {
    const texts = ["quote/no-quotes-on-names", "comma/trailing-in-object", "number/leading-plus", "literal/nil"];
    const raw = texts.map((name) => `agentformat/1.0/agent/raw/${name}`);
    const ran = await asked(agentformat, reader(version), [`yaml-${version}`], raw);
    expect(wrong(ran)).toEqual([]);
    expect(ran.results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(2);
  });

  it.each(["1.1", "1.2"] as const)(
    "of version %s is green under its reading and red under the other",
    async (version) => {
      const other = version === "1.1" ? "1.2" : "1.1";
      expect(wrong(await asked(agentformat, reader(version), [`yaml-${version}`], only))).toEqual([]);
      expect(wrong(await asked(agentformat, reader(other), [`yaml-${version}`], only)).length).toBeGreaterThan(2);
      expect(wrong(await asked(agentformat, reader(other), [], only))).toEqual([]);
    },
  );
});

describe("the choice of a reading", () => {
  const of = (readings: string[], name = "snap"): Promise<unknown> =>
    runSuite({ protocols: name, target: { kind: "reference" }, readings, only: ["snap/0.1/envelope/valid/minimal"] });

  it("is an error for a name that nobody has, and says which there are", async () => {
    await expect(of(["a2"])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^snap has no reading "a2"$/m),
      hint: expect.stringMatching(/a2s.*base.*a2s.*list readings/),
    });
    await expect(of(["a2s"], "ahcp")).rejects.toMatchObject({ kind: "usage" });
  });

  it("is an error for two that exclude each other", async () => {
    await expect(of(["base", "a2s"])).rejects.toThrow("the readings base and a2s exclude each other");
  });

  it("knows a reading by a name that it had before", async () => {
    await expect(of(["open-root"])).resolves.toMatchObject({ runs: [{ readings: ["open"] }] });
    await expect(of(["open-root", "closed"])).rejects.toThrow("the readings closed and open exclude each other");
  });

  it("goes to the protocol that it is of", async () => {
    await expect(of(["a2s"], "all")).resolves.toMatchObject({ runs: [{ protocol: "snap", readings: ["a2s"] }] });
  });
});
