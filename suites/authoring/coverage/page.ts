import { levels, version } from "../../../schemas/index.ts";
import { escapeInvisible, escapeHtml as text, truncate } from "../../base/text/escape.ts";
import { createTexts } from "../../reports/html/data.ts";
import { schemasOf } from "../../reports/html/schemas.ts";
import type { Detail, GroupData, OutcomeData, VectorRow } from "../../reports/html/shape.ts";
import { renderShell } from "../../reports/html/shell.ts";
import { linkData, wideTable } from "../../reports/html/tables.ts";
import type { MeasuredMutant, MeasuredSet } from "./measure.ts";
import { percentOf } from "./render.ts";
import type { TestSet } from "./sets.ts";

/** The possible results for a mutant, the worst first. Equivalent ones are counted but not listed: no test can kill them. */
const mutantResults: readonly (OutcomeData & { has: (mutant: MeasuredMutant, isUndecided: boolean) => boolean })[] = [
  {
    name: "survived",
    heading: "Survived: no test kills them",
    sign: "✕",
    tone: "bad",
    has: ({ fate }, isUndecided) => fate === "notKilled" && !isUndecided,
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
export function coveragePage(all: readonly MeasuredSet[], sets: readonly TestSet[]): string {
  const texts = createTexts();
  const groups = all.map((measured, index) => groupOf(measured, sets[index] as TestSet, texts));
  return renderShell({
    title: `${describeConclusion(all)} ${all.map(({ name }) => name).join(", ")}`,
    head: `<p class="over">${text(`Mutants of ${all.map(({ name, tests }) => `${name}: ${tests} tests`).join("; ")}`)}</p>
<h1>${text(describeConclusion(all))}</h1>`,
    summary: `${all.map((measuredSet) => `${table(measuredSet)}${uncountedText(measuredSet)}`).join("\n")}\n<div id="plain"></div>`,
    version,
    data: {
      outcomes: mutantResults.map(({ has: _, ...look }) => look),
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

function describeConclusion(all: readonly MeasuredSet[]): string {
  const sum = (pick: (measured: MeasuredSet) => number): number =>
    all.reduce((total, measuredSet) => total + pick(measuredSet), 0);
  const counts = {
    mutants: sum((measuredSet) => measuredSet.mutants),
    equivalent: sum((measuredSet) => measuredSet.equivalent),
  };
  const kills = { twice: sum((measuredSet) => measuredSet.twice), once: sum((measuredSet) => measuredSet.once) };
  const part = percentOf({ ...counts, ...kills });
  const of = counts.mutants - counts.equivalent;
  if (part === undefined) return "No mutant can be killed: nothing to measure.";
  const percent = (Math.floor(part * 1000) / 10).toFixed(1);
  return `Mutation score ${percent} %: ${kills.twice + kills.once} of ${of} mutants that are not equivalent are killed.`;
}

/** By keyword, the one with the most survivors first. */
function table({ name, keywords }: MeasuredSet): string {
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
    .sort(([, one], [, other]) => countSurvivors(other) - countSurvivors(one))
    .map(([keyword, each]) => {
      const { sites, broken, mutants, twice, once, undecided, equivalent } = each;
      const numbers = [sites, broken, mutants, twice, once, countSurvivors(each), undecided, equivalent];
      const cells = numbers.map((number, index) => {
        const tone = number === 0 ? "zero" : index === 5 ? "bad" : "";
        return `<td class="${tone}" data-label="${columns[index]}">${number}</td>`;
      });
      return `<tr><th scope="row"${linkData({ protocol: name, family: keyword })}>${text(keyword)}</th>${cells.join("")}</tr>`;
    });
  const head = ["keyword", ...columns].map((column) => `<th scope="col">${column}</th>`).join("");
  return wideTable(`${name}, by keyword`, head, rows, "numbers");
}

/** The maximum number of uncounted tests named for each reason. */
const maxNamed = 100;

/** The tests that are not counted. */
function uncountedText({ name, wrong, disputed }: MeasuredSet): string {
  const listTests = (why: string, tests: readonly string[]): string => {
    if (tests.length === 0) return "";
    const hiddenCount = tests.length - maxNamed;
    const moreLine = hiddenCount > 0 ? [`and ${hiddenCount} more, all of them with --json`] : [];
    const items = [...tests.slice(0, maxNamed).map(escapeInvisible), ...moreLine].map(
      (each) => `<li>${text(each)}</li>`,
    );
    return `
<h2>${text(`${name}: ${why}, so these tests are not counted`)}</h2>
<ul>${items.join("")}</ul>`;
  };
  return `${listTests("the schema says otherwise", wrong)}${listTests("validators judge differently", disputed)}`;
}

function groupOf(measured: MeasuredSet, set: TestSet, texts: ReturnType<typeof createTexts>): GroupData {
  const { name, judged, survivingMutants } = measured;
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
    const why = reasons.get(`${mutant.site} ${mutant.says}`);
    const fate = mutantResults.findIndex(({ has }) => has(mutant, why?.undecided === true));
    if (fate === -1) continue;
    const place = mutant.site.slice(mutant.site.indexOf("#") + 1);
    const number = (value: string): number => texts.number(value);
    rows.push([
      escapeInvisible(`${rows.length + 1}${place}`),
      escapeInvisible(truncate(mutant.says, 300)),
      number("mutant"),
      number(name),
      number(""),
      number(""),
      number(""),
      number(mutant.site),
      number(""),
      number(why?.operator ?? ""),
      number(mutant.keyword),
    ] as VectorRow);
    details[rows.length - 1] = { facts: factsOf(why, tests.get(mutant.site)), cause: escapeInvisible(mutant.keyword) };
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
  why: MeasuredSet["survivingMutants"][number] | undefined,
  tests: readonly string[] = [],
): Detail["facts"] {
  const facts: Detail["facts"] = [];
  if (why !== undefined) facts.push(["why", escapeInvisible(truncate(why.why, 500))]);
  if (why?.example !== undefined)
    facts.push(["would kill it", escapeInvisible(truncate(JSON.stringify(why.example), 2000))]);
  if (tests.length > 0) {
    const moreLine = tests.length > maxTests ? [`and ${tests.length - maxTests} more`] : [];
    facts.push(["tests of it", [...tests.slice(0, maxTests).map(escapeInvisible), ...moreLine].join("\n")]);
  }
  return facts;
}
