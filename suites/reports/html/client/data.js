import { find } from "./build.js";

/** The data of this page or of a newer version of it, decompressed if it is compressed. */
export async function dataText(page = /** @type {ParentNode} */ (document)) {
  const element = find("#data", HTMLScriptElement, page);
  if (element.type === "application/json") return element.text;
  const text = atob(element.text);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
