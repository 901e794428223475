import { make } from "./build.js";

/**
 * A shell command, with a button that copies it.
 * @param {string} title
 * @param {string} command
 */
export function commandBox(title, command) {
  const text = make("code", {}, command);
  const status = make("span", { role: "status", class: "soft" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
      status.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(text);
      status.textContent = "Selected: copy it with the keyboard";
    }
  };
  return make(
    "div",
    { class: "replay" },
    make("h3", {}, title),
    make("pre", {}, text),
    make("p", {}, make("button", { type: "button", onclick: copy }, "Copy the command"), " ", status),
  );
}
