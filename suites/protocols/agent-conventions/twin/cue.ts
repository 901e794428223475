import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { detailsOfOthers, get, has, type Message, texts } from "./finding.ts";
import { timeIn } from "./time.ts";

/** The faults of coordination messages. */
export function* coordination({ all, kind }: Message): Generator<TwinFinding> {
  for (const name of detailsOfOthers(all, kind))
    yield { rule: "CONV-COORD-006", at: `/${name}`, why: `does not go with ${kind}`, freedom: "coord-006" };
  yield* goingFindings(all);
  const finding = (at: string, why: string): TwinFinding => ({
    rule: "CONV-COORD-008",
    at,
    why,
    freedom: "coord-008",
  });
  if (all.auto_follow === all.cue_id) yield finding("/auto_follow", "is the cue itself");
  const ready = instantAt(all, "preparation_deadline");
  const go = instantAt(all, "estimated_go_time");
  if (ready !== undefined && go !== undefined && ready > go)
    yield finding("/warning_details/preparation_deadline", "is after the go");
  if (kind === "go" && !/^orchestrator(-.+)?$/.test(String(all.sender)))
    yield { rule: "CONV-CUE-005", at: "/sender", why: "is no orchestrator", freedom: "cue-005" };
}

function instantAt(all: Message["all"], name: string): number | undefined {
  const text = get(all, "warning_details", name);
  return typeof text === "string" ? timeIn(text)?.us : undefined;
}

function* goingFindings(all: Message["all"]): Generator<TwinFinding> {
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
    yield finding("is scheduled, at no time");
  const isSequential = get(details, "synchronization") === "sequential";
  if (order === undefined) {
    if (isSequential) yield finding("is missing", "coord-007-omissions");
    return;
  }
  const isRepeated = new Set(order).size < order.length;
  if (isRepeated) yield finding("names one twice", targets === undefined ? "coord-007-repeat-alone" : "coord-007");
  if (targets === undefined) return;
  if (order.some((each) => !targets.includes(each))) yield finding("names another");
  if (targets.some((target) => !order.includes(target))) yield finding("leaves one out", "coord-007-omissions");
}
