import { isNeverAsked, type Protocol, type TargetConfig } from "../../../schemas/index.ts";
import type { RunCase } from "../../running/run/case.ts";
import { sidesOf } from "../../running/scenarios/sides.ts";
import { skipUnreachable } from "../../targets/http/route.ts";

/** If more than this share of a protocol's vectors is never sent, a run prints how to test them. */
const maxUnsentShare = 0.75;

/**
 * Describes the protocols of a run over HTTP with many vectors that are never sent to a server, and the command that tests these
 * messages. Empty for any other target.
 */
export function describeUnsent(
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
    if (side === undefined || count <= cases.length * maxUnsentShare) return [];
    return [
      `${count} of ${cases.length} vectors of ${protocol.name} are messages that are never sent to a server, and are skipped; ` +
        `the messages of a ${side} are tested by ${command} play ${protocol.name} --http ${target.url}\n`,
    ];
  });
  return lines.join("");
}
