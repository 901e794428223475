/** @typedef {{ view: "summary" | "rules" | "schema" | "results" | "vector", query: URLSearchParams, id: string }} Route */

/**
 * The view that the address names: `#rules?…`, `#schema?…`, `#results?…`, the id of a vector, or nothing.
 * @param {string} hash
 * @returns {Route}
 */
export function routeOf(hash) {
  const [, view, query] = /^#(rules|schema|results)(?:\?(.*))?$/s.exec(hash) ?? [];
  if (view === "rules" || view === "schema" || view === "results")
    return { view, query: new URLSearchParams(query), id: "" };
  const id = decodeAddress(hash.slice(1));
  return { view: id.includes("/") ? "vector" : "summary", query: new URLSearchParams(), id };
}

/**
 * @param {string} view
 * @param {URLSearchParams | Record<string, string>} query
 */
export function hashOf(view, query) {
  const text = new URLSearchParams(query).toString();
  return `#${view}${text === "" ? "" : `?${text}`}`;
}

/** @param {string} id */
export function hashOfVector(id) {
  return `#${encodeURI(id)}`;
}

/** The decoded address; a malformed address is unchanged. @param {string} text */
function decodeAddress(text) {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
