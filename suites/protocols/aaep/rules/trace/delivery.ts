import type { Breach, Checker } from "../../../../../schemas/index.ts";
import { onRecording, onTerms, type Recording } from "./recording.ts";
import { covers, filtersOf, isExcluded, isIncluded, stringsIn } from "./terms.ts";

/** Checks that the types of sent events match the subscriber's filters and the producer's manifest. */
export const deliveryCheckers: readonly Checker[] = [
  onTerms("AAEP-BP-004", function* ({ type, at, isCritical }, { requested }) {
    if (!isCritical && isExcluded(filtersOf(requested), type))
      yield { at: `${at}/type`, why: `is ${type}, which the subscriber excluded` };
  }),
  onTerms("AAEP-BP-005", function* ({ type, at, isCritical }, { requested }) {
    const filters = filtersOf(requested);
    if (!isCritical && !isExcluded(filters, type) && !isIncluded(filters, type))
      yield { at: `${at}/type`, why: `is ${type}, which the subscriber did not request` };
  }),
  onRecording("AAEP-MAN-006", findUnlistedTypes),
];

/** Finds events that the manifest does not list, if the recording contains the manifest. */
function* findUnlistedTypes({ sent, merged }: Recording): Generator<Breach> {
  const listedPatterns = new Map<string, string[]>();
  for (const { from, message } of sent) {
    const { type, agent_id: agent, event_types_emitted: types } = message;
    const patterns = stringsIn(types);
    if (from === "producer" && type === "aaep:producer.manifest" && typeof agent === "string" && patterns !== undefined)
      listedPatterns.set(agent, [...(listedPatterns.get(agent) ?? []), ...patterns]);
  }
  for (const { agent, type, at } of merged.events) {
    const patterns = listedPatterns.get(agent);
    if (patterns !== undefined && !patterns.some((pattern) => covers(pattern, type)))
      yield { at: `${at}/type`, why: `is ${type}, which the manifest does not list` };
  }
}
