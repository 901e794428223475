import { makeBadge } from "badge-maker";
import type { Run } from "../../../schemas/index.ts";
import { escapeInvisible, truncate } from "../../base/text/escape.ts";
import { protocolOf } from "./site-entries.ts";
import { slugOf } from "./slug.ts";
import type { Certificate, Files, Release, ShownRun, SiteState } from "./types.ts";

const colours: Record<SiteState["name"], string> = { conforms: "#1b6e45", fails: "#b1271d", open: "#6b6f76" };

const words: Record<SiteState["name"], string> = { conforms: "", fails: "", open: "not shown to conform" };

/** The maximum characters: a badge is as wide as its text. */
const maxLabelLength = 60;

/** A badge as SVG, without any markup from names. */
export function renderBadge(label: string, message: string, colour: string): string {
  const [shownLabel, shownMessage] = [label, message].map((each) =>
    escapeInvisible(truncate(each, maxLabelLength)),
  ) as [string, string];
  return `${makeBadge({ label: shownLabel, message: shownMessage, color: colour })}\n`;
}

/** The badges of a release in a folder: the result of each protocol, and its certificates by trusted keys. */
export function badgesOf({ latest }: Release, folder: string): Files {
  return new Map(
    [...latest].flatMap(([protocol, shownRun]): [string, string][] => {
      const { name, says } = shownRun.state;
      const passedProfiles = certifiedProfiles(shownRun);
      const result = renderBadge(protocol, words[name] || says, colours[name]);
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
