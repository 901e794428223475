import { make } from "./build.js";

const themes = ["system", "dark", "light"];
const storageKey = "touchstone-theme";

/** A button that switches between the system's colours, dark and light. */
export function themeButton() {
  let current = Math.max(themes.indexOf(storedTheme()), 0);
  const button = make("button", { type: "button", class: "theme", onclick: () => show(current + 1) });
  const show = (/** @type {number} */ next) => {
    current = next % themes.length;
    const theme = themes[current] ?? "system";
    document.documentElement.dataset.theme = theme;
    button.textContent = `Colours: ${theme}`;
    try {
      localStorage.setItem(storageKey, theme);
    } catch {
      // A browser that stores nothing for pages from disk begins with the system's colours.
    }
  };
  show(current);
  return button;
}

function storedTheme() {
  try {
    return localStorage.getItem(storageKey) ?? "";
  } catch {
    return "";
  }
}
