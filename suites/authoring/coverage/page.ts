import { levels, version } from "../../../schemas/index.ts";
import { escapeHtml, escapeInvisible, truncate } from "../../base/text/escape.ts";
import { createTexts } from "../../reports/html/data.ts";
import { schemasOf } from "../../reports/html/schemas.ts";
import type { Detail, GroupData, OutcomeData, VectorRow } from "../../reports/html/shape.ts";
import { renderShell } from "../../reports/html/shell.ts";
import { linkData, wideTable } from "../../reports/html/tables.ts";
import type { MeasuredMutant, MeasuredSet } from "./measure.ts";
import { mutationScoreOf } from "./render.ts";
import type { TestSet } from "./sets.ts";

/** The possible results for a mutant, the worst first. Equivalent mutants are counted but not listed, since no test can kill them. */
const mutantResults: readonly (OutcomeData & { has: (mutant: MeasuredMutant, isUndecided: boolean) => boolean })[] = [
  {
    name: "survived",
    heading: "Survived: no test kills them",
    sign: "✕",
    tone: "bad",
    has: ({ fate: resultIndex }, isUndecided) => resultIndex === "notKilled" && !isUndecided,
  },
  {
    name: "killed by one",
    heading: "Killed by one test alone",
    sign: "△",
    tone: "mid",
    has: ({ fate }) => fate === "once",
  },
  {
    name: "undecided",
    heading: "Undecided: perhaps equivalent",
    sign: "○",
    tone: "soft",
    has: ({ fate }, isUndecided) => fate === "notKilled" && isUndecided,
  },
  {
    name: "killed",
    heading: "Killed by two tests or more",
    sign: "✓",
    tone: "good",
    has: ({ fate }) => fate === "twice",
  },
];

/** The page of a test suite: how many mutants it kills, each schema as a heat map, and each mutant with an instance that would kill it. */
export function coveragePage(measuredSets: readonly MeasuredSet[], sets: readonly TestSet[]): string {
  const texts = createTexts();
  const groups = measuredSets.map((measuredSet, index) => groupOf(measuredSet, sets[index] as TestSet, texts));
  return renderShell({
    title: `${describeConclusion(measuredSets)} ${measuredSets.map(({ name }) => name).join(", ")}`,
    head: `<p class="over">${escapeHtml(`Mutants of ${measuredSets.map(({ name, tests }) => `${name}: ${tests} tests`).join("; ")}`)}</p>
<h1>${escapeHtml(describeConclusion(measuredSets))}</h1>`,
    summary: `${measuredSets.map((measuredSet) => `${keywordTable(measuredSet)}${listUncounted(measuredSet)}`).join("\n")}\n<div id="plain"></div>`,
    version,
    data: {
      outcomes: mutantResults.map(({ has: _, ...outcome }) => outcome),
      levels: [...levels],
      grave: 1,
      concerns: 1,
      good: mutantResults.length - 1,
      noun: ["mutant", "mutants"],
      worst: "survivors",
      titles: {
        document: "Tests",
        level: "Level",
        rule: "Rule",
        family: "Keyword",
        fault: "Operator",
        site: "Schema",
      },
      groups,
      texts: texts.all,
    },
  });
}

function describeConclusion(measuredSets: readonly MeasuredSet[]): string {
  const sum = (pick: (measuredSet: MeasuredSet) => number): number =>
    measuredSets.reduce((total, measuredSet) => total + pick(measuredSet), 0);
  const counts = {
    mutants: sum((measuredSet) => measuredSet.mutants),
    equivalent: sum((measuredSet) => measuredSet.equivalent),
  };
  const kills = { twice: sum((measuredSet) => measuredSet.twice), once: sum((measuredSet) => measuredSet.once) };
  const score = mutationScoreOf({ ...counts, ...kills });
  const killableCount = counts.mutants - counts.equivalent;
  if (score === undefined) return "No mutant can be killed: nothing to measure.";
  const percent = (Math.floor(score * 1000) / 10).toFixed(1);
  return `Mutation score ${percent} %: ${kills.twice + kills.once} of ${killableCount} mutants that are not equivalent are killed.`;
}

/** A row for each keyword, the one with the most survivors first. */
function keywordTable({ name, keywords }: MeasuredSet): string {
  const columns = [
    "assertions",
    "isolated",
    "mutants",
    "killed by two",
    "by one",
    "survived",
    "undecided",
    "equivalent",
  ];
  const countSurvivors = ({ notKilled, undecided }: MeasuredSet["keywords"][string]): number => notKilled - undecided;
  const rows = Object.entries(keywords)
    .sort(([, a], [, b]) => countSurvivors(b) - countSurvivors(a))
    .map(([keyword, counts]) => {
      const { sites, broken, mutants, twice, once, undecided, equivalent } = counts;
      const numbers = [sites, broken, mutants, twice, once, countSurvivors(counts), undecided, equivalent];
      const cells = numbers.map((number, index) => {
        const column = columns[index];
        const survivalTone = column === "survived" ? "bad" : "";
        const tone = number === 0 ? "zero" : survivalTone;
        return `<td class="${tone}" data-label="${column}">${number}</td>`;
      });
      return `<tr><th scope="row"${linkData({ protocol: name, family: keyword })}>${escapeHtml(keyword)}</th>${cells.join("")}</tr>`;
    });
  const head = ["keyword", ...columns].map((column) => `<th scope="col">${column}</th>`).join("");
  return wideTable(`${name}, by keyword`, head, rows, "numbers");
}

/** The maximum number of uncounted tests named for each reason. */
const maxNamed = 100;

/** The tests that are not counted. */
function listUncounted({ name, wrong, disputed }: MeasuredSet): string {
  const listTests = (why: string, tests: readonly string[]): string => {
    if (tests.length === 0) return "";
    const hiddenCount = tests.length - maxNamed;
    const moreLine = hiddenCount > 0 ? [`and ${hiddenCount} more, all of them with --json`] : [];
    const items = [...tests.slice(0, maxNamed).map(escapeInvisible), ...moreLine].map(
      (item) => `<li>${escapeHtml(item)}</li>`,
    );
    return `
<h2>${escapeHtml(`${name}: ${why}, so these tests are not counted`)}</h2>
<ul>${items.join("")}</ul>`;
  };
  return `${listTests("the schema says otherwise", wrong)}${listTests("validators judge differently", disputed)}`;
}

function groupOf(measuredSet: MeasuredSet, set: TestSet, texts: ReturnType<typeof createTexts>): GroupData {
  const { name, judged, survivingMutants } = measuredSet;
  const reasons = new Map(
    survivingMutants.map((survivingMutant) => [`${survivingMutant.site} ${survivingMutant.says}`, survivingMutant]),
  );
  const tests = new Map<string, string[]>();
  for (const { name: test, site } of set.tests)
    if (site !== undefined) tests.set(site, [...(tests.get(site) ?? []), test]);
  const details: Record<number, Detail> = {};
  const rows: VectorRow[] = [];
  let outcomes = "";
  for (const mutant of judged) {
    const survivor = reasons.get(`${mutant.site} ${mutant.says}`);
    const fate = mutantResults.findIndex(({ has }) => has(mutant, survivor?.undecided === true));
    if (fate === -1) continue;
    const place = mutant.site.slice(mutant.site.indexOf("#") + 1);
    const textNumber = (value: string): number => texts.number(value);
    rows.push([
      escapeInvisible(`${rows.length + 1}${place}`),
      escapeInvisible(truncate(mutant.says, 300)),
      textNumber("mutant"),
      textNumber(name),
      textNumber(""),
      textNumber(""),
      textNumber(""),
      textNumber(mutant.site),
      textNumber(""),
      textNumber(survivor?.operator ?? ""),
      textNumber(mutant.keyword),
    ] as VectorRow);
    details[rows.length - 1] = {
      facts: factsOf(survivor, tests.get(mutant.site)),
      cause: escapeInvisible(mutant.keyword),
    };
    outcomes += fate;
  }
  const run = { target: "the tests", outcomes, details };
  return {
    name: escapeInvisible(name),
    prefix: escapeInvisible(`${name}/`),
    party: "",
    rules: [],
    schemas: schemasOf(set.schemas),
    vectors: rows,
    runs: [run],
  };
}

/** The maximum number of tests named for one assertion. */
const maxTests = 20;

function factsOf(
  survivor: MeasuredSet["survivingMutants"][number] | undefined,
  tests: readonly string[] = [],
): Detail["facts"] {
  const facts: Detail["facts"] = [];
  if (survivor !== undefined) facts.push(["why", escapeInvisible(truncate(survivor.why, 500))]);
  if (survivor?.example !== undefined)
    facts.push(["would kill it", escapeInvisible(truncate(JSON.stringify(survivor.example), 2000))]);
  if (tests.length > 0) {
    const moreLine = tests.length > maxTests ? [`and ${tests.length - maxTests} more`] : [];
    facts.push(["tests of it", [...tests.slice(0, maxTests).map(escapeInvisible), ...moreLine].join("\n")]);
  }
  return facts;
}
