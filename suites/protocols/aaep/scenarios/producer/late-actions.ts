import { type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { openSubscription } from "../subscribing/open.ts";
import { effectsOf } from "./actions.ts";
import { actionTimeLimit, beginWaitingSession, conductOf } from "./conduct.ts";
import { rejectedIn, rejectOpen } from "./ignoring.ts";
import { clockCompletesActions, letTimePass } from "./passing-time.ts";
import { toProducer } from "./scenario.ts";

const consentRule = "AAEP-CONF-020";

/** How many milliseconds a clock that completes actions is moved forward after a rejection. */
const lateActionDelayMs = 60_000;

/** The scenario on late actions. It is played last, to also see late actions of earlier scenarios. */
export const lateActionScenarios: readonly Scenario[] = [
  toProducer({
    name: "rejection-lasts",
    says: "a rejected action is not carried out later either",
    rules: [consentRule],
    needs: ["start", "effects"],
    waits: 10_000,
    play: mustStayRejected,
  }),
];

/** Waits until twice the longest time of an action has passed since the first rejection, in real time at any scale. */
async function awaitLateActions(context: ScenarioContext): Promise<void> {
  const firstRejection = Math.min(...rejectedIn(context).map(({ rejectedAt }) => rejectedAt));
  const remaining = 2 * actionTimeLimit(context) - (performance.now() - firstRejection);
  await context.wait(Math.max(0, remaining) / Math.min(1, context.setting.timeScale ?? 1));
}

async function mustStayRejected(context: ScenarioContext): Promise<void> {
  const { actsDespiteRejection, invisibility } = await conductOf(context);
  if (actsDespiteRejection)
    throw new TargetSkip("it acts immediately despite rejections, which other scenarios report");
  if (invisibility !== undefined) return context.skip(consentRule, invisibility.why, invisibility.cause);
  const askedSession = await beginWaitingSession(await openSubscription(context), context, "irreversible");
  if (!(await rejectOpen(askedSession))) throw new TargetSkip("a rejection had no effect");
  if (await clockCompletesActions(context)) await letTimePass(context, lateActionDelayMs);
  else await awaitLateActions(context);
  for (const { askedSession: rejectedSession, actionCount } of rejectedIn(context)) {
    const actionsNow = (await effectsOf({ ...rejectedSession, context }))?.length ?? 0;
    const why = "an action was carried out after its session had ended with the rejection";
    context.expect(consentRule, actionsNow <= actionCount, why, { texts: [rejectedSession.id] });
  }
}
