import { find, make } from "./build.js";

/** The minimum milliseconds between two fetches of the page. If a fetch needs long, the pause is longer, but never longer than `longest`. */
const pace = 1000;
const longest = 5000;

/**
 * Follows the run that serves the page: shows its progress, and passes the new page to `renew` if it has changed. Does nothing on a
 * page that no run serves.
 * @param {(page: Document) => Promise<void>} renew
 */
export function follow(renew) {
  if (!document.body.hasAttribute("data-live")) return;
  const status = make("p", { role: "status", class: "live" });
  const meter = make("progress", { "aria-label": "Vectors run", max: 1, value: 0 });
  find("#bar", HTMLElement).append(meter, status);
  let shown = -1;
  let isBusy = false;
  /** @type {{ revision: number, done: number, total: number, isRunning: boolean } | undefined} */
  let state;
  const catchUp = async () => {
    if (isBusy || state === undefined || state.revision === shown) return;
    isBusy = true;
    const [began, revision] = [performance.now(), state.revision];
    try {
      await renew(await fetched());
      shown = revision;
    } catch {
      // The next change leads to another attempt.
    }
    const rest = Math.min(longest, Math.max(pace, 4 * (performance.now() - began)));
    setTimeout(() => {
      isBusy = false;
      void catchUp();
    }, rest);
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
function fetched() {
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
export function againButton(id) {
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
    status.textContent =
      answer === undefined
        ? "No longer connected to the run"
        : answer.ok
          ? "Run again: this is its result"
          : "Not now: something is being run";
  };
  const button = make("button", { type: "button", onclick: run }, "Run it again");
  return make("p", { class: "again" }, button, " ", status);
}
