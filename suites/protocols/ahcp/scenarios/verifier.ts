import {
  type Arrival,
  type Callback,
  isObject,
  missingNeeds,
  type ScenarioContext,
} from "../../../../schemas/index.ts";
import { isSigned } from "./callback-signature.ts";
import { bodyOf, keyFor, signatureOf } from "./pushes.ts";

/** Judges the signature of a push to a callback; `subject` begins the sentence of the finding. */
export type Verify = (callback: Callback, arrival: Arrival | undefined, subject: string) => Promise<void>;

/** Whether the end of an expired message has the same time as its signature: either may have been signed. */
function isDatedAsEnded(arrival: Arrival): boolean {
  const { resolution, response } = bodyOf(arrival);
  const end = isObject(response) ? Date.parse(String(response.resolved_at)) : Number.NaN;
  return resolution === "expired" && end === Number(signatureOf(arrival)?.t) * 1000;
}

/** Judges whether pushes are signed in the same way as the first one to a callback: another scenario judges a fault of all signatures. */
export async function verifier(context: ScenarioContext, control: Callback): Promise<Verify> {
  const isFitting = async (callback: Callback, arrival: Arrival | undefined): Promise<boolean> => {
    const signature = signatureOf(arrival);
    return (
      signature !== undefined && isSigned(bodyOf(arrival), callback.url, signature, await keyFor(context, callback))
    );
  };
  const [first] = control.arrivals;
  const isSignedAtAll = first?.headers["ahcp-signature"] !== undefined;
  const isKnown = context.has("key") && (await isFitting(control, first));
  if (!isKnown) context.skip("AHCP-SIG-003", "no known signature can be verified");
  return async (callback, arrival, subject) => {
    if (arrival === undefined || !isSignedAtAll) return;
    const isPresent = arrival.headers["ahcp-signature"] !== undefined;
    context.expect("AHCP-SIG-001", isPresent, `${subject} is not signed`, arrival);
    // If a task's push does not show the time of its resolution, the signed time is unknown.
    if (!isKnown || !isPresent || !isObject(bodyOf(arrival).response)) return;
    const why = `${subject} has a signature that does not verify, unlike others`;
    context.expect("AHCP-SIG-003", await isFitting(callback, arrival), why, arrival);
    if (isDatedAsEnded(arrival))
      context.skip(
        "AHCP-SIG-003",
        `${subject} is signed in the second of its deadline, so that nothing shows which of the two is signed`,
        missingNeeds("clock"),
      );
  };
}
