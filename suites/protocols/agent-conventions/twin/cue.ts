import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { detailsOfOthers, get, has, type Message, texts } from "./finding.ts";
import { parseTime } from "./time.ts";

/** Checks a coordination message. */
export function* checkCoordination({ all, kind }: Message): Generator<TwinFinding> {
  for (const name of detailsOfOthers(all, kind))
    yield { rule: "CONV-COORD-006", at: `/${name}`, why: `does not belong in coord.${kind}`, freedom: "coord-006" };
  yield* checkGo(all);
  const finding = (at: string, why: string): TwinFinding => ({
    rule: "CONV-COORD-008",
    at,
    why,
    freedom: "coord-008",
  });
  if (all.auto_follow === all.cue_id) yield finding("/auto_follow", "is the cue itself");
  const deadline = instantAt(all, "preparation_deadline");
  const goTime = instantAt(all, "estimated_go_time");
  if (deadline !== undefined && goTime !== undefined && deadline > goTime)
    yield finding("/warning_details/preparation_deadline", "is after the estimated go time");
  if (kind === "go" && !/^orchestrator(-.+)?$/.test(String(all.sender)))
    yield { rule: "CONV-CUE-005", at: "/sender", why: "is not an orchestrator", freedom: "cue-005" };
}

function instantAt(all: Message["all"], name: string): number | undefined {
  const text = get(all, "warning_details", name);
  return typeof text === "string" ? parseTime(text)?.us : undefined;
}

function* checkGo(all: Message["all"]): Generator<TwinFinding> {
  const details = all.go_details;
  const targets = texts(all, "target_agents");
  const order = texts(details, "sequence_order");
  const finding = (why: string, freedom = "coord-007"): TwinFinding => ({
    rule: "CONV-COORD-007",
    at: "/go_details/sequence_order",
    why,
    freedom,
  });
  if (get(details, "execution_type") === "scheduled" && !has(details, "scheduled_time"))
    yield finding("is scheduled but has no time");
  const isSequential = get(details, "synchronization") === "sequential";
  if (order === undefined) {
    if (isSequential) yield finding("is missing", "coord-007-omissions");
    return;
  }
  const isRepeated = new Set(order).size < order.length;
  if (isRepeated) yield finding("repeats a target", targets === undefined ? "coord-007-repeat-alone" : "coord-007");
  if (targets === undefined) return;
  if (order.some((agent) => !targets.includes(agent))) yield finding("names an agent that is not a target");
  if (targets.some((target) => !order.includes(target))) yield finding("omits a target", "coord-007-omissions");
}
