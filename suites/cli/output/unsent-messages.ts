import { isNeverAsked, type Protocol, type TargetConfig } from "../../../schemas/index.ts";
import type { RunCase } from "../../running/run/case.ts";
import { sidesOf } from "../../running/scenarios/sides.ts";
import { skipUnreachable } from "../../targets/http/route.ts";

/** Describes the protocols of a run over HTTP of which more than three quarters of the vectors are never sent to a server, with the command that tests the server's own messages. Empty for any other target. */
export function unsentLines(
  plans: readonly { protocol: Protocol; cases: readonly RunCase[] }[],
  target: TargetConfig,
  command: string,
): string {
  if (target.kind !== "http") return "";
  const { endpoints = {} } = target;
  const lines = plans.flatMap(({ protocol, cases }) => {
    const isUnsent = ({ document }: RunCase): boolean =>
      document.endpoint === undefined &&
      !Object.hasOwn(endpoints, document.name) &&
      isNeverAsked(skipUnreachable(document, protocol).cause);
    const { length: count } = cases.filter(isUnsent);
    const [side] = sidesOf(protocol);
    if (side === undefined || count <= cases.length * 0.75) return [];
    return [
      `${count} of ${cases.length} vectors of ${protocol.name} are messages that no server is sent, and are skipped; ` +
        `the messages of a ${side} are tested by ${command} play ${protocol.name} --http ${target.url}\n`,
    ];
  });
  return lines.join("");
}
