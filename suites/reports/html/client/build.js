/** @typedef {Record<string, string | number | boolean | ((event: Event) => void) | undefined>} Properties */

/**
 * An element. Children are elements or text, never markup; a property that begins with `on` is a listener.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...(Node | string | number | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(
    ...children
      .filter((child) => child !== undefined)
      .map((child) => (typeof child === "number" ? String(child) : child)),
  );
  return element;
}

/**
 * A paragraph with a statement. Text between backticks becomes code.
 * @param {string} statement
 * @param {Properties} [properties]
 */
export function paragraph(statement, properties = {}) {
  return make("p", properties, ...withCode(statement));
}

/**
 * The parts of a statement. Text between backticks becomes code.
 * @param {string} statement
 */
export function withCode(statement) {
  const parts = statement.split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? make("code", {}, part) : part));
}

/**
 * An outcome with its sign and name, in its colour.
 * @param {import("../shape.ts").OutcomeData} outcome
 * @param {string | number} [suffix]
 */
export function badge({ name, sign, tone }, suffix) {
  const label = suffix === undefined ? name : `${name} ${suffix}`;
  return make(
    "span",
    { class: `badge ${tone}` },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    ` ${label}`,
  );
}

/** @param {string} word */
export function capitalize(word) {
  return `${word[0]?.toUpperCase()}${word.slice(1)}`;
}

/**
 * @param {number} count
 * @param {string} noun
 */
export function countNoun(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * @template {Element} Kind
 * @param {string} selector
 * @param {new () => Kind} kind
 * @param {ParentNode} [within]
 * @returns {Kind}
 */
export function find(selector, kind, within = document) {
  const element = within.querySelector(selector);
  if (element instanceof kind) return element;
  throw new Error(`${selector} is not on the page`);
}
