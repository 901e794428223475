import {
  type HttpExchange,
  levels,
  type Report,
  type Result,
  type Rule,
  type RuleStatus,
  type Run,
} from "../../../schemas/index.ts";
import { escapeInvisible, escapeInvisibleLines, truncate } from "../../base/text/escape.ts";
import { plainestFirstWithin } from "../../results/example-order.ts";
import { replayCommandOf, replayStem } from "../../results/replay.ts";
import type { Background } from "../background.ts";
import type { RenderOptions } from "../format.ts";
import { causeOf, outcomeHeadings } from "../groups/group.ts";
import { groupsByProtocol, type ImplementationGroup, namesOfGroup } from "../groups/implementations.ts";
import { headingOfResult, placedFacts } from "../sections/heading.ts";
import { describeChange } from "../wording/change.ts";
import { familyOf } from "./families.ts";
import { markChanges } from "./instance.ts";
import { schemasOf } from "./schemas.ts";
import type { Detail, ExchangeData, GroupData, PageData, RuleData, RunData, VectorRow } from "./shape.ts";
import { concerningOutcomes, failingOutcomes, outcomeLooks, outcomesByGravity } from "./words.ts";

/** The report in the form that the page's script reads. */
export function pageData(
  report: Report,
  rules: readonly Rule[],
  background: readonly Background[] = [],
  sourceOf?: RenderOptions["sourceOf"],
): PageData {
  const texts = createTexts();
  const groups = groupsByProtocol(report.runs);
  return {
    outcomes: outcomesByGravity.map((name) => ({ name, heading: outcomeHeadings[name], ...outcomeLooks[name] })),
    levels: [...levels],
    grave: failingOutcomes.length,
    concerns: concerningOutcomes.length,
    good: outcomesByGravity.indexOf("conforms"),
    noun: ["result", "results"],
    worst: "failures",
    titles: {
      document: "Document",
      level: "Level",
      rule: "Rule",
      family: "Kind of fault",
      fault: "Fault",
      site: "Schema",
    },
    groups: groups.map((group) =>
      groupData(
        report,
        group,
        {
          rules: rulesOf(group, groups, rules),
          protocolBackground: background.find((candidate) => isAboutGroup(candidate, group)),
          sourceOf,
        },
        texts,
      ),
    ),
    texts: texts.all,
  };
}

/** The rules of a group. Rules do not name their protocol, so the group gets the rules with an id prefix that occurs in its results. */
function rulesOf(
  group: ImplementationGroup,
  groups: readonly ImplementationGroup[],
  rules: readonly Rule[],
): RuleData[] {
  if (groups.length === 1) return rules.map(ruleData);
  const families = new Set(group.runs.flatMap(({ results }) => results.map(({ rule }) => rule?.split("-", 1)[0])));
  return rules.filter(({ id }) => families.has(id.split("-", 1)[0])).map(ruleData);
}

function ruleData({ id, level, clause, statement, position, status }: Rule): RuleData {
  const why = describeStatus(status);
  return {
    id: escapeInvisible(id),
    level,
    clause: escapeInvisible(clause),
    statement: escapeInvisible(statement),
    ...(position === undefined ? {} : { position: escapeInvisible(position) }),
    ...(why === undefined ? {} : { status: escapeInvisible(why) }),
  };
}

function describeStatus(status: RuleStatus): string | undefined {
  if ("planned" in status) return `planned: ${status.planned}`;
  return "untested" in status ? `untested: ${status.untested}` : undefined;
}

function isAboutGroup({ protocol, version }: Background, { name }: ImplementationGroup): boolean {
  return name === `${protocol} ${version}`;
}

interface GroupBackground {
  rules: RuleData[];
  protocolBackground: Background | undefined;
  sourceOf: RenderOptions["sourceOf"];
}

function groupData(
  report: Report,
  group: ImplementationGroup,
  { rules, protocolBackground, sourceOf }: GroupBackground,
  texts: Texts,
): GroupData {
  const prefix = escapeInvisible(`${group.name.replace(" ", "/")}/`);
  const vectors: VectorRow[] = [];
  const rowNumbers = new Map<string, number>();
  const numberOf = (result: Result): number => {
    const row = rowOf(result, prefix, texts);
    const key = row.join("\n");
    const knownNumber = rowNumbers.get(key);
    if (knownNumber !== undefined) return knownNumber;
    rowNumbers.set(key, vectors.length);
    return vectors.push(row) - 1;
  };
  const runsData = group.runs.map((run, index) =>
    runData(report, group, { run, index, numberOf, texts, about: { protocolBackground, sourceOf } }),
  );
  for (const run of runsData) run.outcomes = run.outcomes.padEnd(vectors.length, "-");
  return {
    name: escapeInvisible(group.name),
    prefix,
    rules,
    party: protocolBackground?.side ?? "target",
    schemas: schemasOf(protocolBackground?.schemas ?? [], protocolBackground?.nameOfSchema),
    vectors,
    runs: runsData,
  };
}

function rowOf(result: Result, prefix: string, texts: Texts): VectorRow {
  const id = escapeInvisible(result.id);
  const number = (text: string | undefined): number => texts.number(text ?? "");
  return [
    id.startsWith(prefix) ? id.slice(prefix.length) : `/${id}`,
    escapeInvisible(result.description),
    number(result.kind),
    number(result.document),
    number(result.verdict),
    number(result.level),
    number(result.rule),
    number(siteOf(result.site)),
    number(result.at),
    number(result.fault),
    number(familyOf(result)),
  ];
}

/** The decoded address, so that it equals the address of its keyword in the schema. A malformed one is unchanged. */
function siteOf(site: string | undefined): string | undefined {
  if (site === undefined || !site.includes("%")) return site;
  try {
    return decodeURI(site);
  } catch {
    return site;
  }
}

function runData(
  report: Report,
  group: ImplementationGroup,
  {
    run,
    index,
    numberOf: number,
    texts,
    about,
  }: {
    run: Run;
    index: number;
    numberOf: (result: Result) => number;
    texts: Texts;
    about: Omit<GroupBackground, "rules">;
  },
): RunData {
  const stem = replayStem(report, run);
  const outcomes: string[] = [];
  const details: Record<number, Detail> = {};
  // The examples of a cause begin with the simplest, as in every report.
  for (const result of plainestFirstWithin(run.results, causeOf)) {
    const rowNumber = number(result);
    while (outcomes.length < rowNumber) outcomes.push("-");
    outcomes[rowNumber] = String(outcomesByGravity.indexOf(result.outcome));
    if (result.outcome !== "conforms" || result.vector !== undefined) {
      // Random messages are repeated by seed and path.
      const replayCommand = stem !== undefined ? undefined : replayCommandOf(report, run, result.id);
      details[rowNumber] = {
        ...detailOf(result, texts, about),
        ...(replayCommand === undefined ? {} : { replay: escapeInvisible(replayCommand) }),
      };
    }
  }
  return {
    target: escapeInvisible(namesOfGroup(group)[index] as string),
    ...(stem === undefined ? {} : { replay: escapeInvisible(stem) }),
    outcomes: outcomes.join(""),
    details,
  };
}

function detailOf(
  result: Result,
  texts: Texts,
  { protocolBackground, sourceOf }: Omit<GroupBackground, "rules">,
): Detail {
  const { vector, answer, known: knownNumber, trace = [] } = result;
  const exchanges = [answer?.exchange, ...(result.exchanges ?? [])].filter((candidate) => candidate !== undefined);
  const decisive = (trace.length > 0 ? trace : exchanges).flatMap((message, index) =>
    message.decisive === true ? [index] : [],
  );
  const cause = headingOfResult(result, sourceOf);
  return {
    facts: placedFacts(result, sourceOf)
      .filter(([name]) => name !== "change")
      .map(([name, text]): [string, string] => [name, escapeInvisibleLines(text)]),
    ...(cause === result.rule ? {} : { cause: escapeInvisible(cause) }),
    ...(knownNumber === undefined ? {} : { known: knownNumber }),
    ...(vector?.change === undefined ? {} : { change: escapeInvisible(describeChange(vector.change)) }),
    ...(vector?.parent === undefined ? {} : { parent: escapeInvisible(vector.parent) }),
    ...(vector?.data === undefined
      ? {}
      : {
          instance: markChanges(
            vector.data,
            vector.change ?? [],
            result.at,
            protocolBackground?.instance(vector.parent ?? ""),
          ),
        }),
    ...(exchanges.length === 0 ? {} : { exchanges: exchanges.map((httpExchange) => exchangeOf(httpExchange, texts)) }),
    ...(trace.length === 0
      ? {}
      : { trace: trace.map(({ from, to, text }) => [escapeInvisible(from), escapeInvisible(to), showBody(text)]) }),
    ...(decisive.length === 0 ? {} : { decisive }),
  };
}

function exchangeOf({ request, response, incoming, as }: HttpExchange, texts: Texts): ExchangeData {
  const headText = (first: string, headers: Record<string, string>): number =>
    texts.number(first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`));
  const parts: [number, string, number, string] = [
    headText(`${request.method} ${request.url}`, request.headers),
    showBody(request.body),
    response === undefined ? texts.number("no response") : headText(`HTTP ${response.status}`, response.headers),
    showBody(response?.body ?? ""),
  ];
  if (incoming === true) return [...parts, 2];
  const isWhole = isPlain([request.url, ...Object.values(request.headers)], request.body);
  if (as !== undefined) return [...parts, isWhole ? 1 : 0, escapeInvisible(as)];
  return isWhole ? [...parts, 1] : parts;
}

/** Whether a request is shown exactly: nothing is cut off, and it contains no invisible characters. */
function isPlain(heads: readonly string[], body: string): boolean {
  return heads.every((text) => escapeInvisible(text) === text) && showBody(body) === body;
}

const maxBodyLength = 4000;

/** A body as it is shown: cut to a readable length, with its line breaks kept. */
function showBody(body: string): string {
  return escapeInvisibleLines(truncate(body, maxBodyLength));
}

/** Collects distinct texts, with invisible characters escaped. */
export interface Texts {
  all: string[];
  /** The number of a text, which may have several lines. */
  number(first: string, ...rest: readonly string[]): number;
}

export function createTexts(): Texts {
  const all: string[] = [];
  const numbers = new Map<string, number>();
  /** The numbers of single-line texts by their unescaped form, cached because most occur thousands of times. */
  const numberByText = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, all.length);
    return all.push(text) - 1;
  };
  return {
    all,
    number(first, ...rest) {
      if (rest.length > 0) return numberOf([first, ...rest].map(escapeInvisible).join("\n"));
      const number = numberByText.get(first) ?? numberOf(escapeInvisible(first));
      numberByText.set(first, number);
      return number;
    },
  };
}
