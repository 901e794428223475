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
    const allReadings = namedReadings(profile);
    const vectors = loadVectors(protocolNamed(name)).files.flatMap(({ tests }) => tests);

    it("have unique names, and refer to existing rules and places", () => {
      expect(new Set(allReadings.map((reading) => reading.name)).size).toBe(allReadings.length);
      for (const { of: contradiction, lifts = [] } of allReadings) {
        expect(contradiction.rules.filter((id) => !rules.some((rule) => rule.id === id))).toEqual([]);
        for (const lifted of lifts.map(placeOfLift)) {
          const [id, at = ""] = lifted.split("#");
          const schema = schemas.find(({ $id }) => $id === id) as JsonObject;
          expect([lifted, pointer.has(at, schema)]).toEqual([lifted, true]);
        }
      }
    });

    it("each decide some vector differently from another reading of the same contradiction", () => {
      for (const reading of allReadings) {
        const rivals = allReadings.filter(({ of, name: rivalName }) => of === reading.of && rivalName !== reading.name);
        const decided = vectors.filter((vector) => {
          const verdict = verdictUnder(reading, vector);
          return rivals.some(
            (rival) => ![undefined, verdict].includes(verdictUnder(rival, vector)) && verdict !== undefined,
          );
        });
        expect([reading.name, decided.length > 0]).toEqual([reading.name, true]);
      }
    });

    it("do not decide a vector under two contradictions", () => {
      const decidedTwice = vectors.filter(
        (vector) =>
          new Set(allReadings.filter((reading) => verdictUnder(reading, vector)).map(({ of }) => of)).size > 1,
      );
      expect(decidedTwice.map(({ id }) => id)).toEqual([]);
    });
  },
);

describe.each(protocolsNamed("all"))("the ids of readings of $name", (protocol) => {
  const { profile } = protocol;
  const disputed = loadVectors(protocol).files.flatMap(({ tests }) => tests.filter(({ readings }) => readings));
  const explainedIds = [
    ...namedReadings(profile).map(({ name }) => name),
    ...(profile.readings ?? []).map(({ id }) => id),
  ];

  it("are in every reading of a disputed vector, and each is explained exactly once", () => {
    const usedIds = new Set(disputed.flatMap(({ readings = [] }) => readings.flatMap(({ ids = ["none"] }) => ids)));
    expect(new Set(explainedIds).size).toBe(explainedIds.length);
    expect([...usedIds].filter((id) => !explainedIds.includes(id))).toEqual([]);
    expect((profile.readings ?? []).filter(({ id }) => !usedIds.has(id))).toEqual([]);
    expect(disputed.length).toBeGreaterThan(0);
  });

  it("each belong to one side of a vector, and decide it like a run with that reading", () => {
    for (const vector of disputed) {
      const { readings = [] } = vector;
      const verdictsOf = (id: string) =>
        new Set(readings.filter(({ ids }) => ids?.includes(id)).map((reading) => reading.verdict));
      const allIds = readings.flatMap(({ ids = [] }) => ids);
      expect([vector.id, allIds.filter((id) => verdictsOf(id).size !== 1)]).toEqual([vector.id, []]);
      for (const reading of namedReadings(profile)) {
        const [verdict] = verdictsOf(reading.name);
        expect([vector.id, reading.name, verdict]).toEqual([vector.id, reading.name, verdictUnder(reading, vector)]);
      }
    }
  });
});

/** Judges the text of a message. */
type Judge = (text: string | Uint8Array, context: Context) => boolean;

const runWith = async (protocol: Protocol, judge: Judge, readings: string[], only: string[]): Promise<Run> => {
  const target = () => inProcess(judge, { claims: ["raw-text", "yaml-text", "semantic"], text: true });
  const report = await runSuite({ protocols: [protocol], target, readings, only });
  return report.runs[0] as Run;
};

const failuresOf = ({ results }: Run): string[] =>
  results.filter(({ outcome }) => outcome === "violates" || outcome === "warns").map(({ id }) => id);

describe("an implementation of one reading", () => {
  const snap = protocolNamed("snap");
  const envelope = snap.profile.documents[0]?.schema as string;
  /** A validator with a changed schema of the envelope. */
  const validatorWith = (changeSchema: (schema: JsonObject) => object): Judge => {
    const schemas = snap.schemas.map((schema) =>
      schema.$id === envelope ? changeSchema(schema as JsonObject) : schema,
    );
    const valid = new Ajv2020({ strict: false, logger: false, schemas }).getSchema(envelope);
    return (text) => valid?.(JSON.parse(String(text))) === true;
  };
  const baseJudge = validatorWith((schema) => schema);
  const a2sJudge = validatorWith(({ required, ...rest }) => ({
    ...rest,
    required: (required as string[]).filter((name) => name !== "to"),
  }));
  const openJudge = validatorWith(({ additionalProperties: _, ...rest }) => rest);
  const only = ["snap/0.1/envelope/invalid", "snap/0.1/envelope/valid", "snap/0.1/envelope/disputed"];

  it("does not violate anything if no reading is chosen", async () => {
    for (const judge of [baseJudge, a2sJudge, openJudge])
      expect(failuresOf(await runWith(snap, judge, [], only))).toEqual([]);
  });

  it.each<[string, Judge, Judge]>([
    ["base", baseJudge, a2sJudge],
    ["a2s", a2sJudge, baseJudge],
    ["closed", baseJudge, openJudge],
    ["open", openJudge, baseJudge],
  ])(
    "conforms under its own reading %s, and an implementation of the other reading violates",
    async (reading, matchingJudge, otherJudge) => {
      const run = await runWith(snap, matchingJudge, [reading], only);
      expect(failuresOf(run)).toEqual([]);
      expect(run.readings).toEqual([reading]);
      expect(describeTarget(run)).toMatch(new RegExp(`, read as ${reading}$`));
      const otherRun = await runWith(snap, otherJudge, [reading], only);
      expect(failuresOf(otherRun).length).toBeGreaterThan(0);
      expect(otherRun.results.filter(({ outcome }) => outcome === "warns")).toEqual([]);
    },
  );
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
  // 1e3 is left out: the library also reads it as a number in 1.1, which contradicts YAML 1.1.
  const plainValues = ["no", "yes", "date", "sexagesimal"];
  const only = plainValues.map((name) => `agentformat/1.0/agent/semantic/AGF-DOC-005/plain-${name}`);

  it.each(["1.1", "1.2"] as const)(
    "of version %s receives YAML for the vectors that its reading decides",
    async (version) => {
      const texts = ["quote/no-quotes-on-names", "comma/trailing-in-object", "number/leading-plus", "literal/nil"];
      const ids = texts.map((name) => `agentformat/1.0/agent/raw/${name}`);
      const run = await runWith(agentformat, reader(version), [`yaml-${version}`], ids);
      expect(failuresOf(run)).toEqual([]);
      expect(run.results.filter(({ outcome }) => outcome === "conforms").length).toBeGreaterThan(2);
    },
  );

  it.each(["1.1", "1.2"] as const)(
    "of version %s conforms under its own reading and violates under the other",
    async (version) => {
      const otherVersion = version === "1.1" ? "1.2" : "1.1";
      expect(failuresOf(await runWith(agentformat, reader(version), [`yaml-${version}`], only))).toEqual([]);
      expect(
        failuresOf(await runWith(agentformat, reader(otherVersion), [`yaml-${version}`], only)).length,
      ).toBeGreaterThan(2);
      expect(failuresOf(await runWith(agentformat, reader(otherVersion), [], only))).toEqual([]);
    },
  );
});

describe("the choice of a reading", () => {
  const runWithReadings = (readings: string[], name = "snap"): Promise<unknown> =>
    runSuite({ protocols: name, target: { kind: "reference" }, readings, only: ["snap/0.1/envelope/valid/minimal"] });

  it("is an error for an unknown name, which lists the known names", async () => {
    await expect(runWithReadings(["a2"])).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^snap has no reading "a2"$/m),
      hint: expect.stringMatching(/a2s.*base.*a2s.*list readings/),
    });
    await expect(runWithReadings(["a2s"], "ahcp")).rejects.toMatchObject({ kind: "usage" });
  });

  it("is an error for two readings that exclude each other", async () => {
    await expect(runWithReadings(["base", "a2s"])).rejects.toThrow("the readings base and a2s exclude each other");
  });

  it("accepts a former name of a reading", async () => {
    await expect(runWithReadings(["open-root"])).resolves.toMatchObject({ runs: [{ readings: ["open"] }] });
    await expect(runWithReadings(["open-root", "closed"])).rejects.toThrow(
      "the readings closed and open exclude each other",
    );
  });

  it("applies only to the protocol that has the reading", async () => {
    await expect(runWithReadings(["a2s"], "all")).resolves.toMatchObject({
      runs: [{ protocol: "snap", readings: ["a2s"] }],
    });
  });
});
