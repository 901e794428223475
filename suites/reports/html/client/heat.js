import { make } from "./build.js";
import { cellLook, matrixCell } from "./cell.js";
import { linesOf } from "./lines.js";
import { hashOf } from "./route.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("../shape.ts").GroupData} GroupData */
/** @typedef {import("../shape.ts").SchemaData} SchemaData */

/** The last part of a schema's address. @param {string} id */
export function nameOf(id) {
  return id.replace(/^.*\/(?=.)/, "");
}

/**
 * The last part of a schema's address, with its documents and its file if they differ from it.
 * @param {SchemaData} schema
 */
export function titleOf({ id, called }) {
  const name = nameOf(id);
  const otherNames = called?.split(", ").filter((otherName) => otherName !== name) ?? [];
  return otherNames.length === 0 ? name : `${name} (${otherNames.join(", ")})`;
}

/**
 * The lines of a schema, each with every implementation's results for the assertion on it.
 * @param {Model} model
 * @param {GroupData} group
 * @param {SchemaData} schema
 * @param {Map<string, number[][]>} tallies
 * @param {string} at the site to be shown
 */
export function heatTable(model, group, schema, tallies, at) {
  const rows = linesOf(schema.value, schema.id).map((line) => heatRow(model, group, line, tallies, at));
  const heads = group.runs.map(({ target }) => make("th", { scope: "col" }, group.runs.length > 1 ? target : "result"));
  return make(
    "div",
    { class: "wide", tabindex: "0", role: "region", "aria-label": `${titleOf(schema)} and its results` },
    make(
      "table",
      { class: group.runs.length > 1 ? "heat several" : "heat" },
      make("thead", {}, make("tr", {}, ...heads, make("th", { scope: "col" }, "schema"))),
      make("tbody", {}, ...rows),
    ),
  );
}

/**
 * @param {Model} model
 * @param {GroupData} group
 * @param {import("./lines.js").Line} line
 * @param {Map<string, number[][]>} tallies
 * @param {string} shownSite
 */
function heatRow(model, group, line, tallies, shownSite) {
  const site = siteOf(line);
  const tally = site === undefined ? undefined : tallies.get(site);
  const cells = group.runs.map(({ target }, run) => {
    if (site === undefined || tally === undefined) return make("td", { class: "none" });
    const targetQuery = group.runs.length > 1 ? { target: String(run) } : {};
    return matrixCell(model, tally[run], hashOf("results", { protocol: group.name, site, ...targetQuery }), target);
  });
  const [countsOfRun] = tally ?? [];
  const colour = group.runs.length === 1 ? cellLook(model, countsOfRun)?.kind : undefined;
  return make(
    "tr",
    site === shownSite && shownSite !== "" ? { class: "wanted" } : {},
    ...cells,
    make("td", {}, lineCode(line, colour)),
  );
}

/**
 * @param {import("./lines.js").Line} line
 * @param {string} [colour]
 */
function lineCode({ depth, name, text }, colour) {
  const indent = "  ".repeat(depth);
  if (colour === undefined) return make("code", { dir: "ltr" }, indent + name + text);
  // An item of an array has no name, so its value is highlighted.
  const [key, rest] = name === "" ? [text, ""] : [name.slice(0, -2), `: ${text}`];
  return make("code", { dir: "ltr" }, indent, make("span", { class: `hot ${colour}` }, key), rest);
}

/**
 * The site of the value that begins on a line, in the form that results use.
 * @param {import("./lines.js").Line} line
 */
export function siteOf({ at, base }) {
  return base === "" ? undefined : `${base}#${at}`;
}
