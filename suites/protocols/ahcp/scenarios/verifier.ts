import {
  type Arrival,
  type Callback,
  isObject,
  missingNeeds,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { verifiesPush } from "./callback-signature.ts";
import { bodyOf, signatureOf, verificationKeyFor } from "./pushes.ts";

/** Checks the signature of a push. `subject` is the subject of the sentence in a finding. */
export type Verify = (callback: Callback, arrival: Arrival | undefined, subject: string) => Promise<void>;

/** Whether `resolved_at` of an expired message equals `t` of the signature. Then it is unclear whether the hub signed the correct time. */
function isDatedAsEnded(arrival: Arrival): boolean {
  const { resolution, response } = bodyOf(arrival);
  const end = isObject(response) ? Date.parse(String(response.resolved_at)) : Number.NaN;
  return resolution === "expired" && end === Number(signatureOf(arrival)?.t) * 1000;
}

/**
 * Creates a function that checks the signatures of pushes. It verifies them only if the first push to `knownCallback` verifies,
 * because other scenarios report a mistake in all signatures.
 */
export async function verifier(context: ScenarioContext, knownCallback: Callback): Promise<Verify> {
  const isVerified = async (callback: Callback, arrival: Arrival | undefined): Promise<boolean> => {
    const signature = signatureOf(arrival);
    return (
      signature !== undefined &&
      verifiesPush(bodyOf(arrival), callback.url, signature, await verificationKeyFor(context, callback))
    );
  };
  const [knownPush] = knownCallback.arrivals;
  const isSignedAtAll = knownPush?.headers["ahcp-signature"] !== undefined;
  const canVerify = context.has("key") && (await isVerified(knownCallback, knownPush));
  if (!canVerify) context.skip("AHCP-SIG-003", "no known signature can be verified");
  return async (callback, arrival, subject) => {
    if (arrival === undefined || !isSignedAtAll) return;
    const isPresent = arrival.headers["ahcp-signature"] !== undefined;
    context.expect("AHCP-SIG-001", isPresent, `${subject} is not signed`, arrival);
    // If a task's push does not show the time of its resolution, the signed time is unknown.
    if (!canVerify || !isPresent || !isObject(bodyOf(arrival).response)) return;
    const why = `${subject} has a signature that does not verify, unlike others`;
    context.expect("AHCP-SIG-003", await isVerified(callback, arrival), why, arrival);
    if (isDatedAsEnded(arrival))
      context.skip(
        "AHCP-SIG-003",
        `${subject} is signed in the second of its deadline, so either of the two times may be signed`,
        missingNeeds("clock"),
      );
  };
}
