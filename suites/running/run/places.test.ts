import { join } from "node:path";
import { expect, it } from "vitest";
import { home, protocolsNamed, readPack } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { judge } from "./judge.ts";

const packs = [...protocolsNamed("all"), readPack(join(home, "suites/packs/pack/example"))];

it.each(packs.map((pack) => [pack.name, pack] as const))(
  "%s: each place that Ajv names for an invalid vector is accepted as its cause, even alone",
  async (_, pack) => {
    const { wrongPlacesByAjv } = await import("../../../generators/index.ts");
    const invalid = loadVectors(pack).files.filter(({ tests }) => tests.some(({ id }) => id.includes("/invalid/")));
    for (const { schema, tests } of invalid) {
      const placesIn = wrongPlacesByAjv(pack.schemas, schema);
      for (const vector of tests.filter(({ data }) => data !== undefined))
        for (const at of placesIn(vector.data ?? null)) {
          const { outcome } = judge(vector, { verdict: "rejected", reasons: [{ at }] });
          expect(outcome, `${vector.id} with the reason ${at}`).toBe("conforms");
        }
    }
  },
);
