import { find, make } from "./build.js";

/** The shortest pause between two fetches of the page. It is longer if a fetch is slow, up to `maxPauseMs`. */
const minPauseMs = 1000;
const maxPauseMs = 5000;

/**
 * Follows the run that serves the page: shows its progress, and passes the new page to `showPage` if it has changed. Does nothing on a
 * page that no run serves.
 * @param {(page: Document) => Promise<void>} showPage
 */
export function followRun(showPage) {
  if (!document.body.hasAttribute("data-live")) return;
  const status = make("p", { role: "status", class: "live" });
  const meter = make("progress", { "aria-label": "Vectors run", max: 1, value: 0 });
  find("#bar", HTMLElement).append(meter, status);
  let shownRevision = -1;
  let isBusy = false;
  /** @type {{ revision: number, done: number, total: number, isRunning: boolean } | undefined} */
  let state;
  const catchUp = async () => {
    if (isBusy || state === undefined || state.revision === shownRevision) return;
    isBusy = true;
    const [startMs, revision] = [performance.now(), state.revision];
    try {
      await showPage(await fetchPage());
      shownRevision = revision;
    } catch {
      // The next change leads to another attempt.
    }
    const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, 4 * (performance.now() - startMs)));
    setTimeout(() => {
      isBusy = false;
      void catchUp();
    }, pauseMs);
  };
  const events = new EventSource("events");
  events.onmessage = ({ data }) => {
    state = JSON.parse(data);
    if (state === undefined) return;
    const { done, total, isRunning } = state;
    meter.max = total || 1;
    meter.value = done;
    meter.hidden = !isRunning;
    status.textContent = isRunning ? `${done} of ${total}` : "";
    void catchUp();
  };
  events.onerror = () => {
    meter.hidden = true;
    status.textContent = "No longer connected to the run";
  };
}

/** The current page, as a document without running scripts. @returns {Promise<Document>} */
function fetchPage() {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", "./");
    request.responseType = "document";
    request.onload = () => (request.responseXML === null ? reject(new Error("no page")) : resolve(request.responseXML));
    request.onerror = () => reject(new Error("no answer"));
    request.send();
  });
}

/**
 * A button that runs a vector again; undefined on a page that no run serves.
 * @param {string} id
 */
export function rerunButton(id) {
  if (!document.body.hasAttribute("data-live")) return undefined;
  const status = make("span", { role: "status", class: "soft" });
  const run = async () => {
    button.disabled = true;
    status.textContent = "Running…";
    const headers = { "content-type": "application/json" };
    const answer = await fetch("again", { method: "POST", headers, body: JSON.stringify({ id }) }).catch(
      () => undefined,
    );
    button.disabled = false;
    if (answer === undefined) status.textContent = "No longer connected to the run";
    else status.textContent = answer.ok ? "Run again: this is its result" : "Not now: something is being run";
  };
  const button = make("button", { type: "button", onclick: run }, "Run it again");
  return make("p", { class: "again" }, button, " ", status);
}
