import { expect, it } from "vitest";
import { doubtOf } from "./doubtful-times.ts";
import { padFormat } from "./padding.ts";

const long = "a".repeat(63);

it.each([
  ["email", `${"a".repeat(65)}@example.org`, /local part/],
  ["email", `a@${long}a.example`, /label/],
  ["email", `a@${long}.${long}.${long}.${long}`, /254|253/],
  ["hostname", `${long}.${long}.${long}.${long}`, /253/],
  ["uri", "https://", /asks for a host/],
  ["uri", "http:a", /asks for a host/],
  ["uri", "https://:443/", /asks for a host/],
  ["uri", "https://ada@/", /asks for a host/],
  ["uri", "wss://?a", /asks for a host/],
  ["iri", "https://!", /syntax of the DNS/],
  ["uri", "https://example.org:99999/", /URL Standard/],
  ["uri", `https://${long}a.example/`, /label/],
  ["date", "0000-01-01", /year 0/],
  ["date-time", "0000-01-01T00:00:00Z", /year 0/],
  ["date-time", "2016-12-31T23:59:60Z", /leap seconds/],
  ["time", "23:59:60Z", /leap seconds/],
])("a valid %s that may be refused: %s", (format, text, why) => {
  expect(doubtOf(format, text)).toMatch(why);
});

it.each([
  ["email", `${"a".repeat(64)}@${long}.example`],
  ["email", "ada@[192.0.2.1]"],
  ["uri", "urn:"],
  ["uri", "https://ada@[2001:db8::1]:443/:60"],
  ["iri", "https://例え.example/ä"],
  ["uri-reference", "//"],
  ["date-time", "2026-01-15T09:30:00.60+05:60"],
  ["uuid", ""],
  ["constructor", ""],
])("a %s is in no doubt: %s", (format, text) => {
  expect(doubtOf(format, text)).toBeUndefined();
});

it.each([
  ["email", "ada@example.org", 254],
  ["hostname", "example.org", 253],
  ["idn-hostname", "실례.테스트", 70],
] as const)("%s grows from %s to any length up to %i without a doubt", (format, value, most) => {
  for (let length = value.length; length <= most; length += 1) {
    const text = padFormat(format, value, length);
    expect([text.length, doubtOf(format, text)]).toEqual([length, undefined]);
  }
});
