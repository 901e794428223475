import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { broken, document, kept, shake, terms } from "./handshake.ts";
import { acceptance, request } from "./messages.ts";
import { harbourManifest, jws, signatures } from "./signed.ts";

const asked = "/request/capabilities";
const rate = "max_events_per_second";
const boundaries = "coalesce_boundaries";
const levels = "supported_conformance_levels";

/** The same, with the signed manifest that the request demands. */
function signed(...parts: Parameters<typeof kept>): ValidCase {
  const { data, ...rest } = kept(...parts);
  const { request, accepted } = data as { request: JsonObject; accepted: JsonObject };
  const manifest = jws({ alg: "ES256" }, harbourManifest, signatures.manifest);
  return { ...rest, data: { request, accepted: { ...accepted, signed_manifest: manifest } } };
}

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-HS-005",
    document,
    valid: [
      kept("lower", rate, "is lower than what was asked for", { [rate]: 5 }, { [rate]: 3 }),
      kept("equal", rate, "is what was asked for", { [rate]: 10 }, { [rate]: 10 }, true),
      kept("unlimited", rate, "is a limit where none was asked for", {}, { [rate]: 100_000 }, true),
    ],
    invalid: [
      broken("one-over", "equal", "is one over what was asked for", add(`${terms}/${rate}`, 11)),
      broken("twice", "lower", "is twice what was asked for", add(`${terms}/${rate}`, 10)),
      broken("request-lowered", "equal", "is one below what is granted", add(`${asked}/${rate}`, 9)),
      broken("unsaid", "equal", "is left out of the answer", remove(`${terms}/${rate}`), "SHOULD"),
    ],
  },
  {
    rule: "AAEP-HS-006",
    document,
    valid: [
      kept(
        "fewer",
        "languages",
        "are some of those asked for",
        { languages: ["en-GB", "pt-PT"] },
        { languages: ["pt-PT"] },
      ),
      kept(
        "region-added",
        "languages",
        "are asked for without a region",
        { languages: ["en"] },
        { languages: ["en-US"] },
        true,
      ),
      kept(
        "region-dropped",
        "languages",
        "are asked for with a region",
        { languages: ["en-US"] },
        { languages: ["en"] },
        true,
      ),
      kept(
        "other-case",
        "languages",
        "are asked for in other letters",
        { languages: ["EN-gb"] },
        { languages: ["en-GB"] },
        true,
      ),
      kept("by-default", "languages", "are what an empty request means", {}, { languages: ["en-US"] }, true),
    ],
    invalid: [
      broken("added", "fewer", "was not asked for", add(`${terms}/languages/1`, "fr-FR")),
      broken(
        "other-region",
        "region-dropped",
        "is the language in another region",
        set(`${terms}/languages/0`, "en-GB"),
      ),
      broken(
        "begins-alike",
        "region-added",
        "only begins with the letters of what was asked for",
        set(`${terms}/languages/0`, "enm"),
      ),
      broken(
        "other-than-default",
        "by-default",
        "is not what an empty request means",
        set(`${terms}/languages/0`, "fr-FR"),
        "SHOULD",
      ),
      broken("unsaid", "fewer", "are left out of the answer", remove(`${terms}/languages`), "SHOULD"),
    ],
  },
  {
    rule: "AAEP-HS-007",
    document,
    valid: [
      kept(
        "fewer",
        boundaries,
        "are some of those asked for",
        { [boundaries]: ["sentence", "completion"] },
        { [boundaries]: ["sentence"] },
      ),
      kept(
        "all",
        boundaries,
        "are those asked for, in other order",
        { [boundaries]: ["word", "paragraph"] },
        { [boundaries]: ["paragraph", "word"] },
        true,
      ),
      kept(
        "by-default",
        boundaries,
        "are what an empty request means",
        {},
        { [boundaries]: ["completion", "sentence"] },
        true,
      ),
    ],
    invalid: [
      broken("added", "fewer", "was not asked for", add(`${terms}/${boundaries}/1`, "word")),
      broken("added-first", "all", "was not asked for", set(`${terms}/${boundaries}/0`, "none")),
      broken(
        "other-than-default",
        "by-default",
        "is not what an empty request means",
        set(`${terms}/${boundaries}/0`, "word"),
        "SHOULD",
      ),
      broken("unsaid", "fewer", "are left out of the answer", remove(`${terms}/${boundaries}`), "SHOULD"),
    ],
  },
  {
    rule: "AAEP-HS-009",
    document,
    valid: [
      signed(
        "as-asked",
        "supports_confirmation_reply",
        "goes with all the rest no further than the request",
        {
          supports_confirmation_reply: true,
          supports_clarification_reply: true,
          [levels]: [1, 2],
          supported_extensions: ["https://tidewatch.example/context/v1"],
          accept_signed_manifests_only: true,
        },
        {
          supports_confirmation_reply: true,
          supports_clarification_reply: false,
          [levels]: [1],
          supported_extensions: ["https://tidewatch.example/context/v1"],
          accept_signed_manifests_only: true,
        },
      ),
      kept(
        "by-default",
        levels,
        "is what an empty request means",
        {},
        {
          [levels]: [1],
          supported_extensions: [],
          supports_confirmation_reply: false,
          accept_signed_manifests_only: true,
        },
        true,
      ),
      kept(
        "refused",
        "supports_confirmation_reply",
        "is false, as asked for",
        { supports_confirmation_reply: false, supports_clarification_reply: false },
        { supports_confirmation_reply: false, supports_clarification_reply: false },
      ),
    ],
    invalid: [
      broken(
        "confirmation",
        "refused",
        "is true, and was not asked for",
        add(`${terms}/supports_confirmation_reply`, true),
      ),
      broken(
        "clarification",
        "refused",
        "is true, and was not asked for",
        add(`${terms}/supports_clarification_reply`, true),
      ),
      broken(
        "confirmation-by-default",
        "by-default",
        "is true, and was not asked for",
        add(`${terms}/supports_confirmation_reply`, true),
      ),
      broken("level", "as-asked", "was not asked for", add(`${terms}/${levels}/1`, 3)),
      broken("level-by-default", "by-default", "was not asked for", add(`${terms}/${levels}/1`, 2)),
      broken(
        "extension",
        "as-asked",
        "was not asked for",
        add(`${terms}/supported_extensions/1`, "https://harbour.example/bells/v1"),
      ),
      broken(
        "unsigned",
        "as-asked",
        "is false, while the request demands it",
        add(`${terms}/accept_signed_manifests_only`, false),
      ),
    ],
  },
  {
    rule: "AAEP-HS-010",
    document,
    valid: [
      {
        name: "same",
        at: "/accepted/aaep_version",
        says: "is what was asked for",
        data: shake({ [rate]: 7 }, { [rate]: 7 }),
      },
      {
        name: "older-minor",
        at: "/accepted/aaep_version",
        says: "is an older minor version",
        data: { request: request({}, { aaep_version: "1.1.0" }), accepted: acceptance() },
        edge: true,
      },
      {
        name: "older-major",
        at: "/accepted/aaep_version",
        says: "is an older major version",
        data: { request: request({}, { aaep_version: "10.0.0" }), accepted: acceptance({}, { aaep_version: "9.9.9" }) },
        edge: true,
      },
      {
        name: "draft",
        at: "/accepted/aaep_version",
        says: "is the draft, which came before",
        data: { request: request(), accepted: acceptance({}, { aaep_version: "0.1.0-draft" }) },
      },
    ],
    invalid: [
      {
        name: "next-major",
        says: "is the next major version",
        change: add("/accepted/aaep_version", "2.0.0"),
        edge: true,
      },
      {
        name: "ten-after-nine",
        from: "older-major",
        says: "is ten, after nine",
        change: [...add("/request/aaep_version", "9.9.9"), ...add("/accepted/aaep_version", "10.0.0")],
      },
      { name: "eleven", says: "is eleven where one was asked for", change: add("/accepted/aaep_version", "11.0.0") },
    ],
    disputed: [
      {
        name: "newer-minor",
        says: "is a newer minor version than the one asked for",
        change: add("/accepted/aaep_version", "1.1.0"),
        readings: [
          { verdict: "valid", by: ["position"], why: "the major version is the one asked for" },
          { verdict: "invalid", by: ["schema text"], why: "it may not be one that both ends know" },
        ],
      },
      {
        name: "release-for-draft",
        from: "draft",
        says: "is the release where the draft was asked for",
        change: [...add("/request/aaep_version", "0.1.0-draft"), ...add("/accepted/aaep_version", "1.0.0")],
        readings: [
          { verdict: "valid", by: ["position"], why: "both names stand for the one text there is" },
          { verdict: "invalid", by: ["schema text"], why: "one is above nought" },
        ],
      },
    ],
  },
];
