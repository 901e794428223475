import {
  coverageOfRule,
  decides,
  namedReadings,
  nearestName,
  type Protocol,
  statusOf,
  TouchstoneError,
  type Vector,
  type VectorOutline,
  type Verdict,
  vectorFamilies,
  verdictOf,
  waysOf,
} from "../../../schemas/index.ts";
import type { TableRow } from "../../base/text/table.ts";
import { loadOutlines, loadVectors } from "../../packs/corpus/index.ts";
import type { Referenced, VariantSummary } from "../../packs/reference/index.ts";

/** A list that the command prints: a row for each item of the given protocols. */
export interface Listing {
  name: string;
  /** The subject, for the overview of all lists. */
  about: string;
  /** The column with the name that other commands use. */
  key: string;
  /** The noun for its rows, if it is not the list's name. */
  noun?: string;
  /** Whether several protocols can share an item. It has a row for each of them, but counts once. */
  isShared?: true;
  rows(
    protocols: readonly Protocol[],
    vectors: string | undefined,
    selection: ListingSelection,
  ): TableRow[] | Promise<TableRow[]>;
}

/** Which vectors are listed, if not all. */
export interface ListingSelection {
  fault?: string;
  family?: string;
  /** For rules: whether to list the places of their parts. */
  map?: true;
}

const protocols: Listing = {
  name: "protocols",
  about: "protocols, with the number of their documents, rules and vectors",
  key: "protocol",
  rows: (protocolList, folder) =>
    protocolList.map((protocol) => ({
      protocol: protocol.name,
      version: protocol.version,
      documents: protocol.profile.documents.length,
      rules: protocol.rules.length,
      ...countVerdicts(outlinesOf(protocol, folder)),
      title: protocol.profile.title,
    })),
};

const documents: Listing = {
  name: "documents",
  about: "documents of each protocol, and what each record means",
  key: "document",
  rows: (protocolList, folder) =>
    protocolList.flatMap((protocol) => {
      const files = loadVectors(protocol, folder).files;
      return protocol.profile.documents.map(({ name, role, title, schema }) => {
        const vectors = files.filter(({ document }) => document === name).flatMap(({ tests }) => tests);
        const sites = new Set(vectors.flatMap(({ site }) => site ?? []));
        // A record has a format of this project, which its schema describes.
        const hasOwnFormat = role === "record" || role === "trace";
        const meaning = hasOwnFormat ? protocol.schemas.find(({ $id }) => $id === schema)?.description : undefined;
        const about = typeof meaning === "string" ? meaning : title;
        return { protocol: protocol.name, document: name, role, sites: sites.size, ...countVerdicts(vectors), about };
      });
    }),
};

const rules: Listing = {
  name: "rules",
  about: "rules, with how each is tested",
  key: "rule",
  async rows(protocolList, folder, selection) {
    if (selection.map === true) return (await import("./rule-map.ts")).mapRows(protocolList, folder);
    const { playableScenarios } = await import("../../reports/explain/index.ts");
    const rows = protocolList.map(async (protocol) => {
      const files = loadOutlines(protocol, folder);
      const scenarios = await playableScenarios(protocol);
      return protocol.rules.map((rule) => {
        const { id, level, check } = rule;
        const ruleCoverage = coverageOfRule(protocol.profile, rule, files, scenarios);
        const { vectors, scenarios: scenarioNames } = ruleCoverage;
        const { message, record, trace } = vectors;
        const statuses = Object.entries(statusOf(rule, ruleCoverage)).map(
          ([statusName, explanation]) => `${statusName}: ${explanation}`,
        );
        return {
          rule: id,
          level,
          check,
          message,
          record,
          trace,
          scenario: scenarioNames.length,
          status: statuses.join(", "),
        };
      });
    });
    return (await Promise.all(rows)).flat();
  },
};

const scenarios: Listing = {
  name: "scenarios",
  about: "scenarios, with the party that each is played with and the hooks that it needs",
  key: "scenario",
  async rows(protocolList) {
    const { playableScenarios } = await import("../../reports/explain/index.ts");
    const rows = protocolList.map(async ({ name, version, ...protocol }) => {
      const [defaultSide = ""] = Object.keys(protocol.profile.sides ?? {});
      return (await playableScenarios({ name, version, ...protocol })).map(
        ({ isOfAgent, side, needs, says, ...scenario }) => ({
          scenario: `${name}/${version}/scenarios/${scenario.name}`,
          party: isOfAgent ? "agent" : (side ?? defaultSide),
          needs: needs.join(", "),
          shows: says,
        }),
      );
    });
    return (await Promise.all(rows)).flat();
  },
};

/** The ways in which a rule can be covered, the most practical first, and the statuses of an uncovered rule. */
const coverageColumns = ["schema", "semantic", "scenario", "record", "trace", "planned", "untested"] as const;

const coverage: Listing = {
  name: "coverage",
  about: "how many rules are tested in each way",
  key: "protocol",
  noun: "protocols",
  async rows(protocolList, folder) {
    const { playableScenarios } = await import("../../reports/explain/index.ts");
    return Promise.all(
      protocolList.map(async (protocol) => {
        const files = loadOutlines(protocol, folder);
        const scenarios = await playableScenarios(protocol);
        const ruleWays = protocol.rules.map((rule) => {
          const ruleCoverage = coverageOfRule(protocol.profile, rule, files, scenarios);
          const status = statusOf(rule, ruleCoverage);
          if (!("covered" in status)) return Object.keys(status)[0];
          const [way] = waysOf(ruleCoverage);
          if (way !== "message") return way;
          return rule.check === "schema" ? "schema" : "semantic";
        });
        const counts = coverageColumns.map((column) => [column, ruleWays.filter((way) => way === column).length]);
        return { protocol: protocol.name, rules: protocol.rules.length, ...Object.fromEntries(counts) };
      }),
    );
  },
};

const vectors: Listing = {
  name: "vectors",
  about: "vectors, with their verdicts",
  key: "id",
  rows: (protocolList, folder, selection) =>
    chooseAmong(
      protocolList.flatMap((protocol) => vectorsOf(protocol, folder)),
      selection,
    ).map((vector) => ({
      verdict: verdictOf(vector),
      id: vector.id,
      description: vector.description,
    })),
};

const faults: Listing = {
  name: "faults",
  about: "kinds of faults of vectors",
  key: "fault",
  isShared: true,
  rows: (protocolList, folder, selection) =>
    protocolList.flatMap((protocol) => {
      const outlines = chooseAmong(outlinesOf(protocol, folder), selection);
      const names = [...new Set(outlines.flatMap(({ fault }) => fault ?? []))].sort();
      const withFault = (name: string): VectorOutline[] => outlines.filter(({ fault }) => fault === name);
      return names.map((fault) => ({
        protocol: protocol.name,
        fault,
        vectors: withFault(fault).length,
        of: outlines.length,
      }));
    }),
};

const families: Listing = {
  name: "families",
  about: "families of vectors",
  key: "family",
  isShared: true,
  rows: (protocolList, folder) =>
    protocolList.flatMap((protocol) => {
      const tests = outlinesOf(protocol, folder);
      return Object.entries(vectorFamilies).map(([family, about]) => {
        const counts = countVerdicts(tests.filter(({ tags }) => tags.includes(family)));
        return { protocol: protocol.name, family, ...counts, of: tests.length, about };
      });
    }),
};

const disputed: Listing = {
  name: "disputed",
  about: "vectors that fail no implementation, with both opinions",
  key: "vector",
  rows: (protocolList, folder) =>
    protocolList.flatMap((protocol) =>
      vectorsOf(protocol, folder)
        .filter((vector) => verdictOf(vector) === "disputed")
        .map(({ id, readings = [] }) => {
          const readersFor = (verdict: "valid" | "invalid"): string =>
            readings.flatMap((reading) => (reading.verdict === verdict ? reading.by : [])).join(", ");
          return { vector: id, "valid for": readersFor("valid"), "invalid for": readersFor("invalid") };
        }),
    ),
};

/** Selects vectors by fault and family. Throws a usage error for a fault or a family that no vector has. */
function chooseAmong<T extends VectorOutline>(tests: readonly T[], { fault, family }: ListingSelection): T[] {
  const familyNames = Object.keys(vectorFamilies);
  if (family !== undefined && !familyNames.includes(family))
    throw new TouchstoneError("usage", `unknown family "${family}"`, {
      hint: `${nearestName(family, familyNames)}there are ${familyNames.join(", ")}`,
    });
  const faultNames = [...new Set(tests.flatMap((vector) => vector.fault ?? []))].sort();
  if (fault !== undefined && !faultNames.includes(fault))
    throw new TouchstoneError("usage", `no vector has the fault "${fault}"`, {
      hint: `${nearestName(fault, faultNames)}\`touchstone list faults\` counts all faults`,
    });
  return tests.filter(
    (vector) =>
      (fault === undefined || vector.fault === fault) && (family === undefined || vector.tags.includes(family)),
  );
}

const variants: Listing = {
  name: "variants",
  about: "variants of the reference, most of them deliberately wrong",
  key: "name",
  async rows(protocolList) {
    const reference = await import("../../packs/reference/index.ts");
    const { packOf, referenceOf } = await import("../../packs/pack/load.ts");
    const variantsOf = (references: Referenced): VariantSummary[] => [
      ...reference.listVariants(references.protocol),
      ...reference
        .ruleVariants(references.protocol)
        .map(({ name, description }) => ({ name, description, conforms: false })),
      ...reference.conductVariants(references),
    ];
    const rows = protocolList.map(async (protocol) => {
      const referenceVariants = variantsOf(await referenceOf(protocol));
      const variantNames = new Set(referenceVariants.map(({ name }) => name));
      const { live } = await packOf(protocol);
      const liveVariants = ((await live?.())?.live.variants ?? []).filter(({ name }) => !variantNames.has(name));
      const [defaultSide = ""] = Object.keys(protocol.profile.sides ?? {});
      return [
        ...referenceVariants,
        ...liveVariants.map(({ name, says, side = defaultSide }) => ({
          name,
          description: `a live ${side}: one that ${says}`,
          conforms: false,
        })),
      ].map((variant) => ({ protocol: protocol.name, ...variant }));
    });
    return (await Promise.all(rows)).flat();
  },
};

const readings: Listing = {
  name: "readings",
  about: "ways to read a specification that contradicts itself",
  key: "reading",
  rows: (protocolList, folder) =>
    protocolList.flatMap((protocol) => {
      const tests = outlinesOf(protocol, folder);
      return namedReadings(protocol.profile).map((reading) => ({
        protocol: protocol.name,
        reading: reading.name,
        decides: tests.filter((vector) => decides(reading, vector)).length,
        about: `${reading.of.about} (${reading.of.clause})`,
        says: reading.says,
      }));
    }),
};

export const listings: readonly Listing[] = [
  protocols,
  documents,
  rules,
  scenarios,
  coverage,
  readings,
  vectors,
  disputed,
  faults,
  families,
  variants,
];

function vectorsOf(protocol: Protocol, folder: string | undefined): Vector[] {
  return loadVectors(protocol, folder).files.flatMap(({ tests }) => tests);
}

function outlinesOf(protocol: Protocol, folder: string | undefined): VectorOutline[] {
  return loadOutlines(protocol, folder).flatMap(({ tests }) => [...tests]);
}

function countVerdicts(outlines: readonly VectorOutline[]): Record<Verdict | "vectors", number> {
  const countOf = (verdict: Verdict): number => outlines.filter((vector) => verdictOf(vector) === verdict).length;
  return {
    vectors: outlines.length,
    valid: countOf("valid"),
    invalid: countOf("invalid"),
    disputed: countOf("disputed"),
  };
}

/** Formats the total of a list, such as `1 reading` or `5 protocols`. */
export function countRows({ name, noun = name, key, isShared }: Listing, rows: readonly TableRow[]): string {
  const count = isShared === true ? new Set(rows.map((row) => row[key])).size : rows.length;
  return `${count} ${count === 1 ? noun.replace(/ies$/, "y").replace(/s$/, "") : noun}`;
}
