import { add, remove } from "../../../../generators/index.ts";
import type { Cases, Change, InvalidCase, Json } from "../../../../schemas/index.ts";
import { acceptance, event, request } from "./messages.ts";

const hints = (more: Record<string, Json>) => ({ primary_language: "en-GB", ...more });
const untold = (change: Change[] = remove("/localization_hints")): InvalidCase => ({
  name: "untold",
  at: "",
  says: "has text and does not tell its language",
  change,
});
const primary = "/localization_hints/primary_language";

const forms = ["short-parts", "long-variant", "digit-region", "script", "private-part", "many-parts"];
const ofEveryForm = ["x-a", "en-abcdefgh", "es-419", "zh-Hant", "en-x-ab", `en-x${"-ab".repeat(70)}`];
const privately = (count: number): string[] => Array.from({ length: count }, (_, index) => `x-port${index}`);

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-I18N-001",
    document: "agent.session.started",
    valid: [{ name: "told", at: primary, says: "is told", data: event("agent.session.started") }],
    invalid: [
      untold(),
      {
        name: "others-told",
        at: "/localization_hints",
        says: "tells other languages, and not that of the text",
        change: add("/localization_hints", { available_languages: ["en-GB"], fallback_chain: ["en"], script: "Latn" }),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-I18N-001",
    document: "agent.output.streaming",
    valid: [
      { name: "told", at: primary, says: "is told", data: event("agent.output.streaming") },
      {
        name: "told-for-the-chunk",
        at: "/language",
        says: "is told for the chunk",
        data: event("agent.output.streaming", {
          localization_hints: undefined,
          language: "pt-PT",
          chunk: "Até sexta! ",
        }),
        edge: true,
      },
      {
        name: "no-text",
        at: "/chunk",
        says: "is empty",
        data: event("agent.output.streaming", {
          localization_hints: undefined,
          chunk: "",
          complete: true,
          coalesce_hint: "completion",
        }),
        edge: true,
      },
    ],
    invalid: [
      untold(),
      {
        name: "untold-for-the-chunk",
        from: "told-for-the-chunk",
        at: "",
        says: "has text and does not tell its language",
        change: remove("/language"),
      },
      {
        name: "untold-space",
        from: "no-text",
        says: "is a space, of a language that is not given",
        change: add("/chunk", " "),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-I18N-001",
    document: "agent.awaiting.clarification",
    valid: [{ name: "told", at: primary, says: "is told", data: event("agent.awaiting.clarification") }],
    invalid: [untold()],
  },
  {
    rule: "AAEP-I18N-003",
    document: "agent.output.streaming",
    valid: [
      {
        name: "language-script-region",
        at: "/language",
        says: "has a script and a region",
        data: event("agent.output.streaming", { language: "zh-Hant-TW" }),
      },
      ...(
        [
          ["extended-language", "zh-yue-HK"],
          ["variant", "sl-rozaj-biske-1994"],
          ["digit-region", "es-419"],
          ["extension", "en-u-ca-buddhist"],
          ["private-use", "x-harbour"],
          ["private-use-at-the-end", "en-x-a-b-c-d"],
          ["old-tag", "i-klingon"],
          ["old-tag-with-region", "sgn-BE-FR"],
          ["other-case", "EN-gb"],
          ["three-letters", "ckb"],
          ["eight-letters", "abcdefgh"],
        ] as const
      ).map(([name, tag]) => ({
        name,
        at: "/language",
        says: `is ${tag}, well-formed`,
        data: event("agent.output.streaming", { language: tag }),
        edge: true as const,
      })),
    ],
    invalid: (
      [
        ["one-letter", "e"],
        ["one-letter-and-region", "a-GB"],
        ["digit-after-language", "abcdefgh-1"],
        ["script-after-region", "zh-TW-Hant"],
        ["two-regions", "en-GB-US"],
        ["short-variant", "de-ab1"],
        ["four-letter-variant", "de-DE-late"],
        ["extension-of-nothing", "en-u"],
        ["extension-of-one-letter", "en-u-c"],
        ["private-use-of-nothing", "en-x"],
        ["unknown-old-tag", "i-harbour"],
        ["four-extended-languages", "zh-yue-abc-def-ghi"],
        ["four-letters-extended", "abcd-efg"],
      ] as const
    ).map(([name, tag]) => ({ name, says: `is ${tag}, not well-formed`, change: add("/language", tag) })),
  },
  {
    rule: "AAEP-I18N-003",
    document: "agent.state.changed",
    valid: [
      {
        name: "lists",
        at: "/localization_hints",
        says: "has well-formed tags everywhere",
        data: event("agent.state.changed", {
          localization_hints: hints({ available_languages: ["pt-PT", "cy"], fallback_chain: ["en", "pt"] }),
        }),
      },
      {
        name: "long-lists",
        at: "/localization_hints",
        says: "has as many well-formed tags as there may be, of every form",
        data: event("agent.state.changed", {
          localization_hints: hints({
            available_languages: [...ofEveryForm, ...privately(32 - ofEveryForm.length)],
            fallback_chain: [...ofEveryForm, ...privately(16 - ofEveryForm.length)],
          }),
        }),
        edge: true,
      },
      ...ofEveryForm.map((tag, index) => ({
        name: `primary-${forms[index]}`,
        at: primary,
        says: `is ${tag.length > 40 ? `a tag of ${tag.split("-").length} parts` : tag}, well-formed`,
        data: event("agent.state.changed", { localization_hints: { primary_language: tag } }),
        edge: true as const,
      })),
    ],
    invalid: [
      { name: "primary", says: "is not well-formed", change: add(primary, "abcdefgh-1") },
      { name: "available", says: "is not well-formed", change: add("/localization_hints/available_languages/1", "c") },
      { name: "fallback", says: "is not well-formed", change: add("/localization_hints/fallback_chain/0", "en-u") },
    ],
  },
  {
    rule: "AAEP-I18N-003",
    document: "subscription.request",
    valid: [
      {
        name: "languages",
        at: "/capabilities/languages",
        says: "has well-formed tags",
        data: request({ languages: ["en-GB", "de-1996"] }),
      },
    ],
    invalid: [
      {
        name: "language",
        says: "is not well-formed",
        change: add("/capabilities/languages/1", "en-1"),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-I18N-003",
    document: "subscription.accepted",
    valid: [
      {
        name: "languages",
        at: "/honored_capabilities/languages",
        says: "has well-formed tags",
        data: acceptance({ languages: ["en-GB"] }),
      },
    ],
    invalid: [
      { name: "language", says: "is not well-formed", change: add("/honored_capabilities/languages/0", "en-x") },
    ],
  },
];
