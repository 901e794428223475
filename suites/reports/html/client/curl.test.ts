import { expect, it } from "vitest";

// Code that runs in the browser is JavaScript, and checked as such.
const { curlOf } = await import(new URL("curl.js", import.meta.url).href);

it("keeps the query of a request, and turns off globbing for brackets", () => {
  expect(curlOf("GET http://a/quote?weight=1&tag=a\nx-request-id: 1\nx-key: [redacted]", "")).toBe(
    `curl --include 'http://a/quote?weight=1&tag=a' --header 'x-request-id: 1' --header "x-key: $X_KEY"`,
  );
  expect(curlOf("GET http://a/pets?filter[size]=5", "")).toBe(
    "curl --include --globoff 'http://a/pets?filter[size]=5'",
  );
});

it("sends a body that begins with an at sign literally, not a file of that name", () => {
  expect(curlOf("POST http://a/v1", "@/etc/hostname")).toBe(
    "curl --include --request POST http://a/v1 --data-raw '@/etc/hostname'",
  );
});
