import { expect, it } from "vitest";
import { isSameUrl } from "./same-url.ts";

it.each([
  ["http://a.example/b/../c%7e?z=1&a=%20", "HTTP://A.example:80/c~?z=1&a=%20"],
  ["https://a.example/%2f%C3", "https://a.example:443/%2F%c3"],
  ["https://a.example", "https://a.example/"],
])("treats %s and %s as the same URL", (firstUrl, secondUrl) => {
  expect(isSameUrl(firstUrl, secondUrl)).toBe(true);
});

it.each([
  ["http://a.example/a?z=1&a=2", "http://a.example/a?a=2&z=1"],
  ["http://a.example/a/", "http://a.example/a"],
  ["http://a.example/a%2Fb", "http://a.example/a/b"],
  ["http://a.example/A", "http://a.example/a"],
  ["http://a.example/", "https://a.example/"],
  ["nowhere", "nothing"],
])("treats %s and %s as different URLs", (one, other) => {
  expect(isSameUrl(one, other)).toBe(false);
});
