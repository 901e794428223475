import { find, make, some } from "./build.js";
import { select } from "./filter.js";
import { modelOf } from "./model.js";
import { resultsView } from "./results.js";
import { hashOf, routeOf } from "./route.js";
import { rulesView } from "./rules.js";
import { themeButton } from "./theme.js";
import { vectorView } from "./vector.js";

const model = modelOf(find("#data", HTMLScriptElement).text);
const view = find("#view", HTMLElement);
const parts = [find("#head", HTMLElement), find("#summary", HTMLElement)];
const conclusion = find("#head h1", HTMLElement);
find("#plain", HTMLElement).remove();
const pageTitle = document.title;
/** What the reader was last shown, so that a way back leads there. */
const last = { query: new URLSearchParams(), id: "" };

const links = { summary: "#", rules: "#rules", results: "#results" };
const tabs = Object.entries(links).map(([name, href]) =>
  make("a", { href, "data-view": name }, name[0]?.toUpperCase() + name.slice(1)),
);
const notices = document.querySelectorAll(".notices > li").length;

find("#bar", HTMLElement).append(
  make("nav", { "aria-label": "Page" }, ...tabs),
  make("p", { class: "gist" }, make("span", { class: conclusion.className }, conclusion.textContent ?? "")),
  notices === 0 ? "" : make("a", { href: "#", class: "bad gist" }, some(notices, "notice")),
  themeButton(),
);

for (const cell of document.querySelectorAll("[data-go]")) {
  const link = make("a", { href: hashOf("results", new URLSearchParams(cell.getAttribute("data-go") ?? "")) });
  link.append(...cell.childNodes);
  cell.append(link);
}

/** @param {boolean} isFirst whether the page has just been opened, when the focus stays where it is */
function show(isFirst) {
  const route = routeOf(location.hash);
  const isSummary = route.view === "summary";
  for (const part of parts) part.hidden = !isSummary;
  view.hidden = isSummary;
  view.replaceChildren(...contents(route));
  for (const tab of tabs) {
    const isCurrent = tab.dataset.view === (route.view === "vector" ? "results" : route.view);
    if (isCurrent) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.body.classList.toggle("inside", !isSummary);
  const title = view.querySelector("h1")?.textContent;
  document.title = isSummary || !title ? pageTitle : `${title} · ${pageTitle}`;
  if (isFirst) return;
  const back = route.view === "results" ? view.querySelector(`a[data-id="${CSS.escape(last.id)}"]`) : null;
  if (back instanceof HTMLElement) return back.focus();
  scrollTo(0, 0);
  const heading = isSummary ? find("#main", HTMLElement) : view.querySelector("h1");
  heading?.focus({ preventScroll: true });
}

/** @param {import("./route.js").Route} route */
function contents({ view: name, query, id }) {
  // The address follows the filters without a new entry in the history for each letter.
  const follow = (/** @type {URLSearchParams} */ next) => history.replaceState(null, "", hashOf(name, next));
  if (name === "rules") {
    return rulesView(model, query, (next) => {
      follow(next);
      again(next);
    });
  }
  if (name === "results") {
    last.query = query;
    return resultsView(model, query, last.id, (next) => {
      last.query = next;
      follow(next);
    });
  }
  if (name === "vector") return vectorContents(id);
  return [];
}

/** @param {string} id */
function vectorContents(id) {
  const vector = model.byId.get(id);
  if (vector === undefined) {
    return [
      make("h1", { tabindex: "-1" }, "Not in this report"),
      make("p", {}, "No result is called ", make("code", {}, id), "."),
      make("p", {}, make("a", { href: "#results" }, "All results")),
    ];
  }
  last.id = id;
  const hits = select(model, last.query);
  const index = hits.findIndex((hit) => hit.vector === vector);
  const place = {
    query: last.query,
    before: hits[index - 1]?.vector,
    after: index === -1 ? undefined : hits[index + 1]?.vector,
  };
  return vectorView(model, vector, place);
}

/**
 * The rules for another query; the reader stays in the field that asked for it.
 * @param {URLSearchParams} query
 */
function again(query) {
  const fresh = contents({ view: "rules", query, id: "" });
  const form = view.querySelector("form");
  for (const child of [...view.children]) if (child !== form) child.remove();
  const before = fresh.findIndex((part) => part instanceof HTMLFormElement);
  form?.before(...fresh.slice(0, before));
  form?.after(...fresh.slice(before + 1));
}

addEventListener("hashchange", () => show(false));
show(true);
