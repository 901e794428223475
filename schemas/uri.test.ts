import { expect, it } from "vitest";
import { asUri } from "./uri.ts";

it.each([
  ["https://{host}/x.json#/a b", "https://%7Bhost%7D/x.json#/a%20b"],
  ["https://müller.example/ü", "https://müller.example/%C3%BC"],
  ["https://example.org:8080/a%20b?c#d#e", "https://example.org:8080/a%20b?c#d%23e"],
  ["{x}/y", "%7Bx%7D/y"],
])("encodes characters that a URI cannot contain: %s", (text, uri) => {
  expect(asUri(text)).toBe(uri);
});
