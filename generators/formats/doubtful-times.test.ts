import { expect, it } from "vitest";
import { doubtOf } from "./doubtful-times.ts";
import { padFormat } from "./padding.ts";

const longestLabel = "a".repeat(63);

it.each([
  ["email", `${"a".repeat(65)}@example.org`, /local part/],
  ["email", `a@${longestLabel}a.example`, /label/],
  ["email", `a@${longestLabel}.${longestLabel}.${longestLabel}.${longestLabel}`, /254|253/],
  ["hostname", `${longestLabel}.${longestLabel}.${longestLabel}.${longestLabel}`, /253/],
  ["uri", "https://", /asks for a host/],
  ["uri", "http:a", /asks for a host/],
  ["uri", "https://:443/", /asks for a host/],
  ["uri", "https://ada@/", /asks for a host/],
  ["uri", "wss://?a", /asks for a host/],
  ["iri", "https://!", /syntax of the DNS/],
  ["uri", "https://example.org:99999/", /URL Standard/],
  ["uri", `https://${longestLabel}a.example/`, /label/],
  ["date", "0000-01-01", /year 0/],
  ["date-time", "0000-01-01T00:00:00Z", /year 0/],
  ["date-time", "2016-12-31T23:59:60Z", /leap seconds/],
  ["time", "23:59:60Z", /leap seconds/],
])("reports a valid %s that a correct reader may refuse: %s", (format, text, why) => {
  expect(doubtOf(format, text)).toMatch(why);
});

it.each([
  ["email", `${"a".repeat(64)}@${longestLabel}.example`],
  ["email", "ada@[192.0.2.1]"],
  ["uri", "urn:"],
  ["uri", "https://ada@[2001:db8::1]:443/:60"],
  ["iri", "https://例え.example/ä"],
  ["uri-reference", "//"],
  ["date-time", "2026-01-15T09:30:00.60+05:60"],
  ["uuid", ""],
  ["constructor", ""],
])("does not report an undoubted %s: %s", (format, text) => {
  expect(doubtOf(format, text)).toBeUndefined();
});

it.each([
  ["email", "ada@example.org", 254],
  ["hostname", "example.org", 253],
  ["idn-hostname", "실례.테스트", 70],
] as const)("pads %s without causing doubt, from %s to any length up to %i", (format, value, maxLength) => {
  for (let length = value.length; length <= maxLength; length += 1) {
    const text = padFormat(format, value, length);
    expect([text.length, doubtOf(format, text)]).toEqual([length, undefined]);
  }
});
