import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { place, under, varied } from "./session.ts";

const terse: Members = { preferred_verbosity: "terse" };
const brief = { start: { summary_terse: "Looking." }, complete: { summary_terse: "Booked." } };
const tersely = under(terse, terse, "start think complete", brief);
const detailed: Members = { preferred_verbosity: "detailed" };
const detailedly = under(detailed, detailed, "start think complete", {
  start: { summary_detailed: "Looking for a berth, quay by quay." },
  complete: { summary_detailed: "Berth E14 is booked from noon." },
  think: { verbosity: "detailed" },
});
const streamed = under(terse, terse, "start think write chunk last think complete", brief);
const speaking = (wishes: readonly string[] | undefined, language: string): JsonObject[] =>
  varied(under({ languages: wishes as Json }, { languages: wishes as Json }, "start think complete"), {
    2: { localization_hints: { primary_language: language } },
    3: { localization_hints: { primary_language: language } },
    4: { localization_hints: { primary_language: language } },
  });

const honored = under({ languages: ["yo-NG", "en-GB"] }, { languages: ["en-GB"] }, "start think complete");
const hint = (index: number): string => `/${index}/message/localization_hints/primary_language`;

export const wordingCases: readonly Cases[] = [
  {
    rule: "AAEP-BP-007",
    document: "session",
    valid: [
      { name: "terse", says: "has terse summaries, as is preferred", data: tersely },
      { name: "detailed", says: "has detailed summaries, as is preferred", data: detailedly },
      { name: "streamed", says: "streams output, which has no summaries", edge: true, data: streamed },
    ],
    invalid: [
      {
        name: "no-terse-summary",
        says: "lacks the terse summary",
        from: "terse",
        at: place(tersely, "state.changed"),
        change: remove(place(tersely, "state.changed", "summary_terse")),
      },
      {
        name: "no-detailed-summary",
        says: "lacks the detailed summary",
        from: "detailed",
        at: place(detailedly, "session.completed"),
        change: remove(place(detailedly, "session.completed", "summary_detailed")),
      },
      {
        name: "other-verbosity",
        says: "is terse, where detailed is preferred",
        from: "detailed",
        change: add(place(detailedly, "state.changed", "verbosity"), "terse"),
      },
    ],
  },
  {
    rule: "AAEP-I18N-006",
    document: "session",
    valid: [
      { name: "agreed-on", says: "speaks a language that was agreed on", data: speaking(["yo-NG", "en-GB"], "en-GB") },
      {
        name: "region-besides",
        says: "speaks the language of a region, where the language was agreed on",
        edge: true,
        data: speaking(["en"], "en-GB"),
      },
      {
        name: "no-region",
        says: "speaks the language, where one of a region was agreed on",
        edge: true,
        data: speaking(["en-GB"], "en"),
      },
      {
        name: "in-capitals",
        says: "speaks a language that was agreed on in other case",
        edge: true,
        data: speaking(["EN-gb"], "en-GB"),
      },
      {
        name: "by-default",
        says: "speaks the language of the default, where nobody said one",
        data: speaking(undefined, "en-US"),
      },
      { name: "honored-alone", says: "speaks the one language that was honoured of two", data: honored },
    ],
    invalid: [
      {
        name: "requested-alone",
        says: "is a language that was asked for, and not honoured",
        from: "honored-alone",
        change: add(hint(3), "yo-NG"),
      },
      {
        name: "another-language",
        says: "is a language that was not agreed on",
        from: "agreed-on",
        change: add(hint(3), "fr-FR"),
      },
      {
        name: "another-region",
        says: "is the language of another region",
        from: "agreed-on",
        change: add(hint(3), "en-US"),
      },
      {
        name: "longer-word",
        says: "begins like the language that was agreed on",
        from: "region-besides",
        change: add(hint(3), "enm"),
      },
      {
        name: "not-the-default",
        says: "is not the language of the default",
        from: "by-default",
        change: add(hint(3), "cy"),
      },
    ],
  },
];
