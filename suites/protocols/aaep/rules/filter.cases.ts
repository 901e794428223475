import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { broken, document, kept, terms } from "./handshake.ts";

const quiet = { include: ["aaep:agent.*", "tidewatch:*"], exclude: ["aaep:agent.tool.*"] };

export const filterCases: readonly Cases[] = [
  {
    rule: "AAEP-HS-008",
    document,
    valid: [
      kept("same", "event_filters", "are those asked for", { event_filters: quiet }, { event_filters: quiet }),
      kept(
        "excludes-more",
        "event_filters",
        "exclude more",
        { event_filters: { exclude: ["aaep:agent.progress.updated"] } },
        { event_filters: { exclude: ["aaep:agent.tool.*", "aaep:agent.progress.updated"] } },
      ),
      kept(
        "narrower-include",
        "event_filters",
        "need no exclusion, since they include less",
        { event_filters: { exclude: ["aaep:agent.tool.*"] } },
        { event_filters: { include: ["aaep:agent.session.*"], exclude: [] } },
        true,
      ),
      kept(
        "part-unsaid",
        "event_filters",
        "leave the exclusion as asked for",
        { event_filters: quiet },
        { event_filters: { include: ["tidewatch:level.*"] } },
        true,
      ),
      kept(
        "broader-exclude",
        "event_filters",
        "exclude by one pattern what two excluded",
        { event_filters: { exclude: ["aaep:agent.tool.invoked", "aaep:agent.tool.completed"] } },
        { event_filters: { exclude: ["aaep:agent.to*"] } },
        true,
      ),
      kept(
        "nothing-wanted",
        "event_filters",
        "let nothing through",
        { event_filters: { include: [] } },
        { event_filters: { include: [] } },
        true,
      ),
    ],
    invalid: [
      broken("unsaid", "same", "are left out of the answer", remove(`${terms}/event_filters`), "SHOULD"),
      broken("exclude-dropped", "same", "excludes nothing any more", add(`${terms}/event_filters/exclude`, [])),
      broken(
        "exclude-narrowed",
        "same",
        "excludes one tool event of two",
        set(`${terms}/event_filters/exclude/0`, "aaep:agent.tool.invoked"),
      ),
      broken(
        "star-lost",
        "same",
        "excludes a type that there is not",
        set(`${terms}/event_filters/exclude/0`, "aaep:agent.tool"),
      ),
      broken(
        "star-inside",
        "same",
        "has its star where it is no star",
        set(`${terms}/event_filters/exclude/0`, "aaep:*.tool.invoked"),
      ),
      broken("include-widened", "same", "includes more", add(`${terms}/event_filters/include/-`, "harbour:*")),
      broken(
        "literal-included",
        "same",
        "includes one more type",
        add(`${terms}/event_filters/include/0`, "harbour:bell.rung"),
      ),
      broken(
        "something-let-through",
        "nothing-wanted",
        "includes a type",
        add(`${terms}/event_filters/include/0`, "aaep:agent.state.changed"),
      ),
      broken(
        "beyond-the-default",
        "excludes-more",
        "includes more than an unfiltered request means",
        add(`${terms}/event_filters/include`, ["aaep:*", "tidewatch:*"]),
        "SHOULD",
      ),
    ],
  },
];
