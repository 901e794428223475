import {
  type Citation,
  citationsIn,
  freedomsOf,
  type Grounds,
  groundsOf,
  type Position,
  type Protocol,
  type Rule,
} from "../../../schemas/index.ts";

/** The grounds of a rule: its basis, each clause with its address, and the text of each position; empty if a pack has no positions.json. */
export function groundLines(protocol: Protocol, { clause, basis, positions = [] }: Rule): string[] {
  const grounds = groundsOf(protocol);
  if (grounds === undefined) return [];
  const citations = [clause, ...positions].flatMap((text) => citationsIn(text, grounds));
  return [
    ...(basis === undefined ? [] : [labelledLine("basis", bases[basis])]),
    ...citations.flatMap((citation) => citationLines(citation)),
  ];
}

const bases = {
  assertion: "the specification states it plainly or in a table, without a keyword of BCP 14",
  position: "a reading of a silent or contradictory text",
};

/** Explains a position: its text, and the rules and freedoms that depend on it. */
export function positionLines(protocol: Protocol, name: string): string[] | undefined {
  const grounds = groundsOf(protocol);
  const position = grounds?.positions.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (grounds === undefined || position === undefined) return undefined;
  const { id, issue, position: decision } = position;
  const rules = protocol.rules.filter((rule) => rule.positions?.includes(id));
  const freedoms = freedomsOf(protocol).filter(({ clause }) => citesClause(clause, position, grounds));
  return [
    `${id}  position, ${protocol.profile.title} ${protocol.version}`,
    `  ${issue}`,
    "",
    labelledLine("taken", decision),
    ...(rules.length === 0 ? [] : [labelledLine("rules", rules.map((rule) => rule.id).join(", "))]),
    ...freedoms.map((freedom) => labelledLine("freedom", `${freedom.id}: ${freedom.strict}; or: ${freedom.lenient}`)),
  ];
}

function citesClause(clause: string, position: Position, grounds: Grounds): boolean {
  return citationsIn(clause, grounds).some(
    (citation) => citation.kind === "position" && citation.position === position,
  );
}

function citationLines(citation: Citation): string[] {
  if (citation.kind === "position") return [labelledLine(citation.position.id, describePosition(citation.position))];
  if (citation.kind === "unknown") return [];
  const { title, url, mark } = citation.source;
  if (citation.kind === "page") return [labelledLine("source", `${title}: ${url}`)];
  const clause = [mark, citation.clause].filter((text) => text !== "").join(", ");
  return [labelledLine("clause", `${clause}, ${citation.source.clauses?.[citation.clause]} (${title}: ${url})`)];
}

const describePosition = ({ issue, position }: Position): string => `${issue} Taken: ${position}`;

function labelledLine(name: string, text: string): string {
  return `  ${name.padEnd(8)}  ${text}`;
}
