import { make } from "./build.js";

const themes = ["system", "dark", "light"];
const key = "touchstone-theme";

/** A button that switches between the system's colours, dark and light. */
export function themeButton() {
  let current = Math.max(themes.indexOf(stored()), 0);
  const button = make("button", { type: "button", class: "theme", onclick: () => show(current + 1) });
  const show = (/** @type {number} */ next) => {
    current = next % themes.length;
    const theme = themes[current] ?? "system";
    document.documentElement.dataset.theme = theme;
    button.textContent = `Colours: ${theme}`;
    try {
      localStorage.setItem(key, theme);
    } catch {
      // A browser that stores nothing for pages from disk begins with the system's colours.
    }
  };
  show(current);
  return button;
}

function stored() {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
