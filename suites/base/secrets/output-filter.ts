// The output belongs to the process, and all of it passes this filter.
let hide = (message: string): string => message;

/** Passes all later output through a hider. A program that has not read a secret yet needs only this part of the room. */
export function filterOutput(hider: (message: string) => string): void {
  hide = hider;
}

/** A message without any secret that was read. */
export function hideSecrets(message: string): string {
  return hide(message);
}
