const sayings = {
  valid: "refused, although it is valid",
  invalid: "accepted, although it is invalid",
} as const;

/** The reason for which an answer is wrong that is contrary to the verdict, with what the target said of it. */
export function contraryTo(verdict: keyof typeof sayings, said?: string): string {
  return said === undefined ? sayings[verdict] : `${sayings[verdict]}: ${said}`;
}

/** What such a reason says beside that, undefined where it is all; every other reason as it is. */
export function besideContrary(reason: string): string | undefined {
  const saying = Object.values(sayings).find((each) => reason === each || reason.startsWith(`${each}: `));
  if (saying === undefined) return reason;
  return reason === saying ? undefined : reason.slice(`${saying}: `.length);
}
