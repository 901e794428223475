import { type Counts, outcomes } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { describeOutcome, ranOf } from "../wording/phrases.ts";
import { countFailing, type OutcomeMatrix, type OutcomeRow, stepOf, worstOutcome } from "./matrix.ts";
import { renderProse } from "./prose.ts";
import { outcomeLooks, totalOf } from "./words.ts";

export interface MatrixLook {
  caption: string;
  /** The attributes that link a cell, or the name of a row if no column is given. They are already escaped. */
  link?: (row: OutcomeRow, column?: number) => string;
  /** The most rows to show; a note says how many more there are. */
  most?: number;
  /** The content after that note, as markup. */
  more?: string;
}

/** A matrix as a table. Colour repeats the sign beside it; on a narrow screen each cell carries the name of its column. */
export function matrixTable(
  matrix: OutcomeMatrix,
  { caption, link = () => "", most = Infinity, more = "" }: MatrixLook,
): string {
  const { of, columns } = matrix;
  const rows = matrix.rows.slice(0, most);
  const head = columns.map((name) => `<th scope="col">${text(name)}</th>`).join("");
  const body = rows.map((row) => {
    const cells = row.cells.map((counts, column) => cell(counts, columns[column] as string, link(row, column)));
    const differs = row.differs ? ' <span class="differs">differs</span>' : "";
    return `<tr><th scope="row"><span${link(row)}>${text(row.name)}</span>${differs}${describeRow(row)}</th>${cells.join("")}</tr>`;
  });
  const hiddenRows = matrix.rows.length - rows.length;
  const note =
    hiddenRows === 0 ? "" : `<p class="soft">And ${hiddenRows} more of ${matrix.rows.length} ${text(of)}s. ${more}</p>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table class="matrix"><caption>${text(caption)}</caption><thead><tr><th scope="col">${text(of)}</th>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>${note}`;
}

function describeRow({ rule }: OutcomeRow): string {
  if (rule === undefined) return "";
  return ` <span class="soft">${text(rule.level)}</span><div class="statement">${renderProse(rule.statement)}</div>`;
}

function cell(counts: Counts | undefined, column: string, attributes: string): string {
  if (counts === undefined || totalOf(counts) === 0)
    return '<td class="none"><span aria-hidden="true">·</span><span class="unseen">no result</span></td>';
  const outcome = worstOutcome(counts);
  const { tone, sign } = outcomeLooks[outcome];
  // The number of results that were run. Skipped results do not count.
  const total = outcome === "skipped" ? totalOf(counts) : ranOf(counts);
  const fails = countFailing(counts);
  const hits = fails > 0 ? fails : counts[outcome];
  const step = fails > 0 ? ` step${stepOf(fails, total)}` : "";
  const of = hits === total ? "" : `<span class="of">/${total}</span>`;
  const hint = `${outcomes.flatMap((each) => (counts[each] === 0 ? [] : [`${counts[each]} ${describeOutcome(each, counts[each])}`])).join(", ")} of ${totalOf(counts)}`;
  return `<td class="cell ${tone}${step}" data-label="${text(column)}" title="${text(`${column}: ${hint}`)}"><span${attributes}><span class="sign" aria-hidden="true">${sign}</span>${hits}${of}<span class="unseen"> ${text(outcome)}</span></span></td>`;
}
