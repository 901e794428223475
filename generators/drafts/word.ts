/** Encodes a string as a part of an id. Wildcards, separators and spaces are percent-encoded. */
export function encodeIdPart(text: string): string {
  if (text === "") return "%00";
  return [...text]
    .map((character) => (/[A-Za-z0-9_.@$:+-]/.test(character) ? character : percentEncode(character)))
    .join("");
}

function percentEncode(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
    .join("");
}
