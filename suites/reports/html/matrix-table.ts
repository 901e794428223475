import { type Counts, outcomes } from "../../../schemas/index.ts";
import { escapeHtml as text } from "../../base/text/escape.ts";
import { countRan, describeOutcome } from "../wording/phrases.ts";
import { countFailing, type OutcomeMatrix, type OutcomeRow, shadeOf, worstOutcome } from "./matrix.ts";
import { renderProse } from "./prose.ts";
import { outcomeLooks, totalOf } from "./words.ts";

export interface MatrixLook {
  caption: string;
  /** The attributes that link a cell, or the name of a row if no column is given. They are already escaped. */
  link?: (row: OutcomeRow, column?: number) => string;
  /** The maximum number of shown rows. A note says how many are hidden. */
  most?: number;
  /** The content after that note, as markup. */
  more?: string;
}

/** Formats a matrix as a table. The colour of a cell repeats its sign. On a narrow screen, each cell shows the name of its column. */
export function matrixTable(
  matrix: OutcomeMatrix,
  { caption, link = () => "", most: limit = Infinity, more: trailingMarkup = "" }: MatrixLook,
): string {
  const { of: rowKind, columns } = matrix;
  const rows = matrix.rows.slice(0, limit);
  const head = columns.map((name) => `<th scope="col">${text(name)}</th>`).join("");
  const body = rows.map((row) => {
    const cells = row.cells.map((counts, column) => cellHtml(counts, columns[column] as string, link(row, column)));
    const differs = row.differs ? ' <span class="differs">differs</span>' : "";
    return `<tr><th scope="row"><span${link(row)}>${text(row.name)}</span>${differs}${describeRow(row)}</th>${cells.join("")}</tr>`;
  });
  const hiddenRows = matrix.rows.length - rows.length;
  const note =
    hiddenRows === 0
      ? ""
      : `<p class="soft">And ${hiddenRows} more of ${matrix.rows.length} ${text(rowKind)}s. ${trailingMarkup}</p>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table class="matrix"><caption>${text(caption)}</caption><thead><tr><th scope="col">${text(rowKind)}</th>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>${note}`;
}

function describeRow({ rule }: OutcomeRow): string {
  if (rule === undefined) return "";
  return ` <span class="soft">${text(rule.level)}</span><div class="statement">${renderProse(rule.statement)}</div>`;
}

function cellHtml(counts: Counts | undefined, column: string, attributes: string): string {
  if (counts === undefined || totalOf(counts) === 0)
    return '<td class="none"><span aria-hidden="true">·</span><span class="unseen">no result</span></td>';
  const outcome = worstOutcome(counts);
  const { tone, sign } = outcomeLooks[outcome];
  // The number of results that were run. Skipped results do not count.
  const total = outcome === "skipped" ? totalOf(counts) : countRan(counts);
  const fails = countFailing(counts);
  const shownCount = fails > 0 ? fails : counts[outcome];
  const step = fails > 0 ? ` step${shadeOf(fails, total)}` : "";
  const totalNote = shownCount === total ? "" : `<span class="of">/${total}</span>`;
  const hint = `${outcomes.flatMap((outcomeName) => (counts[outcomeName] === 0 ? [] : [`${counts[outcomeName]} ${describeOutcome(outcomeName, counts[outcomeName])}`])).join(", ")} of ${totalOf(counts)}`;
  return `<td class="cell ${tone}${step}" data-label="${text(column)}" title="${text(`${column}: ${hint}`)}"><span${attributes}><span class="sign" aria-hidden="true">${sign}</span>${shownCount}${totalNote}<span class="unseen"> ${text(outcome)}</span></span></td>`;
}
