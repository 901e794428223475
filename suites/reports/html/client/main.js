import { capitalize, countNoun, find, make } from "./build.js";
import { dataText } from "./data.js";
import { selectHits } from "./filter.js";
import { followRun } from "./live.js";
import { modelOf } from "./model.js";
import { resultsView } from "./results.js";
import { hashOf, routeOf } from "./route.js";
import { rulesView } from "./rules.js";
import { schemaView, withSchemas } from "./schema.js";
import { themeButton } from "./theme.js";
import { vectorView } from "./vector.js";

/** Shows the page, and remembers the last position in the list, so that the reader can return to it. */
async function start() {
  let model = modelOf(await dataText());
  const view = find("#view", HTMLElement);
  const last = { query: new URLSearchParams(), id: "", shown: 0 };
  find("#plain", HTMLElement).remove();
  const pageTitle = document.title;
  const { tabs, tell: updateBar } = fillBar(model);
  linkCells(document);

  /** @param {boolean} isFirst whether the page has just been opened; then the focus does not move */
  const show = (isFirst) => {
    const route = routeOf(location.hash);
    const isSummary = route.view === "summary";
    for (const id of ["#head", "#summary"]) find(id, HTMLElement).hidden = !isSummary;
    view.hidden = isSummary;
    view.replaceChildren(...contents(model, view, last, route));
    for (const tab of tabs) {
      const isCurrent = tab.dataset.view === (route.view === "vector" ? "results" : route.view);
      if (isCurrent) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    document.body.classList.toggle("inside", !isSummary);
    const title = view.querySelector("h1")?.textContent;
    document.title = isSummary || !title ? pageTitle : `${title} · ${pageTitle}`;
    moveReader(view, route, last.id, isFirst);
  };
  addEventListener("hashchange", () => show(false));
  show(true);
  followRun(async (page) => {
    model = modelOf(await dataText(page));
    find("#plain", HTMLElement, page).remove();
    linkCells(page);
    const restorePosition = rememberPosition(find("#main", HTMLElement));
    for (const id of ["#head", "#summary"])
      find(id, HTMLElement).replaceChildren(
        ...[...find(id, HTMLElement, page).childNodes].map((node) => document.importNode(node, true)),
      );
    updateBar();
    last.shown = view.querySelectorAll(".rows a").length;
    const { view: name, ...route } = routeOf(location.hash);
    if (name !== "summary") view.replaceChildren(...contents(model, view, last, { view: name, ...route }));
    last.shown = 0;
    restorePosition();
  });
}

/**
 * Remembers the reader's position. The returned function restores it after the view was rebuilt.
 * @param {HTMLElement} view
 */
function rememberPosition(view) {
  const { activeElement: active } = document;
  const top = scrollY;
  const selectors = ["name", "data-id", "href", "class"].flatMap((attribute) => {
    const value = view.contains(active) ? active?.getAttribute(attribute) : null;
    return value ? [`${active?.tagName}[${attribute}="${CSS.escape(value)}"]`] : [];
  });
  const range = active instanceof HTMLInputElement && active.type === "search" ? active.selectionStart : null;
  return () => {
    const replaceView = selectors.length === 0 ? null : view.querySelector(selectors[0] ?? "");
    if (replaceView instanceof HTMLElement) replaceView.focus({ preventScroll: true });
    if (replaceView instanceof HTMLInputElement && range !== null) replaceView.setSelectionRange(range, range);
    scrollTo(0, top);
  };
}

/**
 * Moves the reader to the element that the address names, or to the beginning of the new view.
 * @param {HTMLElement} view
 * @param {import("./route.js").Route} route
 * @param {string} id of the vector from which the reader comes back
 * @param {boolean} isFirst
 */
function moveReader(view, route, id, isFirst) {
  const target = route.view === "summary" ? document.getElementById(route.id) : view.querySelector(".wanted");
  if (target !== null) return target.scrollIntoView({ block: route.view === "summary" ? "start" : "center" });
  if (isFirst) return;
  const backLink = route.view === "results" ? view.querySelector(`a[data-id="${CSS.escape(id)}"]`) : null;
  if (backLink instanceof HTMLElement) return backLink.focus();
  scrollTo(0, 0);
  const heading = route.view === "summary" ? find("#main", HTMLElement) : view.querySelector("h1");
  heading?.focus({ preventScroll: true });
}

/**
 * Fills the bar at the top with links to the views, the title and the overall result.
 * @param {import("./model.js").Model} model
 */
function fillBar(model) {
  const links = { summary: "#", rules: "#rules", schema: "#schema", results: "#results" };
  const tabs = Object.entries(links)
    .filter(([name]) => name !== "schema" || withSchemas(model).length > 0)
    .filter(([name]) => name !== "rules" || model.page.groups.some(({ rules }) => rules.length > 0))
    .map(([name, href]) =>
      make("a", { href, "data-view": name }, capitalize(name === "results" ? model.page.noun[1] : name)),
    );
  const about = make("span", {});
  const gist = make("p", { class: "gist" });
  const notices = make("a", { href: "#", class: "bad gist" });
  const tell = () => {
    const conclusion = find("#head h1", HTMLElement);
    const text = conclusion.textContent ?? "";
    about.textContent = find("#head .over", HTMLElement).textContent;
    about.title = about.textContent;
    gist.title = text;
    gist.replaceChildren(make("span", { class: conclusion.className }, text.split(":")[0]));
    const count = document.querySelectorAll(".notices > li").length;
    notices.hidden = count === 0;
    notices.textContent = countNoun(count, "notice");
  };
  tell();
  find("#bar", HTMLElement).append(
    make("p", { class: "brand" }, make("strong", {}, "Touchstone"), " ", about),
    make("nav", { "aria-label": "Page" }, ...tabs),
    gist,
    notices,
    themeButton(),
  );
  return { tabs, tell };
}

/**
 * Turns the cells that lead to results or other views into links.
 * @param {ParentNode} within
 */
function linkCells(within) {
  for (const cell of within.querySelectorAll("[data-go], [data-view]:not(a)")) {
    const query = cell.getAttribute("data-go");
    const link = make("a", { href: query === null ? `#${cell.getAttribute("data-view")}` : `#results?${query}` });
    link.append(...cell.childNodes);
    cell.append(link);
  }
}

/**
 * @param {import("./model.js").Model} model
 * @param {HTMLElement} view
 * @param {{ query: URLSearchParams, id: string, shown: number }} last
 * @param {import("./route.js").Route} route
 * @returns {(Node | string)[]}
 */
function contents(model, view, last, { view: name, query, id }) {
  // The filters are kept in the address, without a new history entry for each typed letter.
  const updateAddress = (/** @type {URLSearchParams} */ next) => history.replaceState(null, "", hashOf(name, next));
  if (name === "rules" || name === "schema") {
    const viewOf = name === "rules" ? rulesView : schemaView;
    return viewOf(model, query, (next) => {
      updateAddress(next);
      element(view, contents(model, view, last, { view: name, query: next, id: "" }), name === "schema");
    });
  }
  if (name === "results") {
    last.query = query;
    return resultsView(model, query, last, (next) => {
      last.query = next;
      updateAddress(next);
    });
  }
  return name === "vector" ? vectorContents(model, last, id) : [];
}

/**
 * @param {import("./model.js").Model} model
 * @param {{ query: URLSearchParams, id: string, shown: number }} last
 * @param {string} id
 */
function vectorContents(model, last, id) {
  const vector = model.byId.get(id);
  if (vector === undefined) {
    return [
      make("h1", { tabindex: "-1" }, "Not in this report"),
      make("p", {}, "No result is called ", make("code", {}, id), "."),
      make("p", {}, make("a", { href: "#results" }, "All results")),
    ];
  }
  last.id = id;
  const hits = selectHits(model, last.query);
  const index = hits.findIndex((hit) => hit.vector === vector);
  const place = {
    query: last.query,
    before: hits[index - 1]?.vector,
    after: index === -1 ? undefined : hits[index + 1]?.vector,
  };
  return vectorView(model, vector, place);
}

/**
 * Replaces the view after a change of the query. The focus stays in the field that was changed.
 * @param {HTMLElement} view
 * @param {(Node | string)[]} newContents
 * @param {boolean} isNew whether the possible choices depend on the query
 */
function element(view, newContents, isNew) {
  if (isNew) {
    const name = document.activeElement?.getAttribute("name");
    view.replaceChildren(...newContents);
    const field = view.querySelector(`[name="${name}"]`);
    if (field instanceof HTMLElement) field.focus();
    return;
  }
  const form = view.querySelector("form");
  for (const child of [...view.children]) if (child !== form) child.remove();
  const formIndex = newContents.findIndex((part) => part instanceof HTMLFormElement);
  form?.before(...newContents.slice(0, formIndex));
  form?.after(...newContents.slice(formIndex + 1));
}

start().catch((error) => {
  const message = make("p", { class: "bad" }, `The script of this page has stopped: ${error.message}`);
  find("#main", HTMLElement).prepend(message);
});
