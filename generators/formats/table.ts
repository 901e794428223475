/** A boundary value of a format, with a name and the clause that decides its validity. */
export interface Sample {
  value: string;
  name: string;
  clause: string;
}

interface Samples {
  valid: Sample[];
  invalid: Sample[];
}

const rows = (clause: string, values: Record<string, string>): Sample[] =>
  Object.entries(values).map(([name, value]) => ({ name, value, clause }));

const rfc3339 = "RFC 3339, 5.6";
const rfc3986 = "RFC 3986, 3";
const rfc5321 = "RFC 5321, 4.1.2";
const rfc1123 = "RFC 1123, 2.1";
const rfc4291 = "RFC 4291, 2.2";
const rfc6901 = "RFC 6901, 3";

/**
 * Boundary values of every format of draft 2020-12. A doubtful row does no harm, because the oracles find strings on which implementations differ.
 */
export const formats: Record<string, Samples | undefined> = {
  "date-time": {
    valid: rows(rfc3339, {
      utc: "2026-01-15T09:30:00Z",
      "offset-east": "2026-01-15T09:30:00+05:30",
      "offset-west": "2026-01-15T09:30:00-11:00",
      "unknown-offset": "2026-01-15T09:30:00-00:00",
      "one-digit-fraction": "2026-01-15T09:30:00.5Z",
      "nine-digit-fraction": "2026-01-15T09:30:00.123456789Z",
      "twelve-digit-fraction": "2026-01-15T09:30:00.123456789012Z",
      midnight: "2026-01-15T00:00:00Z",
      "lower-case-letters": "2026-01-15t09:30:00z",
      "leap-day": "2024-02-29T00:00:00Z",
      "last-second-of-a-year": "1999-12-31T23:59:59Z",
      "leap-second": "2016-12-31T23:59:60Z",
      "before-1970": "1969-12-31T23:59:59Z",
      "leap-day-of-a-century": "2000-02-29T12:00:00Z",
      "offset-of-14-hours": "2026-01-15T09:30:00+14:00",
      "two-digit-fraction": "2026-01-15T09:30:00.25Z",
    }),
    invalid: rows(rfc3339, {
      "no-offset": "2026-01-15T09:30:00",
      "date-only": "2026-01-15",
      "month-13": "2026-13-01T09:30:00Z",
      "month-00": "2026-00-15T09:30:00Z",
      "day-00": "2026-01-00T09:30:00Z",
      "31-april": "2026-04-31T09:30:00Z",
      slashes: "2026/01/15T09:30:00Z",
      "offset-minute-60": "2026-01-15T09:30:00+05:60",
      "30-february": "2026-02-30T09:30:00Z",
      "29-february-of-a-common-year": "2100-02-29T09:30:00Z",
      "hour-24": "2026-01-15T24:00:00Z",
      "minute-60": "2026-01-15T09:60:00Z",
      "second-61": "2026-01-15T09:30:61Z",
      "no-seconds": "2026-01-15T09:30Z",
      "offset-hour-24": "2026-01-15T09:30:00+24:00",
      "offset-without-colon": "2026-01-15T09:30:00+0530",
      "hours-only-offset": "2026-01-15T09:30:00+05",
      "space-for-t": "2026-01-15 09:30:00Z",
      "bare-point": "2026-01-15T09:30:00.Z",
      "comma-fraction": "2026-01-15T09:30:00,5Z",
      "two-digit-year": "26-01-15T09:30:00Z",
      "basic-form": "20260115T093000Z",
      "leading-space": " 2026-01-15T09:30:00Z",
      "line-feed-at-the-end": "2026-01-15T09:30:00Z\n",
      "other-digits": "२०२६-01-15T09:30:00Z",
      words: "yesterday",
      empty: "",
    }),
  },
  date: {
    valid: rows(rfc3339, {
      plain: "2026-01-15",
      "leap-day": "2000-02-29",
      "before-1970": "1969-12-31",
      "year-0000": "0000-01-01",
    }),
    invalid: rows(rfc3339, {
      "month-13": "2026-13-01",
      "month-00": "2026-00-15",
      "31-april": "2026-04-31",
      "day-32": "2026-01-32",
      "one-digit-day": "2026-01-5",
      "basic-form": "20260115",
      "two-digit-year": "26-01-15",
      "30-february": "2026-02-30",
      "29-february-of-a-common-year": "2100-02-29",
      "day-00": "2026-01-00",
      "one-digit-month": "2026-1-15",
      slashes: "2026/01/15",
      "week-date": "2026-W03-4",
      "with-time": "2026-01-15T00:00:00Z",
      "line-feed-at-the-end": "2026-01-15\n",
      empty: "",
    }),
  },
  time: {
    valid: rows(rfc3339, {
      utc: "09:30:00Z",
      offset: "09:30:00+05:30",
      fraction: "09:30:00.25Z",
      "lower-case-letter": "09:30:00z",
    }),
    invalid: rows(rfc3339, {
      "no-offset": "09:30:00",
      "hour-24": "24:00:00Z",
      "minute-60": "09:60:00Z",
      "no-seconds": "09:30Z",
      "offset-minute-60": "09:30:00+05:60",
      "line-feed-at-the-end": "09:30:00Z\n",
      empty: "",
    }),
  },
  duration: {
    valid: rows("RFC 3339, appendix A", { days: "P3D", time: "PT1H30M", weeks: "P2W", full: "P1Y2M3DT4H5M6S" }),
    invalid: rows("RFC 3339, appendix A", {
      "no-p": "3D",
      "bare-p": "P",
      "bare-t": "P1YT",
      "weeks-with-days": "P1W2D",
      fraction: "PT0.5S",
      "lower-case": "p3d",
      "wrong-order": "P1D2M",
      empty: "",
    }),
  },
  email: {
    valid: rows(rfc5321, { plain: "ada@example.org", dotted: "a.b+c@mail.example.org", "one-letter": "a@b.example" }),
    invalid: rows(rfc5321, {
      "no-at": "ada.example.org",
      "no-local-part": "@example.org",
      "no-domain": "ada@",
      "two-dots": "a..b@example.org",
      "leading-dot": ".ada@example.org",
      "trailing-dot": "ada.@example.org",
      space: "a da@example.org",
      empty: "",
    }),
  },
  "idn-email": {
    valid: rows("RFC 6531, 3.3", { ascii: "ada@example.org", "beyond-ascii": "실례@실례.테스트" }),
    invalid: rows("RFC 6531, 3.3", { "no-at": "실례.테스트", empty: "" }),
  },
  hostname: {
    valid: rows(rfc1123, {
      plain: "example.org",
      "one-label": "localhost",
      digits: "3com.example",
      punycode: "xn--bcher-kva.example",
    }),
    invalid: rows(rfc1123, {
      "leading-hyphen": "-a.example",
      "trailing-hyphen": "a-.example",
      underscore: "a_b.example",
      "long-label": `${"a".repeat(64)}.example`,
      "empty-label": "a..example",
      space: "a b.example",
      "line-feed-at-the-end": "example.org\n",
    }),
  },
  "idn-hostname": {
    valid: rows("RFC 5890, 2.3.2.3", { ascii: "example.org", "beyond-ascii": "실례.테스트" }),
    invalid: rows("RFC 5890, 2.3.2.3", { "leading-hyphen": "-실례.테스트", "wrong-dot": "〮실례.테스트" }),
  },
  ipv4: {
    valid: rows("RFC 2673, 3.2", { plain: "192.0.2.1", lowest: "0.0.0.0", highest: "255.255.255.255" }),
    invalid: rows("RFC 2673, 3.2", {
      "256": "256.0.0.1",
      "three-parts": "192.0.2",
      "five-parts": "192.0.2.1.1",
      "leading-zero": "192.0.02.1",
      hex: "0xc0.0.2.1",
      number: "3221225985",
      mask: "192.0.2.0/24",
      "line-feed-at-the-end": "192.0.2.1\n",
      empty: "",
    }),
  },
  ipv6: {
    valid: rows(rfc4291, {
      full: "2001:db8:0:0:0:0:0:1",
      short: "2001:db8::1",
      loopback: "::1",
      any: "::",
      mapped: "::ffff:192.0.2.1",
    }),
    invalid: rows(rfc4291, {
      "two-gaps": "2001::db8::1",
      "nine-groups": "1:2:3:4:5:6:7:8:9",
      "seven-groups": "1:2:3:4:5:6:7",
      "five-digits": "2001:0db80::1",
      "not-hex": "2001:db8::g",
      zone: "fe80::1%eth0",
      brackets: "[2001:db8::1]",
      mask: "2001:db8::/32",
      empty: "",
    }),
  },
  uri: {
    valid: rows(rfc3986, {
      https: "https://example.org/a?b=c#d",
      urn: "urn:isbn:0451450523",
      mailto: "mailto:ada@example.org",
      "ipv6-host": "https://[2001:db8::1]:8443/",
      "percent-encoded": "https://example.org/a%20b",
      "empty-path": "https://example.org",
      "user-and-port": "https://ada@example.org:8443/",
      "ipv4-host": "https://192.0.2.1/",
      "upper-case-scheme": "HTTPS://EXAMPLE.ORG/",
      "marks-in-the-path": "https://example.org/a!$&'()*+,;=:@~b",
      "empty-query-and-fragment": "https://example.org/?#",
    }),
    invalid: rows(rfc3986, {
      relative: "/a/b",
      "no-scheme": "//example.org/a",
      "bare-name": "example.org",
      space: "https://example.org/a b",
      "raw-non-ascii": "https://example.org/ä",
      "bad-percent": "https://example.org/%zz",
      "angle-brackets": "<https://example.org>",
      "angle-brackets-in-the-path": "https://example.org/<a>",
      backslash: "https:\\\\example.org",
      "scheme-begins-with-a-digit": "1http://example.org",
      "port-in-letters": "https://example.org:port/",
      "line-feed-at-the-end": "https://example.org/\n",
      empty: "",
    }),
  },
  "uri-reference": {
    valid: rows(rfc3986, { absolute: "https://example.org/a", relative: "../a", fragment: "#a", empty: "" }),
    invalid: rows(rfc3986, {
      backslash: "\\\\example.org\\a",
      "bad-percent": "/a%zz",
      space: "/a b",
      "raw-non-ascii": "/ä",
    }),
  },
  iri: {
    valid: rows("RFC 3987, 2.2", { ascii: "https://example.org/a", "beyond-ascii": "https://例え.example/ä" }),
    invalid: rows("RFC 3987, 2.2", { relative: "/ä", space: "https://example.org/a b", empty: "" }),
  },
  "iri-reference": {
    valid: rows("RFC 3987, 2.2", { relative: "/ä", absolute: "https://example.org/" }),
    invalid: rows("RFC 3987, 2.2", { backslash: "\\\\例え\\a", "bad-percent": "/ä%zz" }),
  },
  uuid: {
    valid: rows("RFC 4122, 3", {
      "version-4": "550e8400-e29b-41d4-a716-446655440000",
      "upper-case": "550E8400-E29B-41D4-A716-446655440000",
      nil: "00000000-0000-0000-0000-000000000000",
    }),
    invalid: rows("RFC 4122, 3", {
      "no-hyphens": "550e8400e29b41d4a716446655440000",
      "one-short": "550e8400-e29b-41d4-a716-44665544000",
      "one-long": "550e8400-e29b-41d4-a716-4466554400000",
      "not-hex": "550e8400-e29b-41d4-a716-44665544000g",
      braces: "{550e8400-e29b-41d4-a716-446655440000}",
      "hyphens-elsewhere": "550e-8400e29b-41d4-a716-446655440000",
      "line-feed-at-the-end": "550e8400-e29b-41d4-a716-446655440000\n",
      empty: "",
    }),
  },
  "uri-template": {
    valid: rows("RFC 6570, 2", { plain: "https://example.org/{id}", operator: "/a{?b,c*}" }),
    invalid: rows("RFC 6570, 2", { "open-brace": "/a/{id", "close-brace": "/a/id}", "empty-expression": "/a/{}" }),
  },
  "json-pointer": {
    valid: rows(rfc6901, { plain: "/a/0", whole: "", escaped: "/a~1b/c~0d", "empty-name": "/" }),
    invalid: rows(rfc6901, { "no-slash": "a/b", "bad-escape": "/a~2", "bare-tilde": "/a~", fragment: "#/a" }),
  },
  "relative-json-pointer": {
    valid: rows("draft-bhutton-relative-json-pointer-00, 3", { up: "1/a", name: "0#" }),
    invalid: rows("draft-bhutton-relative-json-pointer-00, 3", {
      absolute: "/a",
      "leading-zero": "01/a",
      negative: "-1/a",
      empty: "",
    }),
  },
  regex: {
    valid: rows("ECMA-262, 22.2.1", { plain: "^a+$", look: "(?=a)b", class: "[a-z\\d]" }),
    invalid: rows("ECMA-262, 22.2.1", { "open-group": "(a", "open-class": "[a", "bare-quantifier": "*a" }),
  },
};
