import { makeBadge } from "badge-maker";
import type { Run } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { protocolOf } from "./site-entries.ts";
import { slugOf } from "./slug.ts";
import type { Certificate, Files, Release, ShownRun, SiteState } from "./types.ts";

const colours: Record<SiteState["name"], string> = { conforms: "#1b6e45", fails: "#b1271d", open: "#6b6f76" };

/** Messages that replace the summary of a state on a badge; empty to keep the summary. */
const fixedMessages: Record<SiteState["name"], string> = { conforms: "", fails: "", open: "not shown to conform" };

/** The maximum number of characters of a label or message: a badge is as wide as its text. */
const maxLabelLength = 60;

/** Renders a badge as SVG. Markup in the label or message is escaped. */
export function renderBadge(label: string, message: string, colour: string): string {
  const [shownLabel, shownMessage] = [label, message].map((each) =>
    escapeInvisible(truncate(each, maxLabelLength)),
  ) as [string, string];
  return `${makeBadge({ label: shownLabel, message: shownMessage, color: colour })}\n`;
}

/** Renders the badges of a release, by path in its folder: one for the result of each protocol, and one for its certified profiles. */
export function renderBadges({ latest }: Release, folder: string): Files {
  return new Map(
    [...latest].flatMap(([protocol, shownRun]): [string, string][] => {
      const { name: stateName, summary } = shownRun.state;
      const passedProfiles = certifiedProfiles(shownRun);
      const result = renderBadge(protocol, fixedMessages[stateName] || summary, colours[stateName]);
      return [
        [`${folder}/${badgeFile(shownRun.run)}`, result],
        ...(passedProfiles.length === 0
          ? []
          : [
              [
                `${folder}/${certifiedFile(shownRun.run)}`,
                renderBadge(`${protocol} certified`, passedProfiles.join(", "), colours.conforms),
              ] as [string, string],
            ]),
      ];
    }),
  );
}

/** The profiles of a run's protocol that a trusted key certifies as passed, or as passed with warnings. */
export function certifiedProfiles({ entry: { certificate }, run }: ShownRun): string[] {
  if (certificate?.isTrusted !== true) return [];
  return scoresOf(certificate, protocolOf(run))
    .filter(({ result }) => result !== "FAILED")
    .map(({ profile, result }) => (result === "PASSED" ? profile : `${profile} (warned)`));
}

export function scoresOf({ scores }: Certificate, protocol: string): Certificate["scores"] {
  return scores.filter((score) => protocolOf(score) === protocol);
}

export function badgeFile({ protocol, version }: Pick<Run, "protocol" | "version">): string {
  return `${slugOf(protocol)}~${slugOf(version)}.svg`;
}

export function certifiedFile({ protocol, version }: Pick<Run, "protocol" | "version">): string {
  return `${slugOf(protocol)}~${slugOf(version)}.certified.svg`;
}
